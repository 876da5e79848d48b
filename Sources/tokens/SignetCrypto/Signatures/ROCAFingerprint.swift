// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Recognises moduli of the faulty generator of CVE-2017-15361 ("ROCA"), which can be factored:
/// ``RSAPublicKey`` refuses them.
///
/// Its primes are k·M + (65537^a mod M), where M is the product of the first primes. The modulus is
/// then a power of 65537 modulo each small prime. For a modulus of a sound generator, all residues
/// below are powers of 65537 with a probability of about 2^-28.
enum ROCAFingerprint {
    /// Primes modulo which few residues are powers of 65537, in groups whose product is below 2^32.
    private static let groups: [[UInt64]] = [
        [11, 13, 17, 19, 37, 53], [61, 71, 73, 79, 97], [103, 107, 109, 127], [151, 157],
    ]

    static func matches(_ modulus: [UInt8]) -> Bool {
        let bytes = modulus.span
        for group in groups {
            let product = group.reduce(1, *)
            // Four bytes at a time: the remainder stays below 2^32, so nothing here overflows.
            var remainder: UInt64 = 0
            var index = bytes.count % 4
            for odd in 0..<index { remainder = remainder << 8 | UInt64(bytes[odd]) }
            while index < bytes.count {
                let word = bytes.extracting(index..<(index &+ 4))
                let high = UInt64(word[0]) << 24 | UInt64(word[1]) << 16
                remainder =
                    (remainder << 32 | high | UInt64(word[2]) << 8 | UInt64(word[3])) % product
                index &+= 4
            }
            for prime in group where !isPower(remainder % prime, modulo: prime) { return false }
        }
        return true
    }

    /// Whether `residue` is a power of 65537 modulo `prime`, which is below 256.
    private static func isPower(_ residue: UInt64, modulo prime: UInt64) -> Bool {
        let generator = 65537 % prime
        var power: UInt64 = 1
        for _ in 0..<prime {
            if power == residue { return true }
            power = power * generator % prime
            if power == 1 { return false }
        }
        return false
    }
}
