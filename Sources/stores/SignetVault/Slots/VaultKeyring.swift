// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The desktop's keyring as the place of vaults' keys: what a library is given that links no
/// keyring itself. `SecretServiceKeyring` of `SignetSecretService` is one.
public protocol VaultKeyring: Sendable {
    /// Whether there is a keyring, locked or not; false only if there certainly is none.
    ///
    /// - Throws: errors of a keyring that exists.
    func isThere() async throws(StoreError) -> Bool

    /// The method that unlocks a vault with a key in the keyring.
    ///
    /// - Parameters:
    ///   - mayPrompt: whether the keyring may ask the person; if not, a locked keyring is an error.
    ///   - promptNotice: called when a call begins to wait for the person's answer.
    func unlockMethod(
        mayPrompt: Bool, promptNotice: @escaping @Sendable () -> Void
    ) throws(StoreError) -> any UnlockMethod
}
