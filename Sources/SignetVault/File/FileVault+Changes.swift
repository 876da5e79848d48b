// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

extension FileVault {
    /// Changes to this vault from now on: what this process writes, through whichever object, item
    /// by item, and that another process has written (``StoreChange/changedElsewhere``).
    ///
    /// What others write is noticed with the next call that proves its answer, else within about a
    /// second: while there is a listener and the vault is unlocked, it is looked at twice a second.
    /// Several of their writes may be one change. **Not** noticed before an unlock, nor where the
    /// vault is only read; and one that happened shortly before the call may still be told.
    public func changes() -> AsyncStream<StoreChange> {
        let stream = hub.stream()
        if !isReadOnly { looking.start { [weak self] in self?.lookForChanges() ?? false } }
        return stream
    }

    /// Looks which generation is there, if no read is on its way; that keeps no vault open.
    private func lookForChanges() -> Bool {
        guard (try? requireProcess()) != nil else { return false }
        guard let session = holder.held else { return !isClosed.load(ordering: .relaxed) }
        let octets = readingLane.runIfFree { (connection) throws(StoreError) -> [UInt8] in
            try connection.transaction(.begin) { () throws(StoreError) -> [UInt8] in
                try VaultTables.state(of: connection)
            }
        }
        // One that does not open is damage, or of another root key: calls say so.
        guard let octets, let state = try? StateRecord(opening: octets.span, with: session.root)
        else {
            return true
        }
        freshness.watch.saw(state.generation)
        return true
    }
}
