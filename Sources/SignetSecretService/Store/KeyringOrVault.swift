// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetVault

/// A store for programs that run in desktop sessions and without one: the keyring, and a vault in a
/// file only where there is no keyring.
///
/// ```swift
/// let place = try FileVault.standardPath(application: "org.example.mail")
/// let keyFile = KeyFileUnlock(path: "/etc/org.example.mail/key")
/// let either = try await KeyringOrVault.open(
///     SecretServiceOptions(application: "org.example.mail"), path: place
/// ) { () throws(StoreError) in keyFile }
/// ```
///
/// "No keyring" is: no session bus, or a bus on which no process is the Secret Service and none can
/// be started to be it. One that is locked, damaged, slow, refuses, or has no collection is there:
/// its errors are thrown, and nothing is written elsewhere.
///
/// **Decided once.** What was decided stands at the vault's path, under one name that only one of
/// several processes can take: the vault itself, or a note of one line that the secrets are in the
/// keyring. A later start goes by that and by nothing else. Where the note stands and there is no
/// keyring, calls throw `unavailable`; where the vault stands, the keyring is not asked. To move,
/// migrate the items (`StoreMigration`) and remove the note or the vault.
///
/// **Not** known: what the program wrote to the keyring with a ``SecretServiceStore`` of its own,
/// before it used this.
public enum KeyringOrVault {
    /// Opens the store that was decided for, or decides.
    ///
    /// - Parameters:
    ///   - options: for the keyring.
    ///   - path: the vault, or the note; nil for `FileVault.standardPath(application:)` of the
    ///     options' application, whose folder is made.
    ///   - method: what opens the vault, called only where it is the vault, off Swift's threads. It
    ///     may make a key file for a vault that is not there yet.
    ///   - vaultOptions: for the vault.
    /// - Returns: a ``SecretServiceStore``, perhaps locked, or an unlocked `FileVault`.
    /// - Throws: what is wrong with the keyring where nothing is decided yet; `insecureFile` and
    ///   `invalidParameter` for the path; `invalidParameter` for a note of another application or
    ///   collection; what opening or making the vault throws.
    public static func open(
        _ options: SecretServiceOptions, path: String? = nil,
        vaultOptions: VaultOptions = VaultOptions(),
        method: @escaping @Sendable () throws(StoreError) -> any UnlockMethod
    ) async throws(StoreError) -> any SecureStore {
        try options.check()
        let files = StoreQueue(label: "signet.keyring-or-vault")
        let place = try await files.run { () throws(StoreError) in try DecidedPlace(path, options) }
        // Twice at most: what another process decides meanwhile is not undone.
        for _ in 0..<3 {
            switch try await files.run({ () throws(StoreError) in try place.decision() }) {
            case .keyring:
                return try SecretServiceStore(options)
            case .vault:
                return try await files.run { () throws(StoreError) in
                    let vault = try FileVault.open(at: place.path, options: vaultOptions)
                    try vault.unlock(with: method())
                    return vault
                }
            case nil:
                if try await SecretServiceStore(options).isThere() {
                    try await files.run { () throws(StoreError) in try place.decideForKeyring() }
                } else {
                    let vault = try await files.run { () throws(StoreError) in
                        try place.decideForVault(vaultOptions, method)
                    }
                    if let vault { return vault }
                }
            }
        }
        throw StoreError(.busy, "What is at the vault's path comes and goes: try again.")
    }
}
