// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

extension RSAPrivateNumbers {
    /// All numbers of a key that is given by n, e and d alone (NIST SP 800-56B, appendix C.1).
    ///
    /// e·d - 1 is 2^t·r, and for half of all bases g the squares of g^r come to 1 over a root that is
    /// neither 1 nor n - 1: that root less 1 has a factor in common with n. Whether the numbers fit is
    /// for the caller to check (``KeyHandle/requireConsistency(_:)``).
    package init(
        modulus: [UInt8], exponent: [UInt8], privateExponent: SecretStorage
    ) throws(OpenSSLFailure) {
        let n = try BigNumber(bigEndian: modulus.span)
        let e = try BigNumber(bigEndian: exponent.span)
        let d = try KeyHandle.secretNumber(privateExponent)
        let arithmetic = try SecretArithmetic()
        let p = try Self.factor(of: n, e, d, arithmetic)
        let q = try arithmetic.quotient(n, by: p)
        self.init(
            modulus: modulus, exponent: exponent, privateExponent: privateExponent,
            prime1: try Self.storage(p), prime2: try Self.storage(q),
            exponent1: try Self.storage(arithmetic.remainder(of: d, modulo: arithmetic.predecessor(of: p))),
            exponent2: try Self.storage(arithmetic.remainder(of: d, modulo: arithmetic.predecessor(of: q))),
            coefficient: try Self.storage(arithmetic.inverse(of: q, modulo: p)))
    }

    private static func factor(
        of n: borrowing BigNumber, _ e: borrowing BigNumber, _ d: borrowing BigNumber,
        _ arithmetic: borrowing SecretArithmetic
    ) throws(OpenSSLFailure) -> BigNumber {
        // d < n bounds the work, and an even modulus must not come as far as libcrypto.
        guard n.isOdd, unsafe BN_cmp(d.pointer, n.pointer) < 0 else {
            throw OpenSSLFailure(.refused, "n odd, d < n")
        }
        let order = try arithmetic.predecessor(of: arithmetic.product(e, d))
        var twos: Int32 = 0
        // At most as many as d and e have bits; a key that libcrypto or anybody makes has a few.
        while twos < 1_024, unsafe BN_is_bit_set(order.pointer, twos) == 0 { twos += 1 }
        guard twos > 0, twos < 1_024 else { throw OpenSSLFailure(.refused, "e·d - 1 even") }
        let odd = try arithmetic.shifted(order, by: twos)
        let last = try arithmetic.predecessor(of: n)
        search: for base in bases {
            var root = try arithmetic.power(base, odd, modulo: n)
            if root.isOne || root.isEqual(to: last) { continue }
            for _ in 0..<twos {
                let square = try arithmetic.square(of: root, modulo: n)
                if square.isOne {
                    return try arithmetic.commonDivisor(arithmetic.predecessor(of: root), n)
                }
                if square.isEqual(to: last) { continue search }
                root = square
            }
            throw OpenSSLFailure(.refused, "e·d = 1")
        }
        throw OpenSSLFailure(.refused, "no factor")
    }

    /// The primes below 256: that each of them misses the factors has a chance of 2^-54.
    private static let bases: [UInt] = (2..<256).filter { number in
        (2..<number).allSatisfy { number % $0 != 0 }
    }

    private static func storage(_ number: borrowing BigNumber) throws(OpenSSLFailure) -> SecretStorage {
        try number.secretBigEndian(count: number.byteCount)
    }
}
