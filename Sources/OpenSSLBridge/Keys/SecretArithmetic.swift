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
            unsafe BN_mod_mul(product.pointer, a.pointer, b.pointer, m.pointer, context),
            "BN_mod_mul")
        return unsafe BN_is_one(product.pointer) == 1
    }

    /// a - 1
    func predecessor(of a: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber {
        let result = try number()
        try require(unsafe BN_sub(result.pointer, a.pointer, BN_value_one()), "BN_sub")
        return result
    }

    /// a · b
    func product(_ a: borrowing BigNumber, _ b: borrowing BigNumber) throws(OpenSSLFailure)
        -> BigNumber
    {
        let result = try number()
        try require(unsafe BN_mul(result.pointer, a.pointer, b.pointer, context), "BN_mul")
        return result
    }

    /// a · 2^count
    func shifted(_ a: borrowing BigNumber, left count: Int32) throws(OpenSSLFailure) -> BigNumber {
        let result = try number()
        try require(unsafe BN_lshift(result.pointer, a.pointer, count), "BN_lshift")
        return result
    }

    /// a / 2^count, without the remainder.
    func shifted(_ a: borrowing BigNumber, right count: Int32) throws(OpenSSLFailure) -> BigNumber {
        let result = try number()
        try require(unsafe BN_rshift(result.pointer, a.pointer, count), "BN_rshift")
        return result
    }

    /// a + b
    func sum(_ a: borrowing BigNumber, _ b: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber
    {
        let result = try number()
        try require(unsafe BN_add(result.pointer, a.pointer, b.pointer), "BN_add")
        return result
    }

    /// a - b, for a > b.
    func difference(_ a: borrowing BigNumber, _ b: borrowing BigNumber) throws(OpenSSLFailure)
        -> BigNumber
    {
        let result = try number()
        try require(unsafe BN_sub(result.pointer, a.pointer, b.pointer), "BN_sub")
        return result
    }

    /// a + 1
    func successor(of a: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber {
        let result = try number()
        try require(unsafe BN_add(result.pointer, a.pointer, BN_value_one()), "BN_add")
        return result
    }

    /// The square root without its fraction, by Newton's method from above: each step doubles the
    /// digits that are right.
    func root(of a: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber {
        var root = try number()
        try require(unsafe BN_set_bit(root.pointer, (BN_num_bits(a.pointer) + 1) / 2), "BN_set_bit")
        for _ in 0..<64 {
            let next = try shifted(sum(root, quotient(a, by: root)), right: 1)
            guard unsafe BN_cmp(next.pointer, root.pointer) < 0 else { break }
            root = next
        }
        return root
    }

    /// a / b, without the remainder.
    func quotient(_ a: borrowing BigNumber, by b: borrowing BigNumber) throws(OpenSSLFailure)
        -> BigNumber
    {
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

    /// The greatest common divisor.
    func commonDivisor(_ a: borrowing BigNumber, _ b: borrowing BigNumber) throws(OpenSSLFailure)
        -> BigNumber
    {
        let result = try number()
        try require(unsafe BN_gcd(result.pointer, a.pointer, b.pointer, context), "BN_gcd")
        return result
    }

    /// a^-1 mod m
    func inverse(of a: borrowing BigNumber, modulo m: borrowing BigNumber) throws(OpenSSLFailure)
        -> BigNumber
    {
        let result = try number()
        guard unsafe BN_mod_inverse(result.pointer, a.pointer, m.pointer, context) != nil else {
            throw OpenSSLFailure.taken("BN_mod_inverse")
        }
        return result
    }
}
