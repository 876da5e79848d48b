// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Sums with secret numbers, whose intermediate results are wiped.
@safe
struct SecretArithmetic: ~Copyable {
    private let context: OpaquePointer

    init() throws(OpenSSLFailure) {
        unsafe context = try unsafe require(BN_CTX_secure_new(), "BN_CTX_secure_new")
    }

    deinit { unsafe BN_CTX_free(context) }

    func number() throws(OpenSSLFailure) -> BigNumber {
        let made = try unsafe BigNumber(owning: BN_secure_new(), "BN_secure_new")
        unsafe BN_set_flags(made.pointer, BN_FLG_CONSTTIME)
        return made
    }

    /// a · b mod m = 1
    func isProduct(
        _ a: borrowing BigNumber, _ b: borrowing BigNumber, oneModulo m: borrowing BigNumber
    ) throws(OpenSSLFailure) -> Bool {
        let product = try number()
        try require(
            unsafe BN_mod_mul(product.pointer, a.pointer, b.pointer, m.pointer, context), "BN_mod_mul")
        return unsafe BN_is_one(product.pointer) == 1
    }

    /// a - 1
    func predecessor(of a: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber {
        let result = try number()
        try require(unsafe BN_sub(result.pointer, a.pointer, BN_value_one()), "BN_sub")
        return result
    }

    /// a · b
    func product(_ a: borrowing BigNumber, _ b: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber {
        let result = try number()
        try require(unsafe BN_mul(result.pointer, a.pointer, b.pointer, context), "BN_mul")
        return result
    }

    /// a / 2^count
    func shifted(_ a: borrowing BigNumber, by count: Int32) throws(OpenSSLFailure) -> BigNumber {
        let result = try number()
        try require(unsafe BN_rshift(result.pointer, a.pointer, count), "BN_rshift")
        return result
    }

    /// a / b, without the remainder.
    func quotient(_ a: borrowing BigNumber, by b: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber {
        let result = try number()
        try require(unsafe BN_div(result.pointer, nil, a.pointer, b.pointer, context), "BN_div")
        return result
    }

    /// a mod m
    func remainder(of a: borrowing BigNumber, modulo m: borrowing BigNumber) throws(OpenSSLFailure)
        -> BigNumber
    {
        let result = try number()
        try require(unsafe BN_div(nil, result.pointer, a.pointer, m.pointer, context), "BN_div")
        return result
    }

    /// base^exponent mod m, for an odd m.
    func power(
        _ base: UInt, _ exponent: borrowing BigNumber, modulo m: borrowing BigNumber
    ) throws(OpenSSLFailure) -> BigNumber {
        let result = try number()
        try require(unsafe BN_set_word(result.pointer, base), "BN_set_word")
        try require(
            unsafe BN_mod_exp_mont_consttime(
                result.pointer, result.pointer, exponent.pointer, m.pointer, context, nil),
            "BN_mod_exp_mont_consttime")
        return result
    }

    /// a² mod m
    func square(of a: borrowing BigNumber, modulo m: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber
    {
        let result = try number()
        try require(unsafe BN_mod_mul(result.pointer, a.pointer, a.pointer, m.pointer, context), "BN_mod_mul")
        return result
    }

    /// The greatest common divisor.
    func commonDivisor(_ a: borrowing BigNumber, _ b: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber
    {
        let result = try number()
        try require(unsafe BN_gcd(result.pointer, a.pointer, b.pointer, context), "BN_gcd")
        return result
    }

    /// a^-1 mod m
    func inverse(of a: borrowing BigNumber, modulo m: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber
    {
        let result = try number()
        guard unsafe BN_mod_inverse(result.pointer, a.pointer, m.pointer, context) != nil else {
            throw OpenSSLFailure(.refused, "no inverse")
        }
        return result
    }
}
