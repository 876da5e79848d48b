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

    /// Reads how to unlock the vault: exactly one way. With several it would be unclear which one
    /// guards the secret.
    init(_ settings: Settings) throws {
        path = try settings.required("AUTH_VAULT", "the path of the vault file")
        keyPath = settings["AUTH_VAULT_KEY_FILE"]
        var methods: [any UnlockMethod] = keyPath.map { [KeyFileUnlock(path: $0)] } ?? []
        methods +=
            settings["AUTH_VAULT_CREDENTIAL"].map { [SystemdCredentialUnlock(name: $0)] } ?? []
        if let text = settings["AUTH_VAULT_PASSPHRASE"] { methods.append(PassphraseUnlock(text)) }
        guard let method = methods.first, methods.count == 1 else {
            throw ConfigurationProblem(
                "AUTH_VAULT_KEY_FILE",
                "set exactly one of AUTH_VAULT_KEY_FILE (a path), AUTH_VAULT_CREDENTIAL (a systemd credential's name) and AUTH_VAULT_PASSPHRASE."
            )
        }
        self.method = method
    }

    /// The secret: made at the first start, with the vault and its key file. A vault that is
    /// locked, damaged or not readable is an error, never an empty one.
    package func secret() throws -> SecretKey {
        if let keyPath, ![path, keyPath].contains(where: FileManager.default.fileExists) {
            // If another process was faster, its key is as good.
            _ = try? KeyFileUnlock.create(at: keyPath)
        }
        let vault = try FileVault.openOrCreate(at: path, with: method)
        defer { vault.close() }
        let item = ItemKey.key(service: "auth-server", name: "account-secret")
        // If two servers start at the same time, one makes the secret and both use it.
        return try vault.write { writer in
            if let value = try writer.get(item) { return try SecretKey(secretValue: value) }
            let key = try SecretKey.generate(bitCount: 256)
            try writer.set(key, for: item)
            return key
        }
    }
}
