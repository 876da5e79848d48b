// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

extension FileVault {
    /// Changes to this vault from now on: each item that this process writes through any object,
    /// and the fact that another process has written (``StoreChange/changedElsewhere``).
    ///
    /// Other processes' writes are noticed by the next call that proves its answer, or within about
    /// a second: with a listener, an unlocked vault is polled twice a second. Several writes may
    /// become a single change. Writes are **not** noticed before an unlock or in a read-only vault.
    /// A change from shortly before the call may still be reported.
    public func changes() -> AsyncStream<StoreChange> {
        let stream = hub.stream()
        if !isReadOnly { polling.start { [weak self] in self?.pollChanges() ?? false } }
        return stream
    }

    /// Polls the generation if no read is running; this does not keep the vault from locking
    /// itself.
    ///
    /// - Returns: false if nothing will ever be there to poll: the vault was closed, or the process
    ///   is a child of `fork`.
    private func pollChanges() -> Bool {
        guard (try? requireProcess()) != nil else { return false }
        guard let unlocked = holder.currentKeys else { return !isClosed.load(ordering: .relaxed) }
        let octets = readingConnection.runIfFree { (connection) throws(StoreError) -> [UInt8] in
            try connection.transaction(.begin) { () throws(StoreError) -> [UInt8] in
                try VaultTables.state(of: connection)
            }
        }
        // A state that does not open is damaged or belongs to another root key. Calls report that.
        guard let octets, let state = try? StateRecord(opening: octets.span, with: unlocked.root)
        else {
            return true
        }
        freshness.watch.noteRead(state.generation)
        return true
    }
}
