// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import Synchronization

extension FileVault {
    /// Checkpoints the log, locks the vault and closes its file. Everything acknowledged is then in
    /// the single file, and `-wal` is gone unless other processes have the vault open.
    ///
    /// Every later call of this object throws `locked`, an unlock `unavailable`. Closing twice does
    /// nothing, nor does closing in a child of `fork`. A vault that is not closed checkpoints when
    /// its last reference goes, and tries to at the end of the process.
    public func close() {
        guard (try? requireProcess()) != nil,
            !isClosed.exchange(true, ordering: .sequentiallyConsistent)
        else { return }
        closeConnections()
        holder.end()
    }
}
