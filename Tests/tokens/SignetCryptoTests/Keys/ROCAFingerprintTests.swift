// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Keys with the mark of CVE-2017-15361 (ROCA)") struct ROCAFingerprintTests {
    /// Made for this test: p and q are k·M + (65537^a mod M) with M the product of the first 126 primes.
    static let modulus = [
        "fd7b98415b2974731fa143a845fed58ffde54fdb0f99ff4f288b3e996578ed318aa35d4cdc0f6848d08077ac",
        "fd26d600ee9e9933d8bd4f1834c9c2aa4ce46472caf7c17f1bdf0f088cfd36b938935488e68e041671ea2d84",
        "3aaa4dc0ebf26451554ab70471a6cac2c8bc8ada15a63a65b85e19c577fd896276d78a826c01b01ef39f029b",
        "4e8cf3d33bc9a3f9e5cab5bef7164822ab2b2f2f29e281a7849e6cc53cbcdb056c2d8ee44a9a16662059d4f5",
        "f2575ac6e188cadf9509add69f67a8f6368481e4570d429e4b374e4d639084748a919cc73373176d162615ba",
        "c90f4fcb54ac0ae4ac8d889e0e7009cb1d0e80e481d14d0ed849300155c7d6bfbc0f2f6f",
    ].joined()

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        var bytes = [UInt8]()
        var high: UInt8?
        for digit in hexadecimal {
            guard let value = digit.hexDigitValue else { continue }
            if let first = high {
                bytes.append(first << 4 | UInt8(value))
                high = nil
            } else {
                high = UInt8(value)
            }
        }
        return bytes
    }

    @Test("A marked modulus is refused, with leading zeros too") func refused() throws {
        let modulus = Self.bytes(Self.modulus)
        #expect(modulus.count == 256)
        #expect(throws: CryptographyError(.invalidKey, "")) {
            try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1])
        }
        #expect(throws: CryptographyError(.invalidKey, "")) {
            try RSAPublicKey(modulus: [0, 0] + modulus, exponent: [1, 0, 1])
        }
        // One bit away it is some number without the mark.
        var other = modulus
        other[100] ^= 4
        #expect(throws: Never.self) { try RSAPublicKey(modulus: other, exponent: [1, 0, 1]) }
    }

    @Test("Generated keys are not marked", arguments: [2048, 2304, 3072]) func ordinary(
        _ bits: Int
    )
        throws
    {
        #expect(throws: Never.self) { try RSAPrivateKey.generate(bitCount: bits) }
    }
}
