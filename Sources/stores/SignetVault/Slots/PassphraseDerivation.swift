// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// How a new key slot derives a key from a passphrase. Existing slots state their own derivation.
///
/// The limits of the vault format apply, and are checked when a slot is made. They keep a file from
/// requesting a derivation that takes hours or all memory; the lower limits are not a
/// recommendation.
public struct PassphraseDerivation: Hashable, Sendable {
    /// The costs, without a salt; nil for ``automatic``.
    private let costs: SlotParameters?

    /// Argon2id if the loaded libcrypto has it (OpenSSL 3.2), otherwise scrypt; PBKDF2 only in a
    /// FIPS process, which has neither.
    ///
    /// A vault with an Argon2id slot does not open with that passphrase on a machine whose
    /// libcrypto lacks it: choose ``scrypt(logCost:)`` for a vault that moves between machines.
    public static let automatic = PassphraseDerivation(costs: nil)

    /// scrypt with N = 2^`logCost`, r = 8, p = 1: 10 to 20; 17 (128 MiB) is OWASP's minimum.
    public static func scrypt(logCost: Int = 17) -> PassphraseDerivation {
        PassphraseDerivation(costs: .scrypt(salt: [], logCost: UInt8(clamping: logCost)))
    }

    /// Argon2id: 19,456 to 1,048,576 KiB, 1 to 16 passes, 1 to 4 lanes; the defaults are RFC 9106's
    /// second recommendation.
    public static func argon2id(memoryKiB: Int = 65_536, passes: Int = 3, lanes: Int = 4)
        -> PassphraseDerivation
    {
        PassphraseDerivation(
            costs: .argon2id(
                salt: [], memoryKiB: UInt32(clamping: memoryKiB), passes: UInt32(clamping: passes),
                lanes: UInt32(clamping: lanes)))
    }

    /// PBKDF2 with HMAC-SHA-256: 100,000 to 10,000,000 iterations; OWASP recommends 600,000. PBKDF2
    /// uses no memory, which makes guessing cheap: use it only if nothing else is allowed. Outside
    /// a FIPS process it must be chosen explicitly.
    public static func pbkdf2(iterations: Int = 600_000) -> PassphraseDerivation {
        PassphraseDerivation(costs: .pbkdf2(salt: [], iterations: UInt32(clamping: iterations)))
    }

    /// The parameters of a new slot, with a new salt.
    func parameters() throws(StoreError) -> SlotParameters {
        let salt = try StoreError.translatingErrors { () throws(CryptographyError) in
            try SecureRandom.bytes(count: SlotParameters.saltByteCount)
        }
        // A value that did not fit its integer was clamped, which exceeds the limits.
        guard let parameters = resolved?.salted(salt),
            SlotParameters(parameters.kind, parsing: parameters.bytes) != nil
        else {
            throw StoreError(
                .invalidParameter,
                "The cost of the passphrase's derivation is outside the vault format's limits: scrypt 2^10 to 2^20, Argon2id 19,456 to 1,048,576 KiB, 1 to 16 passes and 1 to 4 lanes, PBKDF2 100,000 to 10,000,000 iterations."
            )
        }
        return parameters
    }

    private var resolved: SlotParameters? {
        costs
            ?? Self.automatic(
                isFIPS: CryptoProvider.isFIPS, hasArgon2id: KeyDerivation.isArgon2idAvailable
            )
            .costs
    }

    /// The meaning of ``automatic`` in a process.
    package static func automatic(isFIPS: Bool, hasArgon2id: Bool) -> PassphraseDerivation {
        if isFIPS { return .pbkdf2() }
        return hasArgon2id ? .argon2id() : .scrypt()
    }
}
