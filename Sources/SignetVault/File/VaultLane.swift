// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SystemBridge

/// A connection, what it has proved so far, and the lock that gives both to one thread at a time.
///
/// A vault has two, one that reads and one that writes: a reader does not wait for a writer's sync of the disk.
final class VaultLane: @unchecked Sendable {
    private let lock = Lock()
    private let connection: VaultConnection
    private let proof = VaultProof()

    init(_ connection: sending VaultConnection) { self.connection = connection }

    func run<R>(_ body: (VaultConnection, VaultProof) throws(StoreError) -> R) throws(StoreError) -> R {
        try lock.withLock { () throws(StoreError) -> R in try body(connection, proof) }
    }

    /// Takes over what the other lane wrote, if nobody reads at this moment and it is little: the next strict read need not look
    /// through all buckets for what changed.
    func advanceIfFree(_ outcome: VaultWriter.Outcome, _ session: VaultSession) {
        guard outcome.buckets.count <= 64 else { return }
        _ = lock.withLockIfFree { try? proof.advance(outcome, session) }
    }

    /// Ends the connection once nobody uses it.
    ///
    /// - Parameter foldsLog: whether SQLite may fold and remove the log if this is the last
    ///   connection of all.
    func close(foldsLog: Bool = false) {
        lock.withLock {
            if foldsLog { try? connection.setFoldsOnClose(true) }
            connection.close()
        }
    }
}
