// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// Takes what is authentic out of a damaged vault, into a new one.
///
/// It needs one key slot that opens, the head's vault id, and the data keys of the items:
/// everything else may be damaged. It changes nothing of the damaged vault, and does not prove that
/// an item is the newest one, nor that none is missing: that is what the damage took away.
public struct VaultSalvage: Sendable {
    private let path: String
    private let method: any UnlockMethod
    private let output: String
    private let newMethod: any UnlockMethod
    private let options: VaultOptions

    /// A salvage, which does nothing before it runs.
    ///
    /// - Parameters:
    ///   - path: the damaged vault.
    ///   - method: a way into it.
    ///   - output: the new vault, which must not be there.
    ///   - newMethod: the way into the new vault.
    ///   - options: for the damaged vault. Its anchor is only asked.
    public init(
        of path: String, with method: any UnlockMethod, to output: String,
        with newMethod: any UnlockMethod, options: VaultOptions = VaultOptions()
    ) {
        self.path = path
        self.method = method
        self.output = output
        self.newMethod = newMethod
        self.options = options
    }

    /// Writes the new vault, and lists the items that are lost.
    ///
    /// - Throws: `alreadyExists` when the new name is taken; `authenticationFailure` when no slot
    ///   fits; `corrupt` when nothing can be opened: no SQLite database, no readable head, no slot,
    ///   no data key; and what the places and methods throw. Nothing is left behind then.
    public func run() throws(StoreError) -> SalvageReport {
        let draft = try VaultDraft(for: output)
        let file = try VaultFile(existing: path, options: options)
        let source = try file.connectToSalvage()
        defer { source.close() }
        do throws(StoreError) {
            var report = SalvageReport()
            let keys = try file.whileUnchanged { () throws(StoreError) in
                try SalvageKeys(source, method)
            }
            let vault = try FileVault.create(at: draft.path, with: newMethod)
            defer { vault.close() }
            try file.whileUnchanged { () throws(StoreError) -> Void in
                try SalvageRows(connection: source, keys: keys).copy(to: vault, &report)
            }
            report.anchoredGeneration = try? options.anchor?.generation(ofVault: keys.vaultID)
            guard try vault.verify().isClean else {
                throw StoreError(
                    .corrupt, "The file that was just written is damaged: check the disk.")
            }
            vault.close()
            try draft.publish()
            return report
        } catch {
            draft.remove()
            throw error
        }
    }
}
