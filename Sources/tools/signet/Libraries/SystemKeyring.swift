// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetSecretService
internal import SignetVault
internal import Synchronization

/// The desktop's keyring. It may show the person which program asks, and hands its secrets to any
/// program of theirs: a command that uses it does not hide from those.
enum SystemKeyring {
    /// The keyring as a store. Without `mayPrompt` the desktop asks nothing, and a locked keyring
    /// is an error.
    static func open(
        application: String?, collection: String?, deadlineSeconds: Int, mayPrompt: Bool
    ) throws -> any SecureStore {
        var options = SecretServiceOptions(application: application ?? "signet")
        options.collection = collection ?? "default"
        options.deadlineSeconds = deadlineSeconds
        options.promptNotice = sayWaiting
        ProcessPrivacy.showProgram()
        let service = try SecretServiceStore(options)
        if mayPrompt { try waiting { try await service.unlock() } }
        return service
    }

    /// The keyring for the keys of vaults with sessions.
    static var ofSessions: (any VaultKeyring)? { SessionKeyring() }

    private struct SessionKeyring: VaultKeyring {
        private let keyring = SecretServiceKeyring()

        func isThere() async throws(StoreError) -> Bool {
            ProcessPrivacy.showProgram()
            return try await keyring.isThere()
        }

        func unlockMethod(
            mayPrompt: Bool, promptNotice: @escaping @Sendable () -> Void
        ) throws(StoreError) -> any UnlockMethod {
            ProcessPrivacy.showProgram()
            return try keyring.unlockMethod(mayPrompt: mayPrompt) {
                promptNotice()
                sayWaiting()
            }
        }
    }

    /// A key that the keyring holds for a vault in a file.
    static func unlockMethod(
        collection: String, deadlineSeconds: Int, mayPrompt: Bool
    ) throws -> any UnlockMethod {
        ProcessPrivacy.showProgram()
        return try SecretServiceUnlock(
            collection: collection, deadlineSeconds: deadlineSeconds, unlocksKeyring: mayPrompt,
            promptNotice: sayWaiting)
    }

    /// Says only once that a prompt waits, however many follow: to a person they may look like a
    /// single prompt.
    private static let sayWaiting: @Sendable () -> Void = {
        guard !hasSaid.exchange(true, ordering: .relaxed) else { return }
        Output.errorLine("signet: waiting for the keyring's prompt")
    }
    private static let hasSaid = Atomic(false)
}
