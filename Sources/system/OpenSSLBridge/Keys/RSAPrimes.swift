// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

extension RSAPrivateNumbers {
    /// All numbers of a key from n, e and d alone, whether d comes from the least common multiple
    /// of p - 1 and q - 1 or from their product.
    ///
    /// The caller checks that the numbers fit (``KeyHandle/requireConsistency(_:)``).
    package init(
        modulus: [UInt8], exponent: [UInt8], privateExponent: SecretStorage
    ) throws(OpenSSLFailure) {
        let n = try BigNumber(bigEndian: modulus.span)
        let e = try BigNumber(bigEndian: exponent.span)
        let d = try KeyHandle.secretNumber(privateExponent)
        let arithmetic = try SecretArithmetic()
        let p = try Self.factor(of: n, e: e, d: d, arithmetic: arithmetic)
        let q = try arithmetic.quotient(n, by: p)
        self.init(
            modulus: modulus, exponent: exponent, privateExponent: privateExponent,
            prime1: try Self.storage(p), prime2: try Self.storage(q),
            exponent1: try Self.storage(
                arithmetic.remainder(of: d, modulo: arithmetic.predecessor(of: p))),
            exponent2: try Self.storage(
                arithmetic.remainder(of: d, modulo: arithmetic.predecessor(of: q))),
            coefficient: try Self.storage(arithmetic.inverse(of: q, modulo: p)))
    }

    /// The greater of two primes, by NIST SP 800-56B revision 2, appendix C.2: a few divisions for
    /// any numbers.
    private static func factor(
        of n: borrowing BigNumber, e: borrowing BigNumber, d: borrowing BigNumber,
        arithmetic: borrowing SecretArithmetic
    ) throws(OpenSSLFailure) -> BigNumber {
        guard unsafe BN_cmp(d.pointer, n.pointer) < 0 else {
            throw OpenSSLFailure(.refused, "d < n")
        }
        // A multiple of (p - 1)(q - 1), the smallest multiple that can be computed without p and q.
        let product = try arithmetic.predecessor(of: arithmetic.product(e, d))
        let common = try arithmetic.commonDivisor(arithmetic.predecessor(of: n), product)
        let multiple = try arithmetic.product(product, common)
        // (p - 1)(q - 1) is n less p + q - 1, so the factor is one more than the quotient by n.
        let times = try arithmetic.successor(of: arithmetic.quotient(multiple, by: n))
        let missing = try arithmetic.difference(
            n, minus: arithmetic.remainder(of: multiple, modulo: n))
        let sum = try arithmetic.successor(of: arithmetic.quotient(missing, by: times))
        // (p + q)² - 4pq is (p - q)².
        let square = try arithmetic.product(sum, sum)
        let fourfold = try arithmetic.shifted(n, left: 2)
        guard unsafe BN_cmp(square.pointer, fourfold.pointer) > 0 else {
            throw OpenSSLFailure(.refused, "p + q")
        }
        let root = try arithmetic.root(of: arithmetic.difference(square, minus: fourfold))
        let p = try arithmetic.shifted(arithmetic.sum(sum, root), right: 1)
        guard !p.isOne, unsafe BN_is_zero(p.pointer) == 0 else {
            throw OpenSSLFailure(.refused, "p")
        }
        return p
    }

    private static func storage(_ number: borrowing BigNumber) throws(OpenSSLFailure)
        -> SecretStorage
    {
        try number.secretBigEndian(count: number.byteCount)
    }
}
