// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetVault

/// Work on one collection for callers that wait with their thread: never one of Swift's pool, which the vault's calls are not on.
struct BlockingKeyring: Sendable {
    let alias: String
    let deadlineSeconds: Int
    var promptSeconds = 120
    var promptNotice: (@Sendable () -> Void)?

    func perform<R: Sendable>(
        seconds: Int? = nil, writes: Bool = false,
        _ body: @escaping @Sendable (Keyring) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let alias = alias
        let outcome: Result<R, StoreError> = ServiceThread.shared.runBlocking(
            milliseconds: (seconds ?? deadlineSeconds) * 1000,
            patience: PromptPatience(seconds: promptSeconds, notice: promptNotice),
            { session in
                do throws(StoreError) {
                    return .success(try body(Keyring(session: session, alias: alias)))
                } catch {
                    return .failure(error)
                }
            }, otherwise: { .failure(StoreError($0)) })
        do throws(StoreError) { return try outcome.get() } catch {
            throw writes ? error.mayHaveWritten : error
        }
    }
}
