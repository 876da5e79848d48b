// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// How passwords are hashed, and at what cost. The defaults are OWASP's minima of 2024.
///
/// Signet uses at most 256 MiB for a hash, and about 4 times the work of scrypt's defaults. A
/// stored text that needs more is rejected.
public enum PasswordAlgorithm: Sendable, Equatable {
    /// scrypt (RFC 7914) with N = 2^`logCost`, r and p. It takes 128·r·N bytes: 128 MiB by default.
    case scrypt(logCost: Int = 17, blockSize: Int = 8, parallelism: Int = 1)
    /// Argon2id (RFC 9106), if the loaded libcrypto has it: OpenSSL 3.2 or newer.
    case argon2id(memoryKiB: Int = 19_456, passes: Int = 2, lanes: Int = 1)

    /// Whether the loaded libcrypto can compute it.
    public var isAvailable: Bool {
        switch self {
        case .scrypt: true
        case .argon2id: KeyDerivation.isArgon2idAvailable
        }
    }

    /// The largest r·N, of 128 bytes each: 256 MiB.
    private static let maximumScryptBlockCount = 1 << 21
    /// The largest r·N·p: 4 times that of the defaults.
    private static let maximumScryptWork = 1 << 22
    /// 256 MiB.
    private static let maximumMemoryKiB = 262_144
    /// The most KiB that all passes of Argon2id fill together: four times 256 MiB.
    private static let maximumArgon2Work = 1 << 20

    /// Whether the cost is within the limits for a stored hash. The factors are limited before they
    /// are multiplied.
    var isAllowed: Bool {
        switch self {
        case .scrypt(let logCost, let blockSize, let parallelism):
            // With r = 1, N is below 2^16 (RFC 7914, section 2).
            (1...21).contains(logCost) && (1...32).contains(blockSize)
                && (1...16).contains(parallelism) && (blockSize > 1 || logCost < 16)
                && memory <= Self.maximumScryptBlockCount && work <= Self.maximumScryptWork
        case .argon2id(let memoryKiB, let passes, let lanes):
            (1...16).contains(lanes) && (1...16).contains(passes)
                && (8 * lanes...Self.maximumMemoryKiB).contains(memoryKiB)
                && work <= Self.maximumArgon2Work
        }
    }

    /// Whether a hash with these parameters is weaker than a hash with the other parameters.
    func isWeaker(than other: PasswordAlgorithm) -> Bool {
        switch (self, other) {
        case (.scrypt, .argon2id): true
        case (.argon2id, .scrypt): false
        default: memory < other.memory || work < other.work
        }
    }

    /// scrypt's blocks of 128 bytes, or Argon2id's KiB.
    private var memory: Int {
        switch self {
        case .scrypt(let logCost, let blockSize, _): blockSize << logCost
        case .argon2id(let memoryKiB, _, _): memoryKiB
        }
    }

    /// How much memory is filled in all, in the units of ``memory``.
    private var work: Int {
        switch self {
        case .scrypt(_, _, let parallelism): memory * parallelism
        case .argon2id(_, let passes, _): memory * passes
        }
    }

    /// Derives a key. The parameters must be allowed (``isAllowed``).
    func derive(_ password: Password, salt: [UInt8], byteCount: Int) throws(CryptographyError)
        -> SecretKey
    {
        let password = password.secret
        switch self {
        case .scrypt(let logCost, let blockSize, let parallelism):
            // The limit is above what any allowed cost takes: 512 MiB.
            return try KeyDerivation.scrypt(
                password: password, salt: salt, cost: 1 << logCost, blockSize: blockSize,
                parallelism: parallelism, byteCount: byteCount, memoryLimit: 1 << 29)
        case .argon2id(let memoryKiB, let passes, let lanes):
            return try KeyDerivation.argon2id(
                password: password, salt: salt, memoryKiB: memoryKiB, passes: passes,
                lanes: lanes, byteCount: byteCount)
        }
    }
}
