// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SystemBridge

extension FileVault {
    /// Locks the vault and lets its file go: the last connection of all copies the log into the file and removes `-wal`. Every
    /// later call of this object answers `locked`, an unlock `unavailable`. Closing twice is nothing; in a child of `fork` it does nothing.
    public func close() {
        guard (try? requireProcess()) != nil else { return }
        holder.end()
        finish()
    }
}
