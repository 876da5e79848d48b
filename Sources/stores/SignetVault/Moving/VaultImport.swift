// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Imports the items of an exported file, or of any vault, into any store.
///
/// The whole file is verified before the first item is written. An import can be interrupted and
/// run again: see ``StoreMigration``.
public struct VaultImport: Sendable {
    /// The file, which is not changed.
    public let path: String
    /// The unlock method of the file.
    public let method: any UnlockMethod
    /// The destination. It must be unlocked.
    public let destination: any SecureStore
    /// The rule for items that the destination already has and that differ.
    public var conflictPolicy: StoreMigration.ConflictPolicy
    /// Selects the items, without their values.
    public var includes: @Sendable (StoredItem) -> Bool = { _ in true }
    private let options: VaultOptions

    /// Makes an import, which does nothing before it runs.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - method: an unlock method for it.
    ///   - destination: the store to write to.
    ///   - conflictPolicy: the rule for items that the destination already has and that differ.
    ///   - options: for the file. ``VaultOptions/acceptsRestored`` takes an older copy of a vault
    ///     that this process has used under the same path.
    public init(
        from path: String, with method: any UnlockMethod, to destination: any SecureStore,
        conflictPolicy: StoreMigration.ConflictPolicy = .refuse,
        options: VaultOptions = VaultOptions()
    ) {
        self.path = path
        self.method = method
        self.destination = destination
        self.conflictPolicy = conflictPolicy
        self.options = options
    }

    /// Imports the items.
    ///
    /// - Parameter progress: items done and items in all.
    /// - Throws: `authenticationFailure` if the method does not open the file; `corrupt` if
    ///   anything in it is damaged, `rolledBack` if it is older than before (nothing was written
    ///   then); `conflict`, like ``StoreMigration/run(progress:)``; `cancelled`, and the stores'
    ///   errors.
    public func run(progress: ((Int, Int) -> Void)? = nil) async throws(StoreError)
        -> MigrationReport
    {
        let files = StoreQueue(label: "signet.vault.import")
        let path = path
        let method = method
        let options = options
        let vault = try await files.run { () throws(StoreError) in
            try FileVault.open(at: path, options: options)
        }
        return try await files.closing(vault) { () async throws(StoreError) in
            try await files.run { () throws(StoreError) in
                try vault.unlock(with: method)
                try Self.requireClean(vault)
            }
            var migration = StoreMigration(
                from: vault, to: destination, conflictPolicy: conflictPolicy)
            migration.includes = includes
            return try await migration.run(progress: progress)
        }
    }

    private static func requireClean(_ vault: FileVault) throws(StoreError) {
        let report = try vault.verify()
        guard report.isClean else {
            throw StoreError(
                .corrupt,
                "The file is damaged in \(report.findings.count) places, and nothing was taken from it. Verify it to see where."
            )
        }
    }
}
