// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
public import SignetCrypto

/// Hashes and checks passwords, as many at once as there are processors.
///
/// ```swift
/// let hasher = try PasswordHasher()
/// let stored = try await hasher.hash(Password("correct horse battery"))
/// ```
///
/// At a sign-in:
///
/// ```swift
/// let verdict = try await hasher.verify(Password("correct horse battery"), against: known)
/// switch verdict {
/// case .wrong: print("wrong")
/// case .correct(let needsUpgrade): print("right; to be hashed again:", needsUpgrade)
/// }
/// ```
///
/// A derivation takes a fraction of a second and, by default, 128 MiB, so 8 at once take 1 GiB.
/// Make one hasher per process, and count each call against ``RateLimits`` for account and address
/// first. Derivations run on separate threads, never on those of Swift's tasks.
public final class PasswordHasher: Sendable {
    /// The result of a check.
    public enum Verdict: Sendable, Equatable {
        /// The password is wrong, or there is no account: the two are indistinguishable.
        case wrong
        /// The password is right. With `needsUpgrade`, its hash is weaker than this hasher's, or of
        /// an algorithm that this hasher's replaces: hash the password again, and store the result
        /// if the stored text is still the checked text.
        case correct(needsUpgrade: Bool)
    }

    /// How new hashes are made.
    public let algorithm: PasswordAlgorithm
    private let minimumLength: Int
    private let queue: DerivationQueue
    /// Replaces the hash of an account that does not exist.
    private let decoy: PasswordHash

    private static let saltByteCount = 16
    private static let hashByteCount = 32

    /// Makes a hasher. Give the same algorithm to all servers of a database: each must be able to
    /// check the hashes that the others make. scrypt is the default because every libcrypto has it
    /// but a FIPS provider's; nothing is chosen by what this server's libcrypto has.
    ///
    /// - Parameters:
    ///   - algorithm: the algorithm of new hashes.
    ///   - minimumLength: the minimum number of characters of a new password, 1 to 64. NIST SP
    ///     800-63B requires 15 without a second factor, and 8 with a second factor.
    ///   - concurrency: how many derivations run at once, 1 to 1,024; by default the number of
    ///     processors.
    ///   - queueLength: how many more may wait, 0 to 10,000.
    /// - Throws: `invalidParameter` for parameters out of range or an algorithm that the loaded
    ///   libcrypto lacks; `unavailable` without randomness.
    public init(
        _ algorithm: PasswordAlgorithm = .scrypt(), minimumLength: Int = 8,
        concurrency: Int? = nil, queueLength: Int = 64
    ) throws(AccountError) {
        if let fault = ParameterRange("minimumLength", value: minimumLength, in: 1...64).fault {
            throw AccountError(.invalidParameter, fault)
        }
        guard algorithm.isAllowed else {
            throw AccountError(
                .invalidParameter,
                "The parameters for hashing passwords exceed the limits of PasswordAlgorithm.")
        }
        guard algorithm.isAvailable else {
            throw AccountError(
                .invalidParameter,
                "The loaded libcrypto (\(shown: CryptoProvider.libraryVersion), provider \(shown: CryptoProvider.providerName)) has no \(shown: algorithm.name). With a FIPS provider give .pbkdf2() to every server of the database; else .scrypt(), or OpenSSL 3.2 or newer for Argon2id."
            )
        }
        self.algorithm = algorithm
        self.minimumLength = minimumLength
        queue = try DerivationQueue(
            concurrency: concurrency ?? SystemThread.processorCount, length: queueLength)
        decoy = PasswordHash(
            algorithm: algorithm, salt: try .random(count: Self.saltByteCount),
            hash: [UInt8](repeating: 0, count: Self.hashByteCount))
    }

    /// Hashes a new password with a new salt.
    ///
    /// - Throws: `passwordTooShort`; `busy` if the queue is full, with `retryAfter`; `cancelled`;
    ///   `unavailable` without memory, randomness or threads.
    public func hash(_ password: Password) async throws(AccountError) -> PasswordHash {
        guard password.scalarCount >= minimumLength else {
            throw AccountError(
                .passwordTooShort, "Please choose at least \(minimumLength) characters.")
        }
        let salt = try [UInt8].random(count: Self.saltByteCount)
        let key = try await derive(
            password, algorithm: algorithm, salt: salt, byteCount: Self.hashByteCount)
        return PasswordHash(
            algorithm: algorithm, salt: salt,
            hash: key.withExposedBytes { bytes in bytes.indices.map { bytes[$0] } })
    }

    /// Whether a password matches a stored hash, compared in constant time.
    ///
    /// - Parameters:
    ///   - password: what the person typed.
    ///   - stored: nil if there is no account, or an account without a password. Nil costs as much
    ///     as this hasher's own algorithm, and gives ``Verdict/wrong``.
    /// - Throws: `busy` if the queue is full, with `retryAfter`; `cancelled`;
    ///   `unsupportedPasswordHash` for a hash whose algorithm the loaded libcrypto lacks: nothing
    ///   was compared, so give the try back, and let the person sign in with a one-time code and
    ///   set a password; `unavailable`.
    public func verify(
        _ password: Password, against stored: PasswordHash?
    ) async throws(AccountError) -> Verdict {
        let hash = stored ?? decoy
        guard hash.algorithm.isAvailable else {
            throw AccountError(
                .unsupportedPasswordHash,
                "A stored password hash is \(shown: hash.algorithm.name), which the loaded libcrypto lacks. Its owner can sign in with a one-time code and set a password."
            )
        }
        let key = try await derive(
            password, algorithm: hash.algorithm, salt: hash.salt, byteCount: hash.hash.count)
        // The decoy is compared too: no password is known to have its hash.
        let isEqual = key == SecretKey(copying: hash.hash)
        guard isEqual, stored != nil else { return .wrong }
        return .correct(
            needsUpgrade: hash.algorithm.isOutdated(for: algorithm)
                || hash.salt.count < Self.saltByteCount || hash.hash.count < Self.hashByteCount)
    }

    /// The hash of a password by the algorithm, computed in the queue.
    private func derive(
        _ password: Password, algorithm: PasswordAlgorithm, salt: [UInt8], byteCount: Int
    ) async throws(AccountError) -> SecretKey {
        try await queue.run { () throws(AccountError) in
            do throws(CryptographyError) {
                // 512 MiB, above what any allowed cost of scrypt takes.
                let memoryLimit = 1 << 29
                return try KeyDerivation.key(
                    from: password.secret, by: algorithm, salt: salt, byteCount: byteCount,
                    memoryLimit: memoryLimit)
            } catch { throw .crypto(error) }
        }
    }
}

extension AccountError.Code {
    /// A new password has too few characters. The message is for the person.
    public static var passwordTooShort: Self { Self(rawValue: "passwordTooShort") }
}
