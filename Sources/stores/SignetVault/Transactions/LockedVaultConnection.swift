// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// A connection to the vault's database with its proof so far, which one thread at a time uses.
///
/// A vault object has two of them, one for reading and one for writing: a reader does not wait for a
/// writer's disk sync. Each use is a call of ``run(apartFrom:_:)``.
final class LockedVaultConnection: @unchecked Sendable {
    private let lock = Lock(knowsOwner: true)
    private let connection: VaultConnection
    private let proof = VaultProof()
    /// Whether to close the connection when the running call has ended. Used only inside the lock.
    private var closesWhenDone = false

    init(_ connection: sending VaultConnection) { self.connection = connection }

    /// Waits until no other thread uses the connection, and calls `body` with it.
    ///
    /// - Parameter other: the vault's other connection, when `body` is a program's closure. Nil for a
    ///   `body` of Signet's own, which uses one connection only.
    /// - Throws: `unsupported` inside another run of either connection on the same thread. Such a
    ///   call would wait for itself, or for a thread that waits for it.
    func run<R>(
        apartFrom other: LockedVaultConnection? = nil,
        _ body: (VaultConnection, VaultProof) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        if let other, other.lock.isOwned { throw Self.nested }
        let result = try lock.withLockUnlessOwned { () throws(StoreError) -> R in
            defer { if closesWhenDone { connection.close() } }
            return try body(connection, proof)
        }
        guard let result else { throw Self.nested }
        return result
    }

    /// Like ``run(_:)``; nil if the connection is in use, or on an error.
    func runIfFree<R>(_ body: (VaultConnection) throws(StoreError) -> R) -> R? {
        lock.withLockIfFree { try? body(connection) } ?? nil
    }

    /// Takes over what the other connection wrote if no thread is reading and few buckets changed,
    /// so the next strict read need not check all buckets.
    func advanceIfFree(_ outcome: VaultWriter.Outcome) {
        guard outcome.buckets.count <= Self.fewBuckets else { return }
        _ = lock.withLockIfFree { proof.advance(outcome) }
    }

    /// Closes the connection once it is not in use; called at the end of each use.
    ///
    /// - Parameter checkpointsLog: whether SQLite may checkpoint and remove the log if this is the
    ///   very last connection.
    func close(checkpointsLog: Bool = false) {
        let isClosed: Void? = lock.withLockUnlessOwned {
            if checkpointsLog { try? connection.setCheckpointsOnClose(true) }
            connection.close()
        }
        // This thread is in `run`, and no other thread is.
        if isClosed == nil { closesWhenDone = true }
    }

    private static let fewBuckets = 64

    private static var nested: StoreError {
        StoreError(
            .unsupported,
            "A read or a write inside of another one of the same vault: use the reader or the "
                + "writer that the closure was given.")
    }
}
