// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// An RSA public key of 2048 to 8192 bits, for verifying signatures: the modulus n, a product of
/// two secret primes, and the exponent e, which is nearly always 65537 (01 00 01).
public struct RSAPublicKey: Sendable, Equatable {
    /// The key in libcrypto.
    package let handle: KeyHandle
    /// The modulus n, big-endian without leading zero bytes.
    public let modulus: [UInt8]
    /// The public exponent e, big-endian without leading zero bytes.
    public let exponent: [UInt8]

    /// A public key from its numbers, big-endian. Leading zero bytes are dropped.
    ///
    /// Checked: n is odd and has 2048 to 8192 bits. e is odd and 2^16 < e < 2^256 (FIPS 186-5,
    /// section 5.1), below 2^64 for moduli over 3072 bits (libcrypto's limit). n lacks the
    /// fingerprint of the generator of CVE-2017-15361 (ROCA). **Not** checked: that n is a product
    /// of two primes.
    ///
    /// - Throws: `invalidKeySize` for the size, `invalidKey` for every further fault.
    public init(modulus: [UInt8], exponent: [UInt8]) throws(CryptographyError) {
        let modulus = Self.withoutLeadingZeros(modulus)
        let exponent = Self.withoutLeadingZeros(exponent)
        try Self.check(modulus: modulus, exponent: exponent)
        // These numbers are checked, so a failure here is not the fault of the key.
        handle = try translatingErrors(refused: .libraryFailure) {
            () throws(OpenSSLFailure) in try KeyHandle.rsa(modulus: modulus, exponent: exponent)
        }
        self.modulus = modulus
        self.exponent = exponent
    }

    /// The lengths of a modulus in bits.
    package static var bitCounts: ClosedRange<Int> { KeyHandle.rsaBitCounts }

    /// Length of the modulus in bits.
    public var bitCount: Int { Self.bitCount(modulus) }

    /// Whether `signature`, which must be as long as the modulus, is a signature of `message` under
    /// this key.
    ///
    /// - Throws: `libraryFailure` or `unsupported` if libcrypto cannot compute. No signature or
    ///   message causes it.
    public func isValidSignature(
        _ signature: some Collection<UInt8>, for message: some Collection<UInt8>, scheme: RSAScheme,
        hash: HashAlgorithm
    ) throws(CryptographyError) -> Bool {
        try handle.isValidSignature(signature, for: message, under: scheme.bridged(hash))
    }

    /// Whether two keys have the same modulus and exponent.
    public static func == (a: RSAPublicKey, b: RSAPublicKey) -> Bool {
        a.modulus == b.modulus && a.exponent == b.exponent
    }

    /// Checks the numbers as the initialiser says, both without leading zero bytes.
    private static func check(modulus: [UInt8], exponent: [UInt8]) throws(CryptographyError) {
        let bits = bitCount(modulus)
        guard bitCounts.contains(bits) else {
            throw CryptographyError(
                .invalidKeySize,
                "An RSA key has \(bitCounts.lowerBound) to \(bitCounts.upperBound) bits; this one has \(bits)."
            )
        }
        guard isOdd(modulus) else {
            throw CryptographyError(.invalidKey, "An RSA modulus is odd.")
        }
        // Without leading zeros, three bytes are at least 2^16, and an odd number is more than
        // that. 32 bytes are less than 2^256.
        guard (3...32).contains(exponent.count), isOdd(exponent) else {
            throw CryptographyError(
                .invalidKey, "An RSA exponent is odd and between 2^16 and 2^256.")
        }
        guard !ROCAFingerprint.matches(modulus) else {
            throw CryptographyError(
                .invalidKey,
                "This RSA key was made by a faulty generator (CVE-2017-15361) and can be factored.")
        }
        let isBelow2To64 = exponent.count <= 8
        guard bits <= 3072 || isBelow2To64 else {
            throw CryptographyError(
                .invalidKey, "With a modulus over 3072 bits the RSA exponent is below 2^64.")
        }
    }

    private static func isOdd(_ number: [UInt8]) -> Bool {
        number.last.map { $0 & 1 == 1 } ?? false
    }

    /// Copies only if there are leading zeros.
    private static func withoutLeadingZeros(_ number: [UInt8]) -> [UInt8] {
        number.first == 0 ? Array(number.drop { $0 == 0 }) : number
    }

    private static func bitCount(_ number: [UInt8]) -> Int {
        guard let first = number.first else { return 0 }
        return number.count * 8 - first.leadingZeroBitCount
    }
}
