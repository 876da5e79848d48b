// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSecretService
internal import SignetVault

extension KeyringOptions {
    /// The keyring. Without `--unlock` the desktop asks nothing: a locked one is an error.
    func open(timeout: Int, collection named: String? = nil) throws -> any SecureStore {
        var options = SecretServiceOptions(application: application ?? "signet")
        options.collection = named ?? collection ?? "default"
        options.deadlineSeconds = timeout
        options.promptNotice = { Output.errorLine("signet: waiting for the keyring's prompt") }
        let service = try SecretServiceStore(options)
        if unlock { try waiting { () throws(StoreError) in try await service.unlock() } }
        return service
    }

    /// A key that the keyring holds for a vault in a file.
    static func unlockMethod(collection: String) throws -> any UnlockMethod {
        try SecretServiceUnlock(collection: collection)
    }
}
