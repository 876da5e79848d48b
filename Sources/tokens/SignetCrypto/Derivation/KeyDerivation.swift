// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

/// Keys derived from keys (HKDF) and from passphrases (Argon2id, scrypt, PBKDF2). HKDF makes any
/// number of independent keys from a strong key, one for each `info`. The functions for passphrases
/// take long on purpose, so that guessing does, and a *salt*: random bytes that are stored beside
/// the result, so that equal passphrases give different keys.
///
/// ```swift
/// let master = try SecretKey.generate()
/// let forCookies = try KeyDerivation.hkdf(
///     master, info: "example.org cookies 1".utf8, byteCount: 32)
/// ```
public enum KeyDerivation {
    /// HKDF, extract and expand (RFC 5869). For strong input only, never for a passphrase.
    ///
    /// - Parameters:
    ///   - input: key material that is already strong.
    ///   - salt: may be empty, which means as many zero bytes as the hash has.
    ///   - info: names the use, so that each use gets its own key; may be empty.
    ///   - byteCount: 1 to 255 times the hash's length.
    ///   - hash: the hash under the HMAC.
    /// - Throws: `invalidParameter` for a `byteCount` out of range.
    public static func hkdf(
        _ input: SecretKey, salt: some Collection<UInt8> = [], info: some Collection<UInt8>,
        byteCount: Int, hash: HashAlgorithm = .sha256
    ) throws(CryptographyError) -> SecretKey {
        try hkdfExpand(
            hkdfExtract(input, salt: salt, hash: hash), info: info, byteCount: byteCount, hash: hash
        )
    }

    /// The extract step of HKDF (RFC 5869, section 2.2): a pseudorandom key as long as the hash,
    /// which is the HMAC of `input` under the salt.
    public static func hkdfExtract(
        _ input: SecretKey, salt: some Collection<UInt8> = [], hash: HashAlgorithm = .sha256
    ) throws(CryptographyError) -> SecretKey {
        // `refused:` is what it means if libcrypto refuses: with any input here, its own failure.
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            // RFC 5869, section 2.2: no salt means zeros. A FIPS provider may refuse an empty key.
            let zeros = [UInt8](repeating: 0, count: hash.byteCount)
            let state = try withSpan(of: salt) { (salt) throws(OpenSSLFailure) in
                try MACState(key: salt.isEmpty ? zeros.span : salt, algorithm: hash.bridged)
            }
            return SecretKey(
                storage: try input.storage.withBytes { (bytes) throws(OpenSSLFailure) in
                    try state.code(for: bytes)
                })
        }
    }

    /// The expand step of HKDF (RFC 5869, section 2.3).
    ///
    /// - Parameters:
    ///   - key: a pseudorandom key, at least as long as the hash.
    ///   - info: names the use, so that each use gets its own key; may be empty.
    ///   - byteCount: 1 to 255 times the hash's length.
    ///   - hash: the hash under the HMAC.
    /// - Throws: `invalidParameter` for a `byteCount` out of range, `invalidKeySize` for a shorter
    ///   key.
    public static func hkdfExpand(
        _ key: SecretKey, info: some Collection<UInt8>, byteCount: Int,
        hash: HashAlgorithm = .sha256
    ) throws(CryptographyError) -> SecretKey {
        let maximum = 255 * hash.byteCount
        guard byteCount >= 1, byteCount <= maximum else {
            throw CryptographyError(
                .invalidParameter,
                "HKDF with \(shown: hash.rawValue) gives 1 to \(maximum) bytes, not \(byteCount).")
        }
        guard key.byteCount >= hash.byteCount else {
            throw CryptographyError(
                .invalidKeySize, "HKDF-Expand takes a key of at least \(hash.byteCount) bytes.")
        }
        let infoBytes = Array(info)
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try expand(key, info: infoBytes, byteCount: byteCount, hash: hash)
        }
    }

    /// T(1) ‖ T(2) ‖ …, cut to `byteCount`: T(i) is the HMAC of T(i - 1) ‖ info ‖ i, and T(0) is
    /// empty.
    private static func expand(
        _ key: SecretKey, info: [UInt8], byteCount: Int, hash: HashAlgorithm
    ) throws(OpenSSLFailure) -> SecretKey {
        let state = try key.storage.withBytes { (bytes) throws(OpenSSLFailure) in
            try MACState(key: bytes, algorithm: hash.bridged)
        }
        // Both arrays are allocated at full length: a growing array would leave an unwiped copy of
        // the secret.
        var output = [UInt8]()
        output.reserveCapacity(byteCount + hash.byteCount)
        // Holds T(i - 1), info and i.
        var block = [UInt8]()
        block.reserveCapacity(hash.byteCount + info.count + 1)
        defer {
            cleanse(&output)
            cleanse(&block)
        }
        var counter: UInt8 = 1
        while output.count < byteCount {
            block.append(contentsOf: info)
            block.append(counter)
            let next = try state.code(for: block.span)
            cleanse(&block)
            block.removeAll(keepingCapacity: true)
            next.withBytes { bytes in
                bytes.append(to: &output)
                bytes.append(to: &block)
            }
            // At most 255 blocks are wanted: it wraps after the last only.
            counter &+= 1
        }
        return SecretKey(storage: SecretStorage(copying: output.span.extracting(0..<byteCount)))
    }

    /// PBKDF2 with HMAC-SHA-2 (RFC 8018, section 5.2). Prefer
    /// ``scrypt(password:salt:cost:blockSize:parallelism:byteCount:memoryLimit:)``, which costs an
    /// attacker memory as well.
    ///
    /// - Parameters:
    ///   - password: the passphrase. It is not wiped here: its owner wipes it.
    ///   - salt: random bytes, stored with the hash; a new salt for each passphrase.
    ///   - iterations: 1 to 100,000,000. OWASP recommends at least 600,000 with SHA-256. This
    ///     function does not enforce it.
    ///   - byteCount: 1 to 1,024.
    ///   - hash: the hash under the HMAC.
    /// - Throws: `invalidParameter` for a parameter out of range, before anything is computed.
    public static func pbkdf2(
        password: borrowing SecretBytes, salt: some Collection<UInt8>, iterations: Int,
        byteCount: Int, hash: HashAlgorithm = .sha256
    ) throws(CryptographyError) -> SecretKey {
        // A sentence about the first number out of its range.
        if let fault = ParameterRange.fault(
            .init("iterations", value: iterations, in: 1...100_000_000),
            .init("byteCount", value: byteCount, in: 1...1024))
        {
            throw CryptographyError(.invalidParameter, fault)
        }
        return try stretched(password, salt: salt) { (password, salt) throws(OpenSSLFailure) in
            try PasswordKDF.pbkdf2(
                password: password, salt: salt, iterations: iterations, byteCount: byteCount,
                algorithm: hash.bridged)
        }
    }

    /// Whether the loaded libcrypto has scrypt: outside a FIPS provider.
    package static var isScryptAvailable: Bool { PasswordKDF.isScryptAvailable }

    /// scrypt (RFC 7914).
    ///
    /// - Parameters:
    ///   - password: the passphrase. It is not wiped here: its owner wipes it.
    ///   - salt: random bytes, stored with the hash; a new salt for each passphrase.
    ///   - cost: N, a power of two from 2 to 2^24, below 2^16 with r = 1; 2^17 is OWASP's minimum
    ///     with r = 8, p = 1.
    ///   - blockSize: r, 1 to 64.
    ///   - parallelism: p, 1 to 64.
    ///   - byteCount: 1 to 1,024.
    ///   - memoryLimit: bytes; 256 MiB by default. 128·r·(N + p + 2) bytes are needed.
    /// - Throws: `invalidParameter` for a parameter out of range or memory over the limit, before
    ///   anything is computed; `unsupported` if the loaded libcrypto lacks scrypt.
    public static func scrypt(
        password: borrowing SecretBytes, salt: some Collection<UInt8>, cost: Int = 1 << 17,
        blockSize: Int = 8, parallelism: Int = 1, byteCount: Int = 32, memoryLimit: Int = 1 << 28
    ) throws(CryptographyError) -> SecretKey {
        if let fault = ParameterRange.fault(
            .init("cost", value: cost, in: 2...1 << 24),
            .init("blockSize", value: blockSize, in: 1...64),
            .init("parallelism", value: parallelism, in: 1...64),
            .init("byteCount", value: byteCount, in: 1...1024))
        {
            throw CryptographyError(.invalidParameter, fault)
        }
        try checkScrypt(cost: cost, blockSize: blockSize)
        // At most 2^24 · 64 · 128 + …, far inside Int. libcrypto counts B, V and two blocks for X
        // and T.
        let needed = 128 * blockSize * (cost + 2 + parallelism)
        guard needed <= memoryLimit else {
            throw CryptographyError(
                .invalidParameter,
                "scrypt with these parameters needs \(needed) bytes, over the limit of \(memoryLimit)."
            )
        }
        return try stretched(password, salt: salt) { (password, salt) throws(OpenSSLFailure) in
            try PasswordKDF.scrypt(
                password: password, salt: salt, cost: UInt64(cost), blockSize: UInt32(blockSize),
                parallelism: UInt32(parallelism), memoryLimit: UInt64(needed), byteCount: byteCount)
        }
    }

    /// What scrypt demands of the cost, within its range.
    private static func checkScrypt(cost: Int, blockSize: Int) throws(CryptographyError) {
        // A power of two has a single bit, which subtracting 1 clears.
        guard cost & (cost - 1) == 0 else {
            throw CryptographyError(
                .invalidParameter, "cost (scrypt's N) is a power of two, which \(cost) is not.")
        }
        // RFC 7914, section 6: N < 2^(128·r/8). Among the costs above, only r = 1 can violate it.
        guard blockSize > 1 || cost < 1 << 16 else {
            throw CryptographyError(.invalidParameter, "scrypt with r = 1 takes N below 2^16.")
        }
    }

    /// The key that `derive`, a function of libcrypto, makes of the bytes of a password and of a
    /// salt.
    static func stretched(
        _ password: borrowing SecretBytes, salt: some Collection<UInt8>,
        _ derive: (Span<UInt8>, Span<UInt8>) throws(OpenSSLFailure) -> SecretStorage
    ) throws(CryptographyError) -> SecretKey {
        let storage = password.storage
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try withSpan(of: salt) { (salt) throws(OpenSSLFailure) in
                SecretKey(
                    storage: try storage.withBytes { (password) throws(OpenSSLFailure) in
                        try derive(password, salt)
                    })
            }
        }
    }
}
