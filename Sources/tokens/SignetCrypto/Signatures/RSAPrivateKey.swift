// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// An RSA private key of 2048 to 8192 bits with two primes, for signing. Printing it shows nothing
/// of the key.
public struct RSAPrivateKey: Sendable, Redacted {
    package let handle: KeyHandle
    /// The public half.
    public let publicKey: RSAPublicKey

    /// The numbers of RFC 8017, section 3.2, each big-endian.
    public struct Numbers: Sendable, Redacted {
        /// The modulus n.
        public var modulus: [UInt8]
        /// The public exponent e.
        public var exponent: [UInt8]
        /// The private exponent d.
        public var privateExponent: SecretKey
        /// The first prime p.
        public var prime1: SecretKey
        /// The second prime q.
        public var prime2: SecretKey
        /// d mod (p - 1).
        public var exponent1: SecretKey
        /// d mod (q - 1).
        public var exponent2: SecretKey
        /// q^-1 mod p.
        public var coefficient: SecretKey

        /// Makes the numbers. All are needed; if you have only n, e and d,
        /// ``RSAPrivateKey/init(modulus:exponent:privateExponent:)`` finds the missing numbers.
        public init(
            modulus: [UInt8], exponent: [UInt8], privateExponent: SecretKey, prime1: SecretKey,
            prime2: SecretKey,
            exponent1: SecretKey, exponent2: SecretKey, coefficient: SecretKey
        ) {
            self.modulus = modulus
            self.exponent = exponent
            self.privateExponent = privateExponent
            self.prime1 = prime1
            self.prime2 = prime2
            self.exponent1 = exponent1
            self.exponent2 = exponent2
            self.coefficient = coefficient
        }
    }

    /// A private key from its numbers.
    ///
    /// Checked: the public half as in ``RSAPublicKey``, that all numbers fit together (p·q = n, e·d
    /// = 1 modulo p - 1 and q - 1, and the three numbers derived from p, q and d), and that a
    /// signature made with it verifies. **Not** checked: that p and q are prime.
    ///
    /// - Throws: `invalidKeySize`, `invalidKey`.
    public init(_ numbers: Numbers) throws(CryptographyError) {
        let publicKey = try RSAPublicKey(modulus: numbers.modulus, exponent: numbers.exponent)
        let bridged = RSAPrivateNumbers(
            modulus: publicKey.modulus, exponent: publicKey.exponent,
            privateExponent: numbers.privateExponent.storage, prime1: numbers.prime1.storage,
            prime2: numbers.prime2.storage, exponent1: numbers.exponent1.storage,
            exponent2: numbers.exponent2.storage, coefficient: numbers.coefficient.storage)
        let handle = try translatingErrors(
            refused: .invalidKey, message: "libcrypto refused the RSA private key."
        ) {
            () throws(OpenSSLFailure) in try KeyHandle.rsa(bridged)
        }
        try self.init(handle: handle, publicKey: publicKey)
    }

    /// A private key from n, e and d alone. The primes are computed (NIST SP 800-56B, appendix
    /// C.2), which takes a few divisions.
    ///
    /// Checked: as in ``init(_:)``.
    ///
    /// - Parameters: the modulus n, the public exponent e and the private exponent d < n,
    ///   big-endian.
    /// - Throws: `invalidKeySize`, `invalidKey`.
    public init(
        modulus: [UInt8], exponent: [UInt8], privateExponent: SecretKey
    ) throws(CryptographyError) {
        let publicKey = try RSAPublicKey(modulus: modulus, exponent: exponent)
        let numbers = try translatingErrors(
            refused: .invalidKey,
            message: "The private exponent of the RSA key does not fit its public numbers."
        ) { () throws(OpenSSLFailure) in
            try RSAPrivateNumbers(
                modulus: publicKey.modulus, exponent: publicKey.exponent,
                privateExponent: privateExponent.storage)
        }
        try self.init(Numbers(numbers))
    }

    /// A private key from a file. All its numbers are checked as if they were given singly, and
    /// keys with more than two primes are refused.
    package init(handle: KeyHandle) throws(CryptographyError) {
        try self.init(Self.readNumbers(of: handle, refused: .invalidKey))
    }

    private init(handle: KeyHandle, publicKey: RSAPublicKey) throws(CryptographyError) {
        self.handle = handle
        self.publicKey = publicKey
        // The numbers fit together by now. This finds factors that are not prime, unless they were
        // chosen to deceive.
        let probe = Array("signet".utf8)
        guard let signature = try? self.signature(for: probe, scheme: .pkcs1v15, hash: .sha256),
            try publicKey.isValidSignature(signature, for: probe, scheme: .pkcs1v15, hash: .sha256)
        else {
            throw CryptographyError(
                .invalidKey, "The private and the public numbers of the RSA key do not fit.")
        }
    }

    /// Generates a key with e = 65537. That can take a noticeable part of a second for 3072 bits,
    /// and several seconds for 8192.
    ///
    /// - Parameter bitCount: 2048 to 8192, a multiple of 256.
    /// - Throws: `invalidKeySize` for a size out of range, `libraryFailure`.
    public static func generate(bitCount: Int = 2048) throws(CryptographyError) -> RSAPrivateKey {
        let allowed = RSAPublicKey.bitCounts
        guard allowed.contains(bitCount), bitCount.isMultiple(of: 256) else {
            throw CryptographyError(
                .invalidKeySize,
                "A new RSA key has \(allowed.lowerBound) to \(allowed.upperBound) bits, a multiple of 256, not \(bitCount)."
            )
        }
        let (handle, numbers) = try translatingErrors(refused: .libraryFailure) {
            () throws(OpenSSLFailure) in
            let handle = try KeyHandle.generateRSA(bitCount: bitCount)
            return (handle, try handle.rsaPublicNumbers())
        }
        return try RSAPrivateKey(
            handle: handle,
            publicKey: RSAPublicKey(modulus: numbers.modulus, exponent: numbers.exponent))
    }

    /// A signature of `message`, as long as the modulus.
    public func signature(
        for message: some Collection<UInt8>, scheme: RSAScheme, hash: HashAlgorithm
    ) throws(CryptographyError) -> [UInt8] {
        try handle.signature(for: message, under: scheme.bridged(hash))
    }

    /// The private numbers, for writing the key to a file. Handle them as secrets.
    public func exportNumbers() throws(CryptographyError) -> Numbers {
        try Self.readNumbers(of: handle, refused: .libraryFailure)
    }

    private static func readNumbers(
        of handle: KeyHandle, refused code: CryptographyError.Code
    ) throws(CryptographyError) -> Numbers {
        Numbers(try translatingErrors(refused: code, handle.rsaPrivateNumbers))
    }

    /// The type, the size and "redacted".
    public var description: String { "RSAPrivateKey(\(publicKey.bitCount) bits, redacted)" }
}

extension RSAPrivateKey.Numbers {
    fileprivate init(_ numbers: RSAPrivateNumbers) {
        self.init(
            modulus: numbers.modulus, exponent: numbers.exponent,
            privateExponent: SecretKey(storage: numbers.privateExponent),
            prime1: SecretKey(storage: numbers.prime1), prime2: SecretKey(storage: numbers.prime2),
            exponent1: SecretKey(storage: numbers.exponent1),
            exponent2: SecretKey(storage: numbers.exponent2),
            coefficient: SecretKey(storage: numbers.coefficient))
    }
}
