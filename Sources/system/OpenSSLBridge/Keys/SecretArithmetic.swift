// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Arithmetic on secret numbers that wipes its intermediate results.
@safe
struct SecretArithmetic: ~Copyable {
    private let context: OpaquePointer

    init() throws(OpenSSLFailure) {
        unsafe context = try unsafe require(BN_CTX_secure_new(), "BN_CTX_secure_new")
    }

    deinit { unsafe BN_CTX_free(context) }

    /// A new number for a secret result.
    private func newNumber() throws(OpenSSLFailure) -> BigNumber {
        let made = try unsafe BigNumber(owning: BN_secure_new(), operation: "BN_secure_new")
        unsafe BN_set_flags(made.pointer, BN_FLG_CONSTTIME)
        return made
    }

    /// a · b mod m = 1
    func isProduct(
        _ a: borrowing BigNumber, _ b: borrowing BigNumber, oneModulo m: borrowing BigNumber
    ) throws(OpenSSLFailure) -> Bool {
        let product = try newNumber()
        try require(
            unsafe BN_mod_mul(product.pointer, a.pointer, b.pointer, m.pointer, context),
            "BN_mod_mul")
        return unsafe BN_is_one(product.pointer) == 1
    }

    /// a - 1
    func predecessor(of a: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber {
        try unsafe result("BN_sub") { unsafe BN_sub($0, a.pointer, BN_value_one()) }
    }

    /// a + 1
    func successor(of a: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber {
        try unsafe result("BN_add") { unsafe BN_add($0, a.pointer, BN_value_one()) }
    }

    /// a · b
    func product(_ a: borrowing BigNumber, _ b: borrowing BigNumber) throws(OpenSSLFailure)
        -> BigNumber
    {
        try unsafe result("BN_mul") { unsafe BN_mul($0, a.pointer, b.pointer, context) }
    }

    /// a · 2^count
    func shifted(_ a: borrowing BigNumber, left count: Int32) throws(OpenSSLFailure) -> BigNumber {
        try unsafe result("BN_lshift") { unsafe BN_lshift($0, a.pointer, count) }
    }

    /// a / 2^count, without the remainder.
    func shifted(_ a: borrowing BigNumber, right count: Int32) throws(OpenSSLFailure) -> BigNumber {
        try unsafe result("BN_rshift") { unsafe BN_rshift($0, a.pointer, count) }
    }

    /// a + b
    func sum(_ a: borrowing BigNumber, _ b: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber
    {
        try unsafe result("BN_add") { unsafe BN_add($0, a.pointer, b.pointer) }
    }

    /// a - b, for a > b.
    func difference(
        _ a: borrowing BigNumber, minus b: borrowing BigNumber
    ) throws(OpenSSLFailure) -> BigNumber {
        try unsafe result("BN_sub") { unsafe BN_sub($0, a.pointer, b.pointer) }
    }

    /// The square root rounded down, by Newton's method from above: each step doubles the number of
    /// correct digits.
    func root(of a: borrowing BigNumber) throws(OpenSSLFailure) -> BigNumber {
        var root = try newNumber()
        try require(unsafe BN_set_bit(root.pointer, (BN_num_bits(a.pointer) + 1) / 2), "BN_set_bit")
        // It ends when the root no longer shrinks, after far fewer steps.
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
        try unsafe result("BN_div") { unsafe BN_div($0, nil, a.pointer, b.pointer, context) }
    }

    /// a mod m
    func remainder(of a: borrowing BigNumber, modulo m: borrowing BigNumber) throws(OpenSSLFailure)
        -> BigNumber
    {
        try unsafe result("BN_div") { unsafe BN_div(nil, $0, a.pointer, m.pointer, context) }
    }

    /// The greatest common divisor.
    func commonDivisor(_ a: borrowing BigNumber, _ b: borrowing BigNumber) throws(OpenSSLFailure)
        -> BigNumber
    {
        try unsafe result("BN_gcd") { unsafe BN_gcd($0, a.pointer, b.pointer, context) }
    }

    /// a^-1 mod m
    func inverse(of a: borrowing BigNumber, modulo m: borrowing BigNumber) throws(OpenSSLFailure)
        -> BigNumber
    {
        let result = try newNumber()
        guard unsafe BN_mod_inverse(result.pointer, a.pointer, m.pointer, context) != nil else {
            throw OpenSSLFailure.fromErrorQueue("BN_mod_inverse")
        }
        return result
    }

    private func result(
        _ operation: String, _ compute: (OpaquePointer) -> Int32
    ) throws(OpenSSLFailure) -> BigNumber {
        let result = try newNumber()
        try require(unsafe compute(result.pointer), operation)
        return result
    }
}
