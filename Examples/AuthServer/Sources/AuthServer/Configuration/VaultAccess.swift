// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import SignetCrypto
internal import SignetVault

/// The file vault with the server's secret, and what unlocks it. A copy of the database does not
/// include the secret. Servers that share a database have copies of one vault.
package struct VaultAccess: Sendable {
    private let path: String
    private let method: any UnlockMethod
    private let keyPath: String?

    /// Reads how to unlock the vault: exactly one way. With both it would be unclear which one
    /// guards the secret.
    init(_ settings: Settings) throws {
        path = try settings.required("AUTH_VAULT", "the path of the vault file")
        keyPath = settings["AUTH_VAULT_KEY_FILE"]
        switch (keyPath, settings["AUTH_VAULT_CREDENTIAL"]) {
        case (let keyPath?, nil): method = KeyFileUnlock(path: keyPath)
        case (nil, let name?): method = SystemdCredentialUnlock(name: name)
        default:
            throw ConfigurationProblem(
                "AUTH_VAULT_KEY_FILE",
                "set it (a path) or AUTH_VAULT_CREDENTIAL (a systemd credential's name), not both.")
        }
    }

    /// The secret: made at the first start, with the vault and its key file. A vault that is
    /// locked, damaged or not readable is an error, never an empty one.
    package func secret() async throws -> SecretKey {
        if let keyPath, ![path, keyPath].contains(where: FileManager.default.fileExists) {
            // If another process was faster, its key is as good.
            _ = try? KeyFileUnlock.create(at: keyPath)
        }
        let vault = try FileVault.openOrCreate(at: path, with: method)
        defer { vault.close() }
        // If two servers start at the same time, one makes the secret and both use it.
        return try await vault.keyMadeIfAbsent(
            for: .key(service: "auth-server", name: "account-secret"))
    }
}
