// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension FileVault {
    /// Copies the vault, including its log, to a new file, while other processes go on writing.
    ///
    /// The copy is one moment of the vault, with everything that was acknowledged before the call.
    /// It opens with the same keys. A backup needs no unlock, and so proves nothing: a damaged
    /// vault gives a damaged copy. Verify the copy with ``verify(progress:)``.
    ///
    /// - Throws: `alreadyExists` if the name is taken; `insecureFile`, `unavailable`. Nothing is
    ///   left behind then.
    public func backup(to path: String) throws(StoreError) {
        try requireProcess()
        let source = try file.connect(for: .reading)
        defer { source.close() }
        let place = try VaultFile.inspect(path)
        try VaultFile.create(at: path, options: options) { (target) throws(StoreError) in
            try file.whileUnchanged { () throws(StoreError) in try source.copy(to: target) }
            try VaultSchema.check(target)
        }
        // A newer copy may have been there, before a restore.
        GenerationMemory.process.forget(id, at: place.path)
    }

    /// Replaces a vault by a backup, and removes the replaced vault's log.
    ///
    /// Copying a backup by hand leaves that log, which belongs to the old file, beside the new
    /// file. Writes after the backup are lost. This process accepts the older vault from now on;
    /// other processes that had the vault open, and an anchor, report `rolledBack`, as they should,
    /// until the vault is opened once with ``VaultOptions/acceptsRestored``.
    ///
    /// - Parameters:
    ///   - backup: a file from ``backup(to:)``. It is not changed.
    ///   - path: the vault; it need not exist.
    ///   - options: how to open the vault for the check.
    /// - Throws: `busy` while anyone has the vault open; `notAVault` or `corrupt` for an invalid
    ///   backup, before anything is changed; `unavailable` for a backup whose own log is not empty;
    ///   `alreadyExists` if `path` is a different vault. **Not** checked, since it needs a key:
    ///   that every item of the backup is whole (`verify()`).
    public static func restore(
        from backup: String, to path: String, options: VaultOptions = VaultOptions()
    ) throws(StoreError) {
        var reading = options
        reading.isReadOnly = true
        let source = try VaultFile(existing: backup, options: reading)
        let connection = try source.connectToFileAlone()
        defer { connection.close() }
        var vaultID: [UInt8] = []
        let real = try VaultFile.inspect(path)
        defer {
            // Forgets also after an error that came when the new file already had its name.
            if PrivatePlace.identity(ofFileAt: real.path) != real.identity {
                GenerationMemory.process.forget(vaultID, at: real.path)
            }
        }
        try VaultFile.replace(at: path, options: options) { (target) throws(StoreError) in
            try source.whileUnchanged { () throws(StoreError) in
                try connection.copy(to: target)
            }
            try VaultSchema.check(target)
            vaultID = try HeadRecord(parsing: VaultTables.head(of: target)).vaultID
        } lookingAtOld: { (old) throws(StoreError) in
            // A head that does not parse belongs to no usable vault.
            guard let head = try? HeadRecord(parsing: VaultTables.head(of: old)),
                head.vaultID != vaultID
            else { return }
            throw StoreError(
                .alreadyExists,
                "\(path: path) is another vault than the one that was backed up. "
                    + "Nothing was changed. Restore to another name, or move that vault away first."
            )
        }
    }
}
