// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetVault

/// Runs work on the service's thread, within a deadline. ``perform(seconds:writes:_:)`` suspends
/// its caller; ``performBlocking(seconds:writes:_:)`` blocks the caller's thread, which must not be
/// a thread of Swift's pool.
struct KeyringCall: Sendable {
    let alias: String
    let deadlineSeconds: Int
    var promptSeconds = 120
    var promptNotice: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - seconds: the deadline; nil for ``deadlineSeconds``.
    ///   - writes: whether the work writes: then an error says if the write may have happened.
    func perform<R: Sendable>(
        seconds: Int? = nil, writes: Bool = false,
        _ body: @escaping @Sendable (KeyringConnection) throws(StoreError) -> R
    ) async throws(StoreError) -> R {
        let outcome = await ServiceThread.shared.run(
            milliseconds: milliseconds(seconds), promptLimit: promptLimit, Self.work(body))
        return try Self.result(outcome, writes: writes)
    }

    /// Like ``perform(seconds:writes:_:)``, blocking this thread.
    func performBlocking<R: Sendable>(
        seconds: Int? = nil, writes: Bool = false,
        _ body: @escaping @Sendable (Keyring) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let work = Self.work { [alias] (connection) throws(StoreError) in
            try body(Keyring(connection: connection, alias: alias))
        }
        let outcome = ServiceThread.shared.runBlocking(
            milliseconds: milliseconds(seconds), promptLimit: promptLimit, work)
        return try Self.result(outcome, writes: writes)
    }

    private var promptLimit: PromptLimit {
        PromptLimit(seconds: promptSeconds, notice: promptNotice)
    }

    private func milliseconds(_ seconds: Int?) -> Int { (seconds ?? deadlineSeconds) * 1000 }

    private static func work<R>(
        _ body: @escaping @Sendable (KeyringConnection) throws(StoreError) -> R
    ) -> @Sendable (KeyringConnection) -> Result<R, StoreError> {
        { connection in Result { () throws(StoreError) in try body(connection) } }
    }

    /// The value, or the error of the work or of the call. The error of a call that writes says if
    /// the write may have happened.
    private static func result<R>(
        _ outcome: Result<Result<R, StoreError>, SecretServiceFailure>, writes: Bool
    ) throws(StoreError) -> R {
        do {
            return try outcome.mapError { StoreError($0) }.get().get()
        } catch {
            throw writes ? error.mayHaveWritten : error
        }
    }
}
