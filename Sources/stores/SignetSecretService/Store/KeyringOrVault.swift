// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetVault

/// A store for programs that run with or without a desktop session: the keyring, or a vault in a
/// file only if there is no keyring.
///
/// ```swift
/// let folders = try StandardFolders(application: "org.example.mail")
/// let either = try await KeyringOrVault.open(
///     SecretServiceOptions(application: "org.example.mail")
/// ) { () throws(StoreError) in
///     // Only where there is no keyring.
///     try folders.make()
///     let key = folders.state + "/key"
///     _ = try? KeyFileUnlock.create(at: key)
///     return KeyFileUnlock(path: key)
/// }
/// ```
///
/// "No keyring" means no session bus, or a bus on which no process is the Secret Service and none
/// can be started. A keyring that is locked, damaged, slow or refusing, or lacks the collection,
/// exists: its errors are thrown, and nothing is written elsewhere.
///
/// **Decided once.** The decision is kept at the vault's path, which only the first of several
/// processes can take. The path holds the vault itself, or a note of one line which says that the
/// secrets are in the keyring. Later starts follow only that decision. With the note and no keyring, calls throw
/// `unavailable`; with the vault, the keyring is not asked. To move, migrate the items
/// (`StoreMigration`) and remove the note or the vault.
///
/// **Not** known: what the program wrote to the keyring with its own ``SecretServiceStore`` before
/// it used `KeyringOrVault`.
public enum KeyringOrVault {
    /// Opens the store that was decided on, or decides.
    ///
    /// - Parameters:
    ///   - options: for the keyring.
    ///   - path: the vault or the note; nil for `FileVault.standardPath(application:)` of the
    ///     options' application, whose folder is then created.
    ///   - method: makes the vault's unlock method, called only for a vault, off Swift's threads.
    ///     It may create a key file for a new vault.
    ///   - vaultOptions: for the vault.
    /// - Returns: a ``SecretServiceStore``, perhaps locked, or an unlocked `FileVault`.
    /// - Throws: the keyring's errors if nothing is decided yet; `insecureFile` and
    ///   `invalidParameter` for the path; `invalidParameter` for a note of a different application
    ///   or collection; errors of opening or creating the vault.
    public static func open(
        _ options: SecretServiceOptions, path: String? = nil,
        vaultOptions: VaultOptions = VaultOptions(),
        method: @escaping @Sendable () throws(StoreError) -> any UnlockMethod
    ) async throws(StoreError) -> any SecureStore {
        try options.check()
        let files = StoreQueue(label: "signet.keyring-or-vault")
        let choice = try await files.run { () throws(StoreError) in
            try KeyringOrVaultChoice(path, options: options)
        }
        // Usually twice at most: another process's decision is not undone.
        for _ in 0..<3 {
            switch try await files.run(choice.decision) {
            case .keyring:
                return try SecretServiceStore(options)
            case .vault:
                return try await files.run { () throws(StoreError) in
                    let vault = try FileVault.open(at: choice.path, options: vaultOptions)
                    try vault.unlock(with: method())
                    return vault
                }
            case nil:
                // Nothing is decided yet. If another process decides first, the next round follows it.
                if try await SecretServiceStore(options).isThere() {
                    try await files.run(choice.decideForKeyring)
                } else {
                    let vault = try await files.run { () throws(StoreError) in
                        try choice.decideForVault(vaultOptions, method)
                    }
                    if let vault { return vault }
                }
            }
        }
        throw StoreError(.busy, "What is at the vault's path comes and goes: try again.")
    }
}
