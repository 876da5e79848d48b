// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetPlatform
internal import SignetVault

/// A way into a vault, as the options name it.
enum VaultWay {
    case passphrase(Passphrase.Source)
    case keyFile(String)
    case credential(String)
    /// A key in the keyring's collection with this alias.
    case keyring(String)

    /// The method that unlocks an existing vault.
    func method(_ wording: Passphrase.Wording, waiting waitingOptions: WaitingOptions) throws
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
            try SystemKeyring.unlockMethod(
                collection: collection, deadlineSeconds: waitingOptions.timeout,
                mayPrompt: waitingOptions.unlock)
        }
    }

    /// The method for a new key slot. The user is asked for a passphrase twice; a missing key file
    /// is made if `makesKeyFile` is set.
    func newMethod(
        _ wording: Passphrase.Wording, waiting waitingOptions: WaitingOptions, makesKeyFile: Bool
    ) throws -> any UnlockMethod {
        switch self {
        case .passphrase(let source):
            Output.noteDerivation()
            return PassphraseUnlock(try Passphrase.read(source, confirming: true, wording: wording))
        case .keyFile(let path)
        where makesKeyFile && path != "-" && PrivatePlace.identity(ofFileBehind: path) == nil:
            return RawKeyUnlock(try SealingKeyFile.create(path))
        case .keyFile, .credential, .keyring:
            return try method(wording, waiting: waitingOptions)
        }
    }
}
