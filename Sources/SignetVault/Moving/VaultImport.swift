// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Takes the items of an exported file, or of any vault, into a store of any kind.
///
/// The whole file is verified before the first item is written. It may be interrupted and run
/// again: see ``StoreMigration``.
public struct VaultImport: Sendable {
    /// The file; it stays as it is.
    public let path: String
    /// The way into the file.
    public let method: any UnlockMethod
    /// Where the items go. It must be unlocked.
    public let destination: any SecureStore
    /// What happens to items that the destination has already and that differ.
    public var conflictPolicy: StoreMigration.ConflictPolicy
    /// Which items go along; the value is not looked at.
    public var includes: @Sendable (StoredItem) -> Bool = { _ in true }

    /// An import, which does nothing before it runs.
    public init(
        from path: String, with method: any UnlockMethod, to destination: any SecureStore,
        conflictPolicy: StoreMigration.ConflictPolicy = .refuse
    ) {
        self.path = path
        self.method = method
        self.destination = destination
        self.conflictPolicy = conflictPolicy
    }

    /// Takes the items in.
    ///
    /// - Parameter progress: items done, items in all.
    /// - Throws: `authenticationFailure` when the method does not open the file; `corrupt` when
    ///   anything in it is damaged, and nothing was written then; `conflict` as
    ///   ``StoreMigration/run(progress:)`` does; `cancelled`, and what the stores throw.
    public func run(progress: ((Int, Int) -> Void)? = nil) async throws(StoreError)
        -> MigrationReport
    {
        let files = StoreQueue(label: "signet.vault.import")
        let (path, method) = (path, method)
        let vault = try await files.run { () throws(StoreError) in try FileVault.open(at: path) }
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
