// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

/// What opens the vault: one of three, named by the configuration.
package enum VaultKey: Sendable, CustomStringConvertible {
    /// A file with the key, readable by its owner only. It is made when the vault is.
    case file(path: String)
    /// A credential that systemd hands to the service (`LoadCredentialEncrypted=`).
    case credential(name: String)
    /// A passphrase. Deriving the key from it takes part of a second and 128 MiB, once at the start.
    case passphrase(String)

    /// The way to open it; nothing is read yet.
    var method: any UnlockMethod {
        switch self {
        case .file(let path): KeyFileUnlock(path: path)
        case .credential(let name): SystemdCredentialUnlock(name: name)
        case .passphrase(let text): PassphraseUnlock(text)
        }
    }

    /// Which of the three, and no secret.
    package var description: String {
        switch self {
        case .file: "key file"
        case .credential: "systemd credential"
        case .passphrase: "passphrase"
        }
    }
}
