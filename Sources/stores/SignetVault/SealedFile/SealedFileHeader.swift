// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

/// The header of a sealed file: all that has to be known before a key is asked for, and the
/// commitment to that key.
///
///     offset  size  field (Documentation/SEALED-FILE.md is normative)
///          0     8  "SIGNETS1" or "SIGNETS2"
///          8     1  mode: 1 a key file, 2 a passphrase by scrypt, 3 a passphrase by PBKDF2
///          9     1  cost: mode 1: 0; mode 2: log2 N, 14 to 20, with r = 8 and p = 1;
///                   mode 3: iterations / 100,000, 1 to 100
///         10    16  salt; zeros in mode 1
///         26    32  commitment
///         58    19  version 2 alone: the prefix of the nonces
///
/// The root key is the key file's key, or is derived from the passphrase and the salt. From it
/// HKDF-SHA-256 derives the XAES-256-GCM key and the commitment, which shows that the root key is
/// right and is compared before anything is decrypted: with GCM alone, somebody could make a file
/// that opens under two passphrases. The whole header is authenticated.
package struct SealedFileHeader: Sendable {
    package enum Version: Sendable {
        /// The content is one message.
        case one
        /// The content is in chunks.
        case two
    }

    package enum Mode: UInt8, Sendable {
        case key = 1
        case scrypt = 2
        /// Written only where libcrypto has no scrypt.
        case pbkdf2 = 3
    }

    /// Checked before scrypt runs: 2^20 takes 1 GiB and several seconds.
    private static let scryptCosts: ClosedRange<UInt8> = 14...20
    /// Of 100,000 iterations each. Checked before PBKDF2 runs: 10,000,000 take several seconds.
    private static let pbkdf2Costs: ClosedRange<UInt8> = 1...100
    private static let iterationsPerCost = 100_000
    static let magicByteCount = 8
    private static let modeOffset = 8
    private static let costOffset = 9
    private static let saltOffset = 10
    static let saltByteCount = 16
    private static let commitmentOffset = saltOffset + saltByteCount
    private static let noncePrefixOffset = commitmentOffset + 32

    package let version: Version
    package let mode: Mode
    /// The whole header.
    let bytes: [UInt8]
    /// What was read after the header, in version 1: the octets that every message has.
    private(set) var messageBeginning: [UInt8] = []

    /// Reads a header. Nothing is checked but its length, the magic and the mode.
    package init(_ bytes: [UInt8]) throws(SealedFileError) {
        guard let version = Version(magic: bytes), bytes.count == version.headerByteCount,
            let mode = Mode(rawValue: bytes[Self.modeOffset])
        else { throw .notSealed }
        self.version = version
        self.mode = mode
        self.bytes = bytes
    }

    /// Reads a header from the beginning of a file, and refuses one that ends too early for its
    /// version: no key is asked for in vain.
    package init(reading read: SealedFileReading) throws(SealedFileError) {
        let magic = try SealedFilePieces.octets(Self.magicByteCount, reading: read)
        guard let version = Version(magic: magic) else { throw .notSealed }
        let rest = try SealedFilePieces.octets(
            version.headerByteCount - Self.magicByteCount, reading: read)
        try self.init(magic + rest)
        if version == .one {
            messageBeginning = try SealedFilePieces.octets(
                SealedFile.messageOverheadByteCount, reading: read)
        }
    }

    /// The prefix of the nonces, in version 2.
    var noncePrefix: [UInt8] { Array(bytes[Self.noncePrefixOffset...]) }

    // MARK: Keys

    /// The key of a file of mode 1. Compares the commitment.
    package func key(from key: SecretKey) throws(SealedFileError) -> SealedFileKey {
        // Cost and salt are zero.
        guard mode == .key, bytes[Self.costOffset..<Self.commitmentOffset].allSatisfy({ $0 == 0 })
        else { throw .notAuthentic }
        return try self.key(root: key)
    }

    /// The key of a file of mode 2 or 3. Checks the cost, then derives, then compares the
    /// commitment.
    package func key(
        fromPassphrase passphrase: borrowing SecretBytes
    ) throws(SealedFileError) -> SealedFileKey {
        let algorithm = try passphraseAlgorithm()
        let salt = Array(bytes[Self.saltOffset..<Self.commitmentOffset])
        return try key(root: Self.rootKey(passphrase, salt: salt, by: algorithm))
    }

    /// How a file's key is derived from its passphrase.
    ///
    /// Ask this before the user is asked for the passphrase: it refuses a file that would make this
    /// machine work for hours, and one whose derivation this libcrypto lacks.
    @discardableResult
    package func passphraseAlgorithm() throws(SealedFileError) -> PasswordAlgorithm {
        let algorithm = try Self.passwordAlgorithm(of: mode, cost: bytes[Self.costOffset])
        guard algorithm.isAvailable else { throw .unavailable(algorithm) }
        return algorithm
    }

    /// Checks the cost, and gives the derivation that mode and cost mean.
    static func passwordAlgorithm(
        of mode: Mode, cost: UInt8
    ) throws(SealedFileError) -> PasswordAlgorithm {
        switch mode {
        // A passphrase does not open a file that was sealed with a key.
        case .key: throw .notAuthentic
        case .scrypt:
            guard scryptCosts.contains(cost) else { throw .scryptCost(Int(cost)) }
            return .scrypt(logCost: Int(cost))
        case .pbkdf2:
            let iterations = Int(cost) * iterationsPerCost
            guard pbkdf2Costs.contains(cost) else { throw .iterationCount(iterations) }
            return .pbkdf2(iterations: iterations)
        }
    }

    static func rootKey(
        _ passphrase: borrowing SecretBytes, salt: [UInt8], by algorithm: PasswordAlgorithm
    ) throws(SealedFileError) -> SecretKey {
        do {
            // scrypt at the greatest cost takes 1 GiB and a little more.
            return try KeyDerivation.key(
                from: passphrase, by: algorithm, salt: salt, memoryLimit: (1 << 30) + (1 << 20))
        } catch {
            throw .cryptography(error)
        }
    }

    /// Compares the commitment, and derives the key that seals.
    private func key(root: SecretKey) throws(SealedFileError) -> SealedFileKey {
        let found = bytes[Self.commitmentOffset..<Self.noncePrefixOffset]
        guard ConstantTime.areEqual(found, try version.commitment(to: root)) else {
            throw .notAuthentic
        }
        return SealedFileKey(header: self, key: try version.sealingKey(of: root))
    }
}

/// The header of a sealed file and its key, which fits the commitment. It opens this file and seals
/// none: a nonce would be used twice.
package struct SealedFileKey: Sendable {
    let header: SealedFileHeader
    let key: SecretKey
}
