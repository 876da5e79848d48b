// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

extension KeyringOptions {
    func open(_ patience: Patience) throws -> any SecureStore {
        throw Self.missing
    }

    static func unlockMethod(
        collection: String, _ patience: Patience
    ) throws -> any UnlockMethod { throw missing }

    private static var missing: CommandFailure {
        .unavailable(
            "unsupported", "This signet was built without the Secret Service.",
            advice: "Build it where libsecret-1-dev is installed, without SIGNET_WITHOUT=libsecret."
        )
    }
}
