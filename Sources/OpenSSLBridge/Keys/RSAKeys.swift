// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

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
        prime2: SecretStorage, exponent1: SecretStorage, exponent2: SecretStorage, coefficient: SecretStorage
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
    /// An RSA public key from its numbers. Their policy (size, exponent) is the caller's.
    package static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(OpenSSLFailure) -> KeyHandle {
        let n = try BigNumber(bigEndian: modulus.span)
        let e = try BigNumber(bigEndian: exponent.span)
        let builder = try ParameterBuilder()
        try builder.push("n", n)
        try builder.push("e", e)
        return try builder.makeKey("RSA", selection: copenssl_selection_public_key())
    }

    /// An RSA private key from its numbers, refused unless p·q = n and the exponents and the coefficient fit. The
    /// caller shows that it signs.
    package static func rsa(_ numbers: RSAPrivateNumbers) throws(OpenSSLFailure) -> KeyHandle {
        let n = try BigNumber(bigEndian: numbers.modulus.span)
        let e = try BigNumber(bigEndian: numbers.exponent.span)
        let d = try secretNumber(numbers.privateExponent)
        let p = try secretNumber(numbers.prime1)
        let q = try secretNumber(numbers.prime2)
        let dp = try secretNumber(numbers.exponent1)
        let dq = try secretNumber(numbers.exponent2)
        let qi = try secretNumber(numbers.coefficient)
        try requireProduct(p, q, equals: n)
        try requireExponent(dp, d, e, prime: p)
        try requireExponent(dq, d, e, prime: q)
        try requireInverse(qi, of: q, modulo: p)
        let builder = try ParameterBuilder()
        try builder.push("n", n)
        try builder.push("e", e)
        try builder.push("d", d)
        try builder.push("rsa-factor1", p)
        try builder.push("rsa-factor2", q)
        try builder.push("rsa-exponent1", dp)
        try builder.push("rsa-exponent2", dq)
        try builder.push("rsa-coefficient1", qi)
        return try builder.makeKey("RSA", selection: copenssl_selection_keypair())
    }

    /// A new RSA key with e = 65537 (FIPS 186-5, appendix A.1).
    package static func generateRSA(bitCount: Int) throws(OpenSSLFailure) -> KeyHandle {
        guard bitCount >= 2048, bitCount <= 8192 else { throw OpenSSLFailure(.invalidLength, "bits") }
        return try unsafe KeyHandle(owning: copenssl_rsa_generate(bitCount), "EVP_RSA_gen")
    }

    package func rsaPublicNumbers() throws(OpenSSLFailure) -> (modulus: [UInt8], exponent: [UInt8]) {
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

    private static func secretNumber(_ storage: SecretStorage) throws(OpenSSLFailure) -> BigNumber {
        // A noncopyable result cannot leave a generic closure, hence the detour over an optional.
        var made: BigNumber?
        try storage.withBytes { (bytes) throws(OpenSSLFailure) in
            made = try BigNumber(bigEndian: bytes, secret: true)
        }
        guard let made = made.take() else { throw OpenSSLFailure(.refused, "BN_bin2bn") }
        return made
    }

    private static func requireProduct(
        _ p: borrowing BigNumber, _ q: borrowing BigNumber, equals n: borrowing BigNumber
    ) throws(OpenSSLFailure) {
        guard let context = unsafe BN_CTX_secure_new() else {
            throw OpenSSLFailure.taken("BN_CTX_secure_new")
        }
        defer { unsafe BN_CTX_free(context) }
        let product = try unsafe BigNumber(owning: BN_secure_new(), "BN_secure_new")
        try require(unsafe BN_mul(product.pointer, p.pointer, q.pointer, context), "BN_mul")
        guard unsafe BN_cmp(product.pointer, n.pointer) == 0 else {
            throw OpenSSLFailure(.refused, "p·q = n")
        }
    }

    /// Refuses unless dp = d mod (p - 1) and e·dp = 1 mod (p - 1) (RFC 8017, section 3.2).
    ///
    /// A signature does not show this: libcrypto notices that the numbers for the Chinese remainder theorem are wrong
    /// and goes by `d` instead. Another library that signs with the exported key would not, and one such signature
    /// gives the factors away (Boneh, DeMillo and Lipton).
    private static func requireExponent(
        _ dp: borrowing BigNumber, _ d: borrowing BigNumber, _ e: borrowing BigNumber,
        prime p: borrowing BigNumber
    ) throws(OpenSSLFailure) {
        guard let context = unsafe BN_CTX_secure_new() else {
            throw OpenSSLFailure.taken("BN_CTX_secure_new")
        }
        defer { unsafe BN_CTX_free(context) }
        let order = try unsafe BigNumber(owning: BN_secure_new(), "BN_secure_new")
        let result = try unsafe BigNumber(owning: BN_secure_new(), "BN_secure_new")
        guard unsafe BN_copy(order.pointer, p.pointer) != nil else { throw OpenSSLFailure.taken("BN_copy") }
        try require(unsafe BN_sub_word(order.pointer, 1), "BN_sub_word")
        try require(unsafe BN_nnmod(result.pointer, d.pointer, order.pointer, context), "BN_nnmod")
        guard unsafe BN_cmp(result.pointer, dp.pointer) == 0 else {
            throw OpenSSLFailure(.refused, "dp = d mod (p - 1)")
        }
        try require(
            unsafe BN_mod_mul(result.pointer, e.pointer, dp.pointer, order.pointer, context), "BN_mod_mul")
        guard unsafe BN_is_one(result.pointer) == 1 else {
            throw OpenSSLFailure(.refused, "e·d = 1 mod (p - 1)")
        }
    }

    private static func requireInverse(
        _ qi: borrowing BigNumber, of q: borrowing BigNumber, modulo p: borrowing BigNumber
    ) throws(OpenSSLFailure) {
        guard let context = unsafe BN_CTX_secure_new() else {
            throw OpenSSLFailure.taken("BN_CTX_secure_new")
        }
        defer { unsafe BN_CTX_free(context) }
        let product = try unsafe BigNumber(owning: BN_secure_new(), "BN_secure_new")
        try require(
            unsafe BN_mod_mul(product.pointer, qi.pointer, q.pointer, p.pointer, context), "BN_mod_mul")
        guard unsafe BN_is_one(product.pointer) == 1 else { throw OpenSSLFailure(.refused, "qi·q = 1 mod p") }
    }
}
