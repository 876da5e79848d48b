// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// Saves what is authentic from a damaged vault into a new vault.
///
/// It needs a key slot that opens, the head's vault id, and the items' data keys; everything else
/// may be damaged. It does not change the damaged vault. It cannot prove that an item is the newest
/// or that none is missing, because the damage destroyed that proof.
public struct VaultSalvage: Sendable {
    private let path: String
    private let method: any UnlockMethod
    private let output: String
    private let newMethod: any UnlockMethod
    private let options: VaultOptions

    /// Makes a salvage, which does nothing before it runs.
    ///
    /// - Parameters:
    ///   - path: the damaged vault.
    ///   - method: an unlock method for it.
    ///   - output: the new vault, which must not exist.
    ///   - newMethod: the unlock method of the new vault.
    ///   - options: for the damaged vault. Its anchor is only read.
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
    /// - Throws: `alreadyExists` if the new name is taken; `authenticationFailure` if no slot fits;
    ///   `corrupt` if nothing can be opened: no SQLite database, no readable head, no slot, no data
    ///   key; errors of the places and methods. Nothing is left behind then.
    public func run() throws(StoreError) -> SalvageReport {
        let draft = try VaultDraft(for: output)
        let file = try VaultFile(existing: path, options: options)
        let source = try file.connectToSalvage()
        defer { source.close() }
        do throws(StoreError) {
            var report = SalvageReport()
            let keys = try file.whileUnchanged { () throws(StoreError) in
                try SalvageKeys(source, with: method)
            }
            let vault = try draft.create(with: newMethod)
            defer { vault.close() }
            try file.whileUnchanged { () throws(StoreError) in
                try SalvageRows(connection: source, keys: keys).copy(to: vault, report: &report)
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

    /// Whether a salvage of this vault finds keys with this method. Nothing is written.
    package static func isPossible(
        of path: String, with method: any UnlockMethod, options: VaultOptions = VaultOptions()
    ) -> Bool {
        do throws(StoreError) {
            let file = try VaultFile(existing: path, options: options)
            let source = try file.connectToSalvage()
            defer { source.close() }
            _ = try SalvageKeys(source, with: method)
            return true
        } catch {
            return false
        }
    }
}
