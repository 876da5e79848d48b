// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// Opens a vault with a passphrase: the key slots of scrypt, Argon2id and PBKDF2.
///
/// A passphrase is 1 to 1,024 octets, compared without normalisation or trimming. This copy is
/// wiped when its last handle goes. **Not** checked: its strength.
public struct PassphraseUnlock: UnlockMethod, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private static let byteCounts = 1...1024
    private let passphrase: SecretKey
    private let derivation: PassphraseDerivation

    /// Takes over secret bytes.
    ///
    /// - Parameters:
    ///   - passphrase: the passphrase.
    ///   - derivation: for new slots only.
    public init(_ passphrase: consuming SecretBytes, derivation: PassphraseDerivation = .automatic)
    {
        self.passphrase = SecretKey(passphrase)
        self.derivation = derivation
    }

    /// Uses text as UTF-8. The string itself stays in ordinary memory until its owner drops it.
    ///
    /// - Parameters:
    ///   - passphrase: the passphrase.
    ///   - derivation: for new slots only.
    public init(_ passphrase: String, derivation: PassphraseDerivation = .automatic) {
        self.init(SecretBytes(copying: passphrase.utf8), derivation: derivation)
    }

    /// Copies any bytes. Wipe or drop the source yourself.
    ///
    /// - Parameters:
    ///   - bytes: the passphrase.
    ///   - derivation: for new slots only.
    public init(bytes: some Collection<UInt8>, derivation: PassphraseDerivation = .automatic) {
        self.init(SecretBytes(copying: bytes), derivation: derivation)
    }

    /// Derives the key of a passphrase slot, at the slot's cost in time and memory, within the
    /// format's limits.
    ///
    /// - Returns: nil for a slot of another kind.
    /// - Throws: `invalidValue` unless the passphrase has 1 to 1,024 octets, `corrupt` if the slot
    ///   exceeds the limits, `unsupported` if the loaded libcrypto lacks the derivation.
    public func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        guard [.scrypt, .argon2id, .pbkdf2].contains(slot.kind) else { return nil }
        guard let parameters = SlotParameters(slot.kind, parsing: slot.parameters) else {
            throw .damaged(RecordKind.slot.place, problem: "its parameters are out of range")
        }
        return try key(parameters)
    }

    /// A slot with a new salt.
    ///
    /// - Throws: `invalidValue` unless the passphrase has 1 to 1,024 octets, `invalidParameter` for
    ///   a cost outside the limits, `unsupported` if the loaded libcrypto lacks the derivation.
    public func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        let parameters = try derivation.parameters()
        guard let key = try key(parameters) else {
            throw StoreError(.invalidParameter, "The slot is not for a passphrase.")
        }
        return NewKeySlot(
            kind: parameters.kind, parameters: parameters.bytes, keyEncryptionKey: key)
    }

    /// The type and "redacted".
    public var description: String { "PassphraseUnlock(redacted)" }

    /// The type and "redacted".
    public var debugDescription: String { description }

    /// No children, so `dump` prints nothing of the passphrase.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    private func key(_ parameters: SlotParameters) throws(StoreError) -> SecretKey? {
        guard Self.byteCounts.contains(passphrase.byteCount) else {
            throw StoreError(
                .invalidValue,
                "A passphrase has \(Self.byteCounts.lowerBound) to \(Self.byteCounts.upperBound) bytes."
            )
        }
        let password = SecretBytes(storage: passphrase.storage)
        do {
            switch parameters {
            case .scrypt(let salt, let logCost):
                let cost = 1 << Int(logCost)
                // At most 1 GiB, by the format's limit for the cost; the derivation's own default
                // is lower.
                return try KeyDerivation.scrypt(
                    password: password, salt: salt, cost: cost, byteCount: VaultFormat.keyByteCount,
                    memoryLimit: 1 << 31)
            case .argon2id(let salt, let memoryKiB, let passes, let lanes):
                return try KeyDerivation.argon2id(
                    password: password, salt: salt, memoryKiB: Int(memoryKiB), passes: Int(passes),
                    lanes: Int(lanes), byteCount: VaultFormat.keyByteCount)
            case .pbkdf2(let salt, let iterations):
                return try KeyDerivation.pbkdf2(
                    password: password, salt: salt, iterations: Int(iterations),
                    byteCount: VaultFormat.keyByteCount)
            case .rawKey, .secretService, .external:
                return nil
            }
        } catch {
            guard error.code == .unsupported else { throw .library(error) }
            throw StoreError(
                .unsupported,
                underlying: error,
                "The passphrase's key slot needs \(shown: parameters.derivationName), which the loaded libcrypto (\(shown: CryptoProvider.libraryVersion)) does not offer."
            )
        }
    }
}

extension SlotParameters {
    /// The derivation's name in messages.
    fileprivate var derivationName: String {
        switch self {
        case .scrypt: "scrypt"
        case .argon2id: "Argon2id (OpenSSL 3.2 or newer)"
        case .pbkdf2: "PBKDF2"
        case .rawKey, .secretService, .external: "no derivation"
        }
    }
}
