// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetVault

/// The desktop's keyring for a library that keeps a vault's key in it, such as `SignetLogin`:
/// `LocalAccount(…, keyring: SecretServiceKeyring(), …)`.
///
/// It gives up after 10 s without an answer, and after two minutes without the person's.
public struct SecretServiceKeyring: VaultKeyring {
    private static let deadlineSeconds = 10

    private let collection: String

    /// Uses the keyring's collection with this alias. Nothing is asked yet.
    ///
    /// - Parameter collection: the alias of the collection; see
    ///   ``SecretServiceOptions/collection``.
    public init(collection: String = "default") { self.collection = collection }

    /// Whether there is a keyring with this collection, locked or not; false only if there is no
    /// session bus, or no process on it is the Secret Service and none can be started.
    ///
    /// - Throws: errors of an existing keyring, including the lack of this collection.
    public func isThere() async throws(StoreError) -> Bool {
        var options = SecretServiceOptions(application: "signet")
        options.collection = collection
        return try await SecretServiceStore(options).isThere()
    }

    /// A ``SecretServiceUnlock`` for this collection.
    ///
    /// - Parameters:
    ///   - mayPrompt: whether the service may show its prompt.
    ///   - promptNotice: called on a thread of the bus when a call begins to wait for a prompt.
    /// - Throws: `invalidParameter` for an impossible alias.
    public func unlockMethod(
        mayPrompt: Bool, promptNotice: @escaping @Sendable () -> Void
    ) throws(StoreError) -> any UnlockMethod {
        try SecretServiceUnlock(
            collection: collection, deadlineSeconds: Self.deadlineSeconds,
            unlocksKeyring: mayPrompt, promptNotice: promptNotice)
    }
}
