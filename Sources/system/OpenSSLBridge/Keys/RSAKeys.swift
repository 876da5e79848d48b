// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

/// The numbers of an RSA private key with two primes (RFC 8017, section 3.2), big-endian.
package struct RSAPrivateNumbers: Sendable {
    package var modulus: [UInt8]
    package var exponent: [UInt8]
    package var privateExponent: SecretStorage
    package var prime1: SecretStorage
    package var prime2: SecretStorage
    package var exponent1: SecretStorage
    package var exponent2: SecretStorage
    package var coefficient: SecretStorage

    package init(
        modulus: [UInt8], exponent: [UInt8], privateExponent: SecretStorage, prime1: SecretStorage,
        prime2: SecretStorage, exponent1: SecretStorage, exponent2: SecretStorage,
        coefficient: SecretStorage
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

extension KeyHandle {
    /// An RSA public key from its numbers. The caller applies the policy (size, exponent).
    package static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(OpenSSLFailure) -> KeyHandle
    {
        try Kind.rsa.require()
        let n = try BigNumber(bigEndian: modulus.span)
        let e = try BigNumber(bigEndian: exponent.span)
        var builder = try ParameterBuilder()
        try builder.push("n", number: n)
        try builder.push("e", number: e)
        return try builder.makeKey("RSA", selection: copenssl_selection_public_key())
    }

    /// An RSA private key from its numbers, refused unless they fit together
    /// (``requireConsistency``).
    package static func rsa(_ numbers: RSAPrivateNumbers) throws(OpenSSLFailure) -> KeyHandle {
        try requireConsistency(numbers)
        var builder = try ParameterBuilder()
        try builder.push("n", number: BigNumber(bigEndian: numbers.modulus.span))
        try builder.push("e", number: BigNumber(bigEndian: numbers.exponent.span))
        try builder.push("d", number: secretNumber(numbers.privateExponent))
        try builder.push("rsa-factor1", number: secretNumber(numbers.prime1))
        try builder.push("rsa-factor2", number: secretNumber(numbers.prime2))
        try builder.push("rsa-exponent1", number: secretNumber(numbers.exponent1))
        try builder.push("rsa-exponent2", number: secretNumber(numbers.exponent2))
        try builder.push("rsa-coefficient1", number: secretNumber(numbers.coefficient))
        return try builder.makeKey("RSA", selection: copenssl_selection_keypair())
    }

    /// The lengths of a modulus in bits.
    package static var rsaBitCounts: ClosedRange<Int> { 2048...8192 }

    /// A new RSA key with e = 65537 (FIPS 186-5, appendix A.1).
    package static func generateRSA(bitCount: Int) throws(OpenSSLFailure) -> KeyHandle {
        guard rsaBitCounts.contains(bitCount) else {
            throw OpenSSLFailure(.invalidLength, "bits")
        }
        return try unsafe KeyHandle(
            owning: copenssl_rsa_generate(bitCount), operation: "EVP_RSA_gen")
    }

    package func rsaPublicNumbers() throws(OpenSSLFailure) -> (modulus: [UInt8], exponent: [UInt8])
    {
        let n = try number("n")
        let e = try number("e")
        return (try n.bigEndian(count: n.byteCount), try e.bigEndian(count: e.byteCount))
    }

    package func rsaPrivateNumbers() throws(OpenSSLFailure) -> RSAPrivateNumbers {
        let (modulus, exponent) = try rsaPublicNumbers()
        return RSAPrivateNumbers(
            modulus: modulus, exponent: exponent,
            privateExponent: try secret("d"), prime1: try secret("rsa-factor1"),
            prime2: try secret("rsa-factor2"), exponent1: try secret("rsa-exponent1"),
            exponent2: try secret("rsa-exponent2"),
            coefficient: try secret("rsa-coefficient1"))
    }

    private func secret(_ name: String) throws(OpenSSLFailure) -> SecretStorage {
        let value = try number(name)
        return try value.secretBigEndian(count: value.byteCount)
    }

    static func secretNumber(_ storage: SecretStorage) throws(OpenSSLFailure) -> BigNumber {
        // A noncopyable result cannot leave a generic closure, so it goes through an optional.
        var made: BigNumber?
        try storage.withBytes { (bytes) throws(OpenSSLFailure) in
            made = try BigNumber(bigEndian: bytes, secret: true)
        }
        guard let made = made.take() else { throw OpenSSLFailure(.refused, "BN_bin2bn") }
        return made
    }
}
