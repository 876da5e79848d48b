// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// How a new key slot makes a key of a passphrase. Slots that are there say themselves how theirs was made.
///
/// The limits are the vault format's, and are checked when a slot is made. They keep a file from asking for a derivation that takes
/// hours or all memory; the lower ends are no advice.
public struct PassphraseDerivation: Hashable, Sendable {
    enum Choice: Hashable, Sendable {
        case automatic
        case scrypt(logCost: Int)
        case argon2id(memoryKiB: Int, passes: Int, lanes: Int)
        case pbkdf2(iterations: Int)
    }

    let choice: Choice

    /// Argon2id where the loaded libcrypto has it (OpenSSL 3.2), else scrypt; PBKDF2 in a FIPS
    /// process alone, which has neither.
    ///
    /// A vault with an Argon2id slot does not open with that passphrase on a machine whose libcrypto lacks it: choose
    /// ``scrypt(logCost:)`` for a vault that travels.
    public static let automatic = PassphraseDerivation(choice: .automatic)

    /// scrypt with N = 2^`logCost`, r = 8, p = 1: 10 to 20; 17 (128 MiB) is OWASP's minimum.
    public static func scrypt(logCost: Int = 17) -> PassphraseDerivation {
        PassphraseDerivation(choice: .scrypt(logCost: logCost))
    }

    /// Argon2id: 19 456 to 1 048 576 KiB, 1 to 16 passes, 1 to 4 lanes; the defaults are RFC 9106's second recommendation.
    public static func argon2id(memoryKiB: Int = 65_536, passes: Int = 3, lanes: Int = 4)
        -> PassphraseDerivation
    {
        PassphraseDerivation(choice: .argon2id(memoryKiB: memoryKiB, passes: passes, lanes: lanes))
    }

    /// PBKDF2 with HMAC-SHA-256: 100 000 to 10 000 000 iterations; OWASP asks for 600 000. Takes no
    /// memory, which makes guessing cheap: for where nothing else is allowed. Outside a FIPS
    /// process a new slot has it only when it is named here.
    public static func pbkdf2(iterations: Int = 600_000) -> PassphraseDerivation {
        PassphraseDerivation(choice: .pbkdf2(iterations: iterations))
    }

    /// With a new salt.
    func parameters() throws(StoreError) -> SlotParameters {
        let salt: [UInt8]
        do throws(CryptoError) {
            salt = try SecureRandom.bytes(count: SlotParameters.saltByteCount)
        } catch {
            throw .library(error)
        }
        let parameters: SlotParameters?
        switch resolved {
        case .automatic: parameters = nil
        case .scrypt(let logCost):
            parameters = UInt8(exactly: logCost).map { .scrypt(salt: salt, logCost: $0) }
        case .argon2id(let memory, let passes, let lanes):
            if let memory = UInt32(exactly: memory), let passes = UInt32(exactly: passes),
                let lanes = UInt32(exactly: lanes)
            {
                parameters = .argon2id(salt: salt, memoryKiB: memory, passes: passes, lanes: lanes)
            } else {
                parameters = nil
            }
        case .pbkdf2(let iterations):
            parameters = UInt32(exactly: iterations).map { .pbkdf2(salt: salt, iterations: $0) }
        }
        guard let parameters, SlotParameters(parameters.kind, parameters.bytes) != nil else {
            throw StoreError(
                .invalidParameter,
                "The cost of the passphrase's derivation is outside the vault format's limits: scrypt 2^10 to 2^20, Argon2id 19456 to 1048576 KiB, 1 to 16 passes and 1 to 4 lanes, PBKDF2 100000 to 10000000 iterations."
            )
        }
        return parameters
    }

    private var resolved: Choice {
        guard choice == .automatic else { return choice }
        return Self.automatic(
            isFIPS: CryptoProvider.isFIPS, hasArgon2id: KeyDerivation.isArgon2idAvailable
        )
        .choice
    }

    /// What ``automatic`` is in a process.
    package static func automatic(isFIPS: Bool, hasArgon2id: Bool) -> PassphraseDerivation {
        if isFIPS { return .pbkdf2() }
        return hasArgon2id ? .argon2id() : .scrypt()
    }
}
