// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Writes the items of a store, of any kind, to one sealed file that can be carried elsewhere: a
/// backup, a move to another machine.
///
/// The file is a vault (Documentation/VAULT-FORMAT.md) with keys of its own and one way in, usually
/// a passphrase: it opens with ``FileVault/open(at:options:)`` too. It appears under its name when
/// it is complete, verified and on the disk, and not before; there is no `-wal` beside it. **Not**
/// done: a snapshot. Each item is as it was when it was read.
public struct VaultExport: Sendable {
    /// Whose items are written. It must be unlocked.
    public let source: any SecureStore
    /// The file's name, which must be free. The folder is checked as that of every vault is.
    public let path: String
    /// The way into the file.
    public let method: any UnlockMethod
    /// Which items go along; the value is not looked at.
    public var includes: @Sendable (StoredItem) -> Bool = { _ in true }

    /// An export, which does nothing before it runs.
    public init(from source: any SecureStore, to path: String, with method: any UnlockMethod) {
        self.source = source
        self.path = path
        self.method = method
    }

    /// Writes the file.
    ///
    /// - Parameter progress: items done, items in all.
    /// - Throws: `alreadyExists` when the name is taken: what is there stays as it is;
    ///   `insecureFile`, `unavailable`, `cancelled`, and what the source throws. Nothing is left
    ///   behind then.
    public func run(progress: ((Int, Int) -> Void)? = nil) async throws(StoreError)
        -> MigrationReport
    {
        let files = StoreQueue(label: "signet.vault.export")
        let (path, method) = (path, method)
        let draft = try await files.run { () throws(StoreError) in try VaultDraft(for: path) }
        do throws(StoreError) {
            let vault = try await files.run { () throws(StoreError) in
                try FileVault.create(at: draft.path, with: method)
            }
            let report = try await files.closing(vault) { () async throws(StoreError) in
                let report = try await fill(vault, progress)
                try await files.run { () throws(StoreError) in try Self.requireClean(vault) }
                return report
            }
            try await files.run { () throws(StoreError) in try draft.publish() }
            return report
        } catch {
            try? await files.run(evenIfCancelled: true) { () throws(StoreError) in draft.remove() }
            throw error
        }
    }

    private func fill(
        _ vault: FileVault, _ progress: ((Int, Int) -> Void)?
    ) async throws(StoreError) -> MigrationReport {
        var migration = StoreMigration(from: source, to: vault, conflictPolicy: .replace)
        migration.includes = includes
        migration.batchCount = 1000
        return try await migration.run(progress: progress)
    }

    /// A file that is to be opened when everything else is lost is looked at before it is called an
    /// export.
    private static func requireClean(_ vault: FileVault) throws(StoreError) {
        guard try vault.verify().isClean else {
            throw StoreError(
                .corrupt,
                "The file that was just written is damaged: check the disk. Nothing was exported.")
        }
    }
}

extension StoreQueue {
    /// Runs `body`, and closes the vault whatever happens.
    func closing<R>(
        _ vault: FileVault, _ body: () async throws(StoreError) -> R
    ) async throws(StoreError) -> R {
        let result: Result<R, StoreError>
        do throws(StoreError) { result = .success(try await body()) } catch {
            result = .failure(error)
        }
        try? await run(evenIfCancelled: true) { () throws(StoreError) in vault.close() }
        return try result.get()
    }
}
