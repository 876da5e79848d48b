// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Writes the items of any store to a sealed file that can be carried elsewhere: for a backup or a
/// move to another machine.
///
/// The file is a vault (Documentation/VAULT-FORMAT.md) with its own keys and one key slot, usually
/// for a passphrase; ``FileVault/open(at:options:)`` opens it too. The file gets its name only when
/// it is complete, verified and on the disk, and has no `-wal`. **Not** done: a snapshot. Each item
/// is as it was when it was read.
public struct VaultExport: Sendable {
    /// The store to export. It must be unlocked.
    public let source: any SecureStore
    /// The file's name, which must be free. The folder is checked as for every vault.
    public let path: String
    /// The unlock method of the file.
    public let method: any UnlockMethod
    /// Selects the items, without their values.
    public var includes: @Sendable (StoredItem) -> Bool = { _ in true }

    /// Makes an export, which does nothing before it runs.
    public init(from source: any SecureStore, to path: String, with method: any UnlockMethod) {
        self.source = source
        self.path = path
        self.method = method
    }

    /// Writes the file.
    ///
    /// - Parameter progress: items done and items in all.
    /// - Throws: `alreadyExists` if the name is taken (that file is not changed); `insecureFile`,
    ///   `unavailable`, `cancelled`, and the source's errors. Nothing is left behind then.
    public func run(progress: ((Int, Int) -> Void)? = nil) async throws(StoreError)
        -> MigrationReport
    {
        let files = StoreQueue(label: "signet.vault.export")
        let path = path
        let method = method
        let draft = try await files.run { () throws(StoreError) in try VaultDraft(for: path) }
        do {
            let vault = try await files.run { () throws(StoreError) in
                try draft.create(with: method)
            }
            let report = try await files.closing(vault) { () async throws(StoreError) in
                let report = try await fill(vault, progress)
                try await files.run { () throws(StoreError) in try Self.requireClean(vault) }
                return report
            }
            try await files.run(draft.publish)
            return report
        } catch {
            try? await files.run(evenIfCancelled: true, draft.remove)
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

    /// Verifies the file before it counts as an export: it may be all that is left some day.
    private static func requireClean(_ vault: FileVault) throws(StoreError) {
        guard try vault.verify().isClean else {
            throw StoreError(
                .corrupt,
                "The file that was just written is damaged: check the disk. Nothing was exported.")
        }
    }
}

extension StoreQueue {
    /// Runs `body`, and always closes the vault.
    func closing<R>(
        _ vault: FileVault, _ body: () async throws(StoreError) -> R
    ) async throws(StoreError) -> R {
        let result: Result<R, StoreError>
        do { result = .success(try await body()) } catch {
            result = .failure(error)
        }
        try? await run(evenIfCancelled: true) { () throws(StoreError) in vault.close() }
        return try result.get()
    }
}
