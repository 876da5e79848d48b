// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension FileVault {
    /// Makes the file as small as its items allow: the room of what was removed is given back.
    ///
    /// Everything is verified first. Then SQLite builds the database again in one transaction
    /// (`VACUUM`), and the log is folded: a kill on the way leaves the vault as it was,
    /// or compacted. No item, key or generation changes. Others may read meanwhile; writers wait.
    /// Takes room for a second vault in the log, and for a third one where temporary files are kept
    /// (what is in them is sealed).
    ///
    /// - Returns: by how many bytes the file is smaller. 0 also while others read for longer than
    ///   is waited: the file shrinks when the log is next folded.
    /// - Throws: `corrupt` for a vault that is damaged, of which something could be lost in
    ///   building it again: nothing was changed; `locked`, `readOnly`, `busy`, `unavailable`.
    @discardableResult
    public func compact() throws(StoreError) -> Int64 {
        try requireWritable()
        let before = VaultPlace.byteCount(ofFileAt: file.path)
        if let finding = try verify().findings.first {
            throw StoreError(
                .corrupt,
                "The vault is damaged (\(finding.place)): \(finding.problem) Nothing was changed. "
                    + "Restore a backup, or salvage what is whole."
            )
        }
        try requireTrustedLog(holder.use())
        // So that the log leads from this state to this state, wherever this is killed now.
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
