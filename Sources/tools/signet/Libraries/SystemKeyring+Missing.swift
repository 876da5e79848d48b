// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

/// Stands in for the desktop's keyring when Signet was built without it.
enum SystemKeyring {
    static func open(
        application: String?, collection: String?, deadlineSeconds: Int, mayPrompt: Bool
    ) throws -> any SecureStore { throw missing }

    static var ofSessions: (any VaultKeyring)? { nil }

    static func unlockMethod(
        collection: String, deadlineSeconds: Int, mayPrompt: Bool
    ) throws -> any UnlockMethod { throw missing }

    private static var missing: CommandFailure {
        .unavailable(
            "unsupported", "This signet was built without the Secret Service.",
            advice: "Build it where libsecret-1-dev is installed, without SIGNET_WITHOUT=libsecret."
        )
    }
}
