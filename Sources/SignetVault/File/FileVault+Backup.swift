// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension FileVault {
    /// Copies the vault, log included, to a new file, while other processes go on to write.
    ///
    /// The copy is one moment of the vault: everything that was acknowledged before the call is in
    /// it. It opens with the same keys. It needs no unlock, and so proves nothing: a damaged vault
    /// gives a damaged copy. Verify the copy with ``verify(progress:)``.
    ///
    /// - Throws: `alreadyExists` when the name is taken; `insecureFile`, `unavailable`. Nothing is
    ///   left behind then.
    public func backup(to path: String) throws(StoreError) {
        try requireProcess()
        let source = try file.connect(for: .reading)
        defer { source.close() }
        try VaultFile.create(at: path, options: options) { (target) throws(StoreError) -> Void in
            try file.whileUnchanged { () throws(StoreError) -> Void in try source.copy(to: target) }
            try VaultSchema.check(target)
        }
    }

    /// Puts a backup in place of a vault, and removes the log of the one that was there.
    ///
    /// Copying a backup by hand leaves that log, which belongs to the old file, beside the new one.
    /// What was written after the backup is gone, and an anchor reports `rolledBack` afterwards:
    /// that is its task.
    ///
    /// - Parameters:
    ///   - backup: the file that ``backup(to:)`` wrote. It stays as it is.
    ///   - path: the vault; there need not be one.
    ///   - options: how the vault is opened to look at it.
    /// - Throws: `busy` while anybody has the vault open; `notAVault` or `corrupt` for a backup
    ///   that is none, before anything is touched; `unavailable` for one whose own log holds
    ///   something; `alreadyExists` where `path` is another vault than was backed up. **Not**
    ///   checked, since it takes a key: that every item of the backup is whole (`verify()`).
    public static func restore(
        from backup: String, to path: String, options: VaultOptions = VaultOptions()
    ) throws(StoreError) {
        var reading = options
        reading.isReadOnly = true
        let source = try VaultFile(existing: backup, options: reading)
        let connection = try source.connectToFileAlone()
        defer { connection.close() }
        var vaultID: [UInt8] = []
        try VaultFile.replace(at: path, options: options) { (target) throws(StoreError) -> Void in
            try source.whileUnchanged { () throws(StoreError) -> Void in
                try connection.copy(to: target)
            }
            try VaultSchema.check(target)
            vaultID = try HeadRecord(parsing: VaultTables.head(of: target)).vaultID
        } lookingAtOld: { (old) throws(StoreError) -> Void in
            // A head that does not parse is that of no vault which could be used.
            guard let head = try? HeadRecord(parsing: VaultTables.head(of: old)),
                head.vaultID != vaultID
            else { return }
            throw StoreError(
                .alreadyExists,
                "\(SystemFailure.quoted(path)) is another vault than the one that was backed up. "
                    + "Nothing was changed. Restore to another name, or move that vault away first."
            )
        }
    }
}
