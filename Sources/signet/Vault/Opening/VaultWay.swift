// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto
internal import SignetVault
internal import Synchronization

/// A way into a vault, as the options name it.
enum VaultWay {
    case passphrase(Passphrase.Source)
    case keyFile(String)
    case credential(String)
    /// The alias of a collection.
    case keyring(String)

    /// What opens a vault that is there.
    func method(_ wording: Passphrase.Wording, _ patience: Patience) throws -> any UnlockMethod {
        switch self {
        case .passphrase(let source):
            PassphraseUnlock(try Passphrase.read(source, confirming: false, wording: wording))
        case .keyFile(let path):
            RawKeyUnlock(try SealingKeyFile.read(path, isForVault: true))
        case .credential(let name):
            SystemdCredentialUnlock(name: name)
        case .keyring(let collection):
            try KeyringOptions.unlockMethod(collection: collection, patience)
        }
    }

    /// What a new key slot is made with: a passphrase is asked for twice, a key file that is not there is made.
    func newMethod(
        _ wording: Passphrase.Wording, _ patience: Patience, makesKeyFile: Bool = true
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

/// Notes which slot a method was asked about last: after an unlock, that is the one that opened.
final class SlotFinder: UnlockMethod {
    private let method: any UnlockMethod
    private let last = Mutex<[UInt8]?>(nil)

    init(_ method: any UnlockMethod) { self.method = method }

    /// The slot that opened; nil before an unlock.
    var slot: [UInt8]? { last.withLock { $0 } }

    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        let key = try method.keyEncryptionKey(for: slot)
        if key != nil { last.withLock { $0 = slot.id } }
        return key
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        try method.newSlot(id: id, vaultID: vaultID)
    }
}
