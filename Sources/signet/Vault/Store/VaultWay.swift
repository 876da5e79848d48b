// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto
internal import SignetVault

/// A way into a vault, as the options name it.
enum VaultWay {
    case passphrase(Passphrase.Source)
    case keyFile(String)
    case credential(String)
    /// The alias of a collection.
    case keyring(String)

    /// What opens a vault that is there.
    func method(_ wording: Passphrase.Wording, _ patience: PatienceOptions) throws
        -> any UnlockMethod
    {
        switch self {
        case .passphrase(let source):
            PassphraseUnlock(try Passphrase.read(source, confirming: false, wording: wording))
        case .keyFile(let path):
            RawKeyUnlock(try SealingKeyFile.read(path, isForVault: true))
        case .credential(let name):
            SystemdCredentialUnlock(name: name)
        case .keyring(let collection):
            try Keyring.unlockMethod(
                collection: collection, deadlineSeconds: patience.timeout,
                mayPrompt: patience.unlock)
        }
    }

    /// What a new key slot is made with: a passphrase is asked for twice, a key file that is not
    /// there is made.
    func newMethod(
        _ wording: Passphrase.Wording, _ patience: PatienceOptions, makesKeyFile: Bool
    ) throws -> any UnlockMethod {
        switch self {
        case .passphrase(let source):
            return PassphraseUnlock(try Passphrase.read(source, confirming: true, wording: wording))
        case .keyFile(let path)
        where makesKeyFile && path != "-" && !FileManager.default.fileExists(atPath: path):
            return RawKeyUnlock(try SealingKeyFile.create(path))
        case .keyFile, .credential, .keyring:
            return try method(wording, patience)
        }
    }
}
