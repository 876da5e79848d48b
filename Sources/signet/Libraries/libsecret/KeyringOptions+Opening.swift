// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSecretService
internal import SignetVault
internal import Synchronization

extension KeyringOptions {
    /// The keyring. Without `--unlock` the desktop asks nothing: a locked one is an error.
    func open(_ patience: Patience) throws -> any SecureStore {
        var options = SecretServiceOptions(application: application ?? "signet")
        options.collection = collection ?? "default"
        options.deadlineSeconds = patience.seconds
        options.promptNotice = Self.sayWaiting
        let service = try SecretServiceStore(options)
        if patience.mayPrompt {
            try waiting { () throws(StoreError) in try await service.unlock() }
        }
        return service
    }

    /// A key that the keyring holds for a vault in a file.
    static func unlockMethod(collection: String, _ patience: Patience) throws -> any UnlockMethod {
        try SecretServiceUnlock(
            collection: collection, deadlineSeconds: patience.seconds,
            unlocksKeyring: patience.mayPrompt, promptNotice: sayWaiting)
    }

    /// Once, however many prompts there are: they may be one to a person.
    private static let sayWaiting: @Sendable () -> Void = {
        guard !hasSaid.exchange(true, ordering: .relaxed) else { return }
        Output.errorLine("signet: waiting for the keyring's prompt")
    }
    private static let hasSaid = Atomic(false)
}
