// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension FileVault {
    /// Shrinks the file to what its items need, and frees the space of removed ones.
    ///
    /// Everything is verified first. Then SQLite rebuilds the database in one transaction
    /// (`VACUUM`), and the log is folded: if the process is killed, the vault is as it was, or
    /// compacted. No item, key or generation changes. Readers continue; writers wait. It needs
    /// space for a second vault in the log, and for a third one among temporary files (whose
    /// contents are sealed).
    ///
    /// - Returns: how many bytes smaller the file is. 0 also if readers keep it busy for too long:
    ///   the file then shrinks when the log is next folded.
    /// - Throws: `corrupt` for a damaged vault, whose rebuilding could lose something (nothing was
    ///   changed); `locked`, `readOnly`, `busy`, `unavailable`.
    @discardableResult
    public func compact() throws(StoreError) -> Int64 {
        try requireWritable()
        let before = VaultPlace.byteCount(ofFileAt: file.path)
        try requireWhole()
        try requireTrustedLog(holder.use())
        // The log must lead from this state to this state, wherever the process is killed now.
        try fold.fold(.long)
        let connection = try file.connect(for: .folding)
        defer { connection.close() }
        try file.requireSame(connection)
        try connection.vacuum()
        fold.noteWrite()
        try fold.fold(.long)
        return max(0, before - VaultPlace.byteCount(ofFileAt: file.path))
    }
}
