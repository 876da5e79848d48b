// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How a key is derived from a password, and at what cost: for the key slots of a vault, for sealed
/// files, and for the stored hashes of SignetAccounts.
///
/// A cost is checked where it is used: ``KeyDerivation`` has limits, and each format has stricter
/// ones.
public enum PasswordAlgorithm: Sendable, Hashable {
    /// scrypt (RFC 7914) with N = 2^`logCost`, r and p. It takes 128·r·N bytes: 128 MiB by default,
    /// which is OWASP's minimum. A FIPS provider lacks it.
    case scrypt(logCost: Int = 17, blockSize: Int = 8, parallelism: Int = 1)
    /// Argon2id (RFC 9106, by default at its second recommended cost), from OpenSSL 3.2 on. A FIPS
    /// provider lacks it. Choose it only if every machine that reads the result has it.
    case argon2id(memoryKiB: Int = 65_536, passes: Int = 3, lanes: Int = 4)
    /// PBKDF2 with HMAC-SHA-256, by default with the number of iterations that OWASP recommends. It
    /// takes no memory, which makes guessing cheap: choose it only where a FIPS provider leaves no
    /// other.
    case pbkdf2(iterations: Int = 600_000)

    /// What a file takes that states its own derivation: scrypt, which every libcrypto reads that
    /// Signet supports; PBKDF2 only where the loaded libcrypto has no scrypt.
    public static var forFiles: PasswordAlgorithm {
        forFiles(hasScrypt: KeyDerivation.isScryptAvailable)
    }

    /// The meaning of ``forFiles`` with a libcrypto.
    package static func forFiles(hasScrypt: Bool) -> PasswordAlgorithm {
        hasScrypt ? .scrypt() : .pbkdf2()
    }

    /// Whether the loaded libcrypto can compute it.
    public var isAvailable: Bool {
        switch self {
        case .scrypt: KeyDerivation.isScryptAvailable
        case .argon2id: KeyDerivation.isArgon2idAvailable
        case .pbkdf2: true
        }
    }

    /// The algorithm's name for people, without its cost.
    public var name: String {
        switch self {
        case .scrypt: "scrypt"
        case .argon2id: "Argon2id"
        case .pbkdf2: "PBKDF2"
        }
    }
}

extension KeyDerivation {
    /// A key from a password by any algorithm for passwords.
    ///
    /// - Parameters:
    ///   - password: the password. It is not wiped here: its owner wipes it.
    ///   - algorithm: the algorithm and its cost.
    ///   - salt: random bytes, 8 or more, stored with the result; a new salt for each password.
    ///   - byteCount: 4 to 1,024.
    ///   - memoryLimit: scrypt's limit in bytes; 256 MiB by default.
    /// - Throws: `invalidParameter` for a cost out of range, before anything is computed;
    ///   `unsupported` if the loaded libcrypto lacks the algorithm; `libraryFailure`.
    public static func key(
        from password: borrowing SecretBytes, by algorithm: PasswordAlgorithm,
        salt: some Collection<UInt8>, byteCount: Int = 32, memoryLimit: Int = 1 << 28
    ) throws(CryptographyError) -> SecretKey {
        switch algorithm {
        case .scrypt(let logCost, let blockSize, let parallelism):
            // A shift by a number out of range gives 0 or a negative number, which is refused.
            try scrypt(
                password: password, salt: salt, cost: 1 << logCost, blockSize: blockSize,
                parallelism: parallelism, byteCount: byteCount, memoryLimit: memoryLimit)
        case .argon2id(let memoryKiB, let passes, let lanes):
            try argon2id(
                password: password, salt: salt, memoryKiB: memoryKiB, passes: passes, lanes: lanes,
                byteCount: byteCount)
        case .pbkdf2(let iterations):
            try pbkdf2(
                password: password, salt: salt, iterations: iterations, byteCount: byteCount)
        }
    }
}
