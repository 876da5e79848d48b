// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

/// Seals a file's content with a key or a passphrase: the format of `signet seal`, version 1.
/// `seal(plaintext, key: key)` gives the bytes from which `open(sealed, key: key)` gets it back.
///
///     offset  size  field (Documentation/SEALED-FILE.md is normative)
///          0     8  "SIGNETS1"
///          8     1  mode: 1 a key file, 2 a passphrase by scrypt, 3 a passphrase by PBKDF2
///          9     1  cost: mode 1: 0; mode 2: log2 N, 14 to 20, with r = 8 and p = 1;
///                   mode 3: iterations / 100,000, 1 to 100
///         10    16  salt; zeros in mode 1
///         26    32  commitment
///         58    24  nonce
///         82        ciphertext, as long as the plaintext
///     end-16    16  tag
///
/// The root key is the key file's key, or is derived from the passphrase and the salt. From it
/// HKDF-SHA-256 derives the XAES-256-GCM key and the commitment, which shows that the root key is
/// right and is compared before anything is decrypted: with GCM alone, somebody could make a file
/// that opens under two passphrases. Everything before the nonce is authenticated. A file is held
/// in memory as a whole.
package enum SealedFile {
    package enum Mode: UInt8 {
        case key = 1
        case scrypt = 2
        /// Written only where libcrypto has no scrypt.
        case pbkdf2 = 3
    }

    private static let magic = Array("SIGNETS1".utf8)
    /// Checked before scrypt runs: 2^20 takes 1 GiB and several seconds.
    private static let scryptCosts: ClosedRange<UInt8> = 14...20
    /// Of 100,000 iterations each. Checked before PBKDF2 runs: 10,000,000 take several seconds.
    private static let pbkdf2Costs: ClosedRange<UInt8> = 1...100
    private static let iterationsPerCost = 100_000
    /// The cost of a new file: N = 2^17, which takes 128 MiB.
    private static let newScryptCost: UInt8 = 17
    /// The cost of a new file: 600,000 iterations.
    private static let newPBKDF2Cost: UInt8 = 6
    private static let modeOffset = 8
    private static let costOffset = 9
    private static let saltOffset = 10
    private static let saltByteCount = 16
    /// The fields before the commitment: the prefix.
    private static let prefixByteCount = saltOffset + saltByteCount
    private static let commitmentByteCount = 32

    /// How many bytes longer a sealed file is than what was sealed.
    package static let overheadByteCount =
        prefixByteCount + commitmentByteCount + XAES256GCM.nonceByteCount + XAES256GCM.tagByteCount

    // MARK: Sealing

    /// Seals with a key file's key, 32 bytes.
    package static func seal(
        _ plaintext: [UInt8], key: SecretKey
    ) throws(CryptographyError) -> [UInt8] {
        try seal(plaintext, root: key, prefix: keyFilePrefix)
    }

    /// Seals with a passphrase, by scrypt if libcrypto has it.
    package static func seal(
        _ plaintext: [UInt8], passphrase: borrowing SecretBytes
    ) throws(SealedFileError) -> [UInt8] {
        let hasScrypt = KeyDerivation.isScryptAvailable
        let mode: Mode = hasScrypt ? .scrypt : .pbkdf2
        let cost = hasScrypt ? newScryptCost : newPBKDF2Cost
        let algorithm = try passwordAlgorithm(of: mode, cost: cost)
        return try translatingErrors { () throws(CryptographyError) in
            let salt = try SecureRandom.bytes(count: saltByteCount)
            return try seal(
                plaintext, root: rootKey(passphrase, salt: salt, by: algorithm),
                prefix: magic + [mode.rawValue, cost] + salt)
        }
    }

    /// The last step of sealing, for every mode. Also makes what a test needs: a file whose
    /// commitment and tag are right for its key, whatever the prefix says.
    package static func seal(
        _ plaintext: [UInt8], root: SecretKey, prefix: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        let header = prefix + (try commitment(root))
        let sealed = try XAES256GCM.seal(plaintext, using: sealingKey(root), authenticating: header)
        return header + sealed
    }

    /// The prefix in mode 1.
    private static var keyFilePrefix: [UInt8] {
        // Cost and salt are zero.
        magic + [Mode.key.rawValue, 0] + [UInt8](repeating: 0, count: saltByteCount)
    }

    // MARK: Opening

    /// Which kind of key a sealed file needs.
    package static func mode(of sealed: [UInt8]) throws(SealedFileError) -> Mode {
        guard sealed.count >= overheadByteCount, sealed.starts(with: magic),
            let mode = Mode(rawValue: sealed[modeOffset])
        else { throw .notSealed }
        return mode
    }

    /// Opens a file of mode 1.
    package static func open(
        _ sealed: [UInt8], key: SecretKey
    ) throws(SealedFileError) -> [UInt8] {
        guard try mode(of: sealed) == .key, sealed.starts(with: keyFilePrefix) else {
            throw .cryptography(notAuthentic)
        }
        return try translatingErrors { () throws(CryptographyError) in
            try checkAndDecrypt(sealed, root: key)
        }
    }

    /// Opens a file of mode 2 or 3.
    package static func open(
        _ sealed: [UInt8], passphrase: borrowing SecretBytes
    ) throws(SealedFileError) -> [UInt8] {
        let algorithm = try passphraseAlgorithm(of: sealed)
        let salt = Array(sealed[saltOffset..<prefixByteCount])
        return try translatingErrors { () throws(CryptographyError) in
            try checkAndDecrypt(sealed, root: rootKey(passphrase, salt: salt, by: algorithm))
        }
    }

    /// How a file's key is derived from its passphrase.
    ///
    /// Ask this before the user is asked for the passphrase: it refuses a file that would make this
    /// machine work for hours, and one whose derivation this libcrypto lacks.
    @discardableResult
    package static func passphraseAlgorithm(
        of sealed: [UInt8]
    ) throws(SealedFileError) -> PasswordAlgorithm {
        let algorithm = try passwordAlgorithm(of: mode(of: sealed), cost: sealed[costOffset])
        guard algorithm.isAvailable else { throw .unavailable(algorithm) }
        return algorithm
    }

    /// Checks the cost, and gives the derivation that mode and cost mean.
    private static func passwordAlgorithm(
        of mode: Mode, cost: UInt8
    ) throws(SealedFileError) -> PasswordAlgorithm {
        switch mode {
        // A passphrase does not open a file that was sealed with a key.
        case .key: throw .cryptography(notAuthentic)
        case .scrypt:
            guard scryptCosts.contains(cost) else { throw .scryptCost(Int(cost)) }
            return .scrypt(logCost: Int(cost))
        case .pbkdf2:
            let iterations = Int(cost) * iterationsPerCost
            guard pbkdf2Costs.contains(cost) else { throw .iterationCount(iterations) }
            return .pbkdf2(iterations: iterations)
        }
    }

    /// The last step of opening, for every mode: compares the commitment, then decrypts.
    private static func checkAndDecrypt(
        _ sealed: [UInt8], root: SecretKey
    ) throws(CryptographyError) -> [UInt8] {
        let headerEnd = prefixByteCount + commitmentByteCount
        guard ConstantTime.areEqual(sealed[prefixByteCount..<headerEnd], try commitment(root))
        else { throw notAuthentic }
        return try XAES256GCM.open(
            sealed[headerEnd...], using: sealingKey(root), authenticating: sealed[..<headerEnd])
    }

    // MARK: Keys and errors

    private static var notAuthentic: CryptographyError {
        CryptographyError(
            .authenticationFailure,
            "The file could not be opened: it was changed, or the key or passphrase is wrong."
        )
    }

    private static func translatingErrors<Value>(
        _ body: () throws(CryptographyError) -> Value
    ) throws(SealedFileError) -> Value {
        do { return try body() } catch { throw .cryptography(error) }
    }

    private static func rootKey(
        _ passphrase: borrowing SecretBytes, salt: [UInt8], by algorithm: PasswordAlgorithm
    ) throws(CryptographyError) -> SecretKey {
        // scrypt at the greatest cost takes 1 GiB and a little more.
        try KeyDerivation.key(
            from: passphrase, by: algorithm, salt: salt, memoryLimit: (1 << 30) + (1 << 20))
    }

    private static func sealingKey(_ root: SecretKey) throws(CryptographyError) -> SecretKey {
        try KeyDerivation.hkdf(root, info: "signet sealed file 1: key".utf8, byteCount: 32)
    }

    private static func commitment(_ root: SecretKey) throws(CryptographyError) -> [UInt8] {
        let key = try KeyDerivation.hkdf(
            root, info: "signet sealed file 1: commitment".utf8, byteCount: 32)
        return key.withExposedBytes { span in span.indices.map { span[$0] } }
    }
}
