// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

extension KeyHandle {
    /// Refuses RSA numbers that do not fit together, by the equations of RFC 8017, section 3.2, for
    /// two factors.
    ///
    /// libcrypto imports any numbers, and a trial signature does not expose a mismatch: libcrypto
    /// computes with p, q, dp, dq and qi, checks the result with e, and falls back on d if it is
    /// wrong. A key with a wrong d therefore signs until it is exported, and a key with a wrong dp
    /// signs slowly. Whether p and q are prime is not checked.
    static func requireConsistency(_ numbers: RSAPrivateNumbers) throws(OpenSSLFailure) {
        let n = try BigNumber(bigEndian: numbers.modulus.span)
        let e = try BigNumber(bigEndian: numbers.exponent.span)
        let d = try secretNumber(numbers.privateExponent)
        let p = try secretNumber(numbers.prime1)
        let q = try secretNumber(numbers.prime2)
        let dp = try secretNumber(numbers.exponent1)
        let dq = try secretNumber(numbers.exponent2)
        let qi = try secretNumber(numbers.coefficient)

        // libcrypto must not see an even modulus in a Montgomery computation, or a factor of 1.
        guard p.isOdd, !p.isOne, q.isOdd, !q.isOne else {
            throw OpenSSLFailure(.refused, "p and q odd")
        }
        let arithmetic = try SecretArithmetic()
        guard try arithmetic.product(p, q).isEqual(to: n) else {
            throw OpenSSLFailure(.refused, "p·q = n")
        }
        guard unsafe BN_cmp(d.pointer, n.pointer) < 0, unsafe BN_cmp(qi.pointer, p.pointer) < 0
        else {
            throw OpenSSLFailure(.refused, "d < n, qi < p")
        }
        guard try arithmetic.isProduct(qi, q, oneModulo: p) else {
            throw OpenSSLFailure(.refused, "qi")
        }
        try requireExponent(dp, of: d, e: e, factor: p, arithmetic: arithmetic)
        try requireExponent(dq, of: d, e: e, factor: q, arithmetic: arithmetic)
    }

    /// Refuses dp (or dq) unless it is d modulo p - 1, and e·d is 1 modulo p - 1.
    private static func requireExponent(
        _ exponent: borrowing BigNumber, of d: borrowing BigNumber, e: borrowing BigNumber,
        factor: borrowing BigNumber, arithmetic: borrowing SecretArithmetic
    ) throws(OpenSSLFailure) {
        let order = try arithmetic.predecessor(of: factor)
        guard try arithmetic.isProduct(e, d, oneModulo: order) else {
            throw OpenSSLFailure(.refused, "e·d = 1")
        }
        guard try arithmetic.remainder(of: d, modulo: order).isEqual(to: exponent) else {
            throw OpenSSLFailure(.refused, "d mod (p - 1)")
        }
    }
}
