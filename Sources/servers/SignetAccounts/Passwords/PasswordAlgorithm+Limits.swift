// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

// The limits of a stored hash: Signet uses at most 256 MiB for a hash, and about 4 times the work of
// the defaults. A stored text that needs more is rejected.
extension PasswordAlgorithm {
    /// The largest r·N, of 128 bytes each: 256 MiB.
    private static let maximumScryptBlockCount = 1 << 21
    /// The largest r·N·p: 4 times that of the defaults.
    private static let maximumScryptWork = 1 << 22
    /// 256 MiB.
    private static let maximumMemoryKiB = 262_144
    /// The most KiB that all passes of Argon2id fill together: four times 256 MiB.
    private static let maximumArgon2Work = 1 << 20
    /// Four times the default.
    private static let maximumIterationCount = 2_400_000

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
        case .pbkdf2(let iterations):
            (1000...Self.maximumIterationCount).contains(iterations)
        }
    }

    /// Whether a hash with these parameters is to be made again for a hasher's algorithm, the
    /// target.
    ///
    /// Only towards the target. scrypt does not replace Argon2id, which is as strong: while servers
    /// change from scrypt to Argon2id one by one, no hash goes back and forth. PBKDF2 replaces both,
    /// since whoever chooses it has servers that can read no other.
    package func isOutdated(for target: PasswordAlgorithm) -> Bool {
        switch (self, target) {
        case (.argon2id, .scrypt): false
        case (.scrypt, .scrypt), (.argon2id, .argon2id), (.pbkdf2, .pbkdf2):
            memory < target.memory || work < target.work
        default: true
        }
    }

    /// scrypt's blocks of 128 bytes, or Argon2id's KiB; PBKDF2 takes none.
    private var memory: Int {
        switch self {
        case .scrypt(let logCost, let blockSize, _): blockSize << logCost
        case .argon2id(let memoryKiB, _, _): memoryKiB
        case .pbkdf2: 0
        }
    }

    /// How much memory is filled in all, in the units of ``memory``; PBKDF2's iterations.
    private var work: Int {
        switch self {
        case .scrypt(_, _, let parallelism): memory * parallelism
        case .argon2id(_, let passes, _): memory * passes
        case .pbkdf2(let iterations): iterations
        }
    }
}
