// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// Opens a vault with a passphrase: `try vault.unlock(with: PassphraseUnlock(passphrase))`.
///
/// A vault has a *key slot* for each way to unlock it. This method is for the slots of scrypt,
/// Argon2id and PBKDF2, which derive a key from the passphrase. A passphrase is 1 to 1,024 octets,
/// compared without normalisation or trimming. This copy is wiped when its last handle goes.
/// **Not** checked: its strength.
///
/// A new slot takes scrypt, which opens with every libcrypto that Signet supports; where the loaded
/// libcrypto has no scrypt (a FIPS provider), it takes PBKDF2, which ``KeySlot/kind`` shows. With
/// Argon2id, chosen by name, the passphrase does not open the vault on a machine without it.
public struct PassphraseUnlock: UnlockMethod, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private static let byteCounts = 1...1024
    /// 2 GiB. The highest cost of the format takes 1 GiB; the derivation's own default is lower.
    private static let memoryLimit = 1 << 31
    private let passphrase: SecretKey
    private let derivation: PasswordAlgorithm

    /// Takes over secret bytes.
    ///
    /// - Parameters:
    ///   - passphrase: the passphrase.
    ///   - derivation: for new slots only.
    public init(_ passphrase: consuming SecretBytes, derivation: PasswordAlgorithm = .forFiles) {
        self.passphrase = SecretKey(passphrase)
        self.derivation = derivation
    }

    /// Uses text as UTF-8. The string itself stays in ordinary memory until its owner drops it.
    ///
    /// - Parameters:
    ///   - passphrase: the passphrase.
    ///   - derivation: for new slots only.
    public init(_ passphrase: String, derivation: PasswordAlgorithm = .forFiles) {
        self.init(SecretBytes(copying: passphrase.utf8), derivation: derivation)
    }

    /// Copies any bytes. Wipe or drop the source yourself.
    ///
    /// - Parameters:
    ///   - bytes: the passphrase.
    ///   - derivation: for new slots only.
    public init(bytes: some Collection<UInt8>, derivation: PasswordAlgorithm = .forFiles) {
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
        // Salt and cost; nil beyond the format's limits.
        guard let parameters = SlotParameters(slot.kind, parsing: slot.parameters) else {
            throw .damaged(RecordKind.slot.place, problem: "its parameters are out of range")
        }
        guard let derivation = parameters.passphraseDerivation else { return nil }
        return try key(by: derivation.algorithm, salt: derivation.salt)
    }

    /// A slot with a new salt.
    ///
    /// - Throws: `invalidValue` unless the passphrase has 1 to 1,024 octets, `invalidParameter` for
    ///   a cost outside the limits, `unsupported` if the loaded libcrypto lacks the derivation.
    public func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        let salt = try StoreError.translatingErrors { () throws(CryptographyError) in
            try SecureRandom.bytes(count: SlotParameters.saltByteCount)
        }
        guard let parameters = SlotParameters(derivation, salt: salt) else {
            throw StoreError(
                .invalidParameter,
                "The cost of the passphrase's derivation is outside the vault format's limits: scrypt 2^10 to 2^20 with r = 8 and p = 1, Argon2id 19,456 to 1,048,576 KiB, 1 to 16 passes and 1 to 4 lanes, PBKDF2 100,000 to 10,000,000 iterations."
            )
        }
        let key = try key(by: derivation, salt: salt)
        return NewKeySlot(
            kind: parameters.kind, parameters: parameters.bytes, keyEncryptionKey: key)
    }

    /// The type and "redacted".
    public var description: String { "PassphraseUnlock(redacted)" }

    /// The type and "redacted".
    public var debugDescription: String { description }

    /// No children, so `dump` prints nothing of the passphrase.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    private func key(by algorithm: PasswordAlgorithm, salt: [UInt8]) throws(StoreError) -> SecretKey
    {
        guard Self.byteCounts.contains(passphrase.byteCount) else {
            throw StoreError(
                .invalidValue,
                "A passphrase has \(Self.byteCounts.lowerBound) to \(Self.byteCounts.upperBound) bytes."
            )
        }
        do {
            return try KeyDerivation.key(
                from: SecretBytes(storage: passphrase.storage), by: algorithm, salt: salt,
                byteCount: VaultFormat.keyByteCount, memoryLimit: Self.memoryLimit)
        } catch {
            guard error.code == .unsupported else { throw .library(error) }
            throw .unsupportedDerivation(algorithm, underlying: error)
        }
    }
}

extension StoreError {
    /// The loaded libcrypto lacks the algorithm of a passphrase's slot.
    static func unsupportedDerivation(
        _ algorithm: PasswordAlgorithm, underlying: CryptographyError? = nil
    ) -> StoreError {
        StoreError(
            .unsupported, underlying: underlying,
            "The passphrase's key slot needs \(shown: algorithm.name), which the loaded libcrypto (\(shown: CryptoProvider.libraryVersion), provider \(shown: CryptoProvider.providerName)) does not offer: open the vault by another slot, or on a machine that has it (scrypt: outside a FIPS provider; Argon2id: OpenSSL 3.2 or newer), and add a slot there."
        )
    }
}
