// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetCrypto
import TestSupport
import Testing

@Suite("ECDSA")
struct ECDSATests {
    static let message = Array("message".utf8)

    private func number(_ value: [UInt8], _ curve: EllipticCurve) -> [UInt8] {
        [UInt8](repeating: 0, count: curve.coordinateByteCount - value.count) + value
    }

    @Test(
        "A signature verifies with its own hash, message and key only",
        arguments: EllipticCurve.allCases)
    func matrix(curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve: curve)
        let other = try ECPrivateKey.generate(curve: curve)
        for hash in HashAlgorithm.allCases {
            let signature = try key.signature(for: Self.message, hash: hash)
            #expect(signature.count == 2 * curve.coordinateByteCount)
            for otherHash in HashAlgorithm.allCases {
                #expect(
                    try key.publicKey.isValidSignature(
                        signature, for: Self.message, hash: otherHash)
                        == (hash == otherHash), "\(hash) as \(otherHash)")
            }
            #expect(
                try !key.publicKey.isValidSignature(signature, for: Self.message + [0], hash: hash))
            #expect(try !key.publicKey.isValidSignature(signature, for: [], hash: hash))
            #expect(try !other.publicKey.isValidSignature(signature, for: Self.message, hash: hash))
        }
        #expect(try key.signature(for: [], hash: .sha256) != key.signature(for: [], hash: .sha256))
    }

    @Test("A key of one curve refuses the signatures of another")
    func otherCurves() throws {
        let keys = try EllipticCurve.allCases.map { try ECPrivateKey.generate(curve: $0) }
        for key in keys {
            let signature = try key.signature(for: Self.message, hash: .sha256)
            for other in keys where other.publicKey.curve != key.publicKey.curve {
                #expect(
                    try !other.publicKey.isValidSignature(
                        signature, for: Self.message, hash: .sha256))
            }
        }
    }

    @Test("A changed bit anywhere is refused", arguments: EllipticCurve.allCases)
    func everyBit(curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve: curve)
        let signature = try key.signature(for: Self.message, hash: .sha256)
        for bit in 0..<(signature.count * 8) {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(
                try !key.publicKey.isValidSignature(changed, for: Self.message, hash: .sha256),
                "bit \(bit)")
        }
    }

    @Test(
        "r and s of 0, n, n + 1, all ones, or shifted by n are refused (CVE-2022-21449)",
        arguments: EllipticCurve.allCases)
    func range(curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve: curve)
        let width = curve.coordinateByteCount
        let order = curve.bridged.order
        let zero = number([], curve)
        let one = number([1], curve)
        let ones = [UInt8](repeating: 0xff, count: width)
        let above = BigEndian.sum(order, one, count: width) ?? ones
        let signature = try key.signature(for: Self.message, hash: .sha256)
        let r = Array(signature[..<width])
        let s = Array(signature[width...])
        let bad = [zero, order, above, ones]
        for value in bad + [BigEndian.sum(r, order, count: width) ?? ones] {
            #expect(
                try !key.publicKey.isValidSignature(value + s, for: Self.message, hash: .sha256))
        }
        for value in bad + [BigEndian.sum(s, order, count: width) ?? ones] {
            #expect(
                try !key.publicKey.isValidSignature(r + value, for: Self.message, hash: .sha256))
        }
        for a in bad + [one] {
            for b in bad + [one] {
                #expect(
                    try !key.publicKey.isValidSignature(a + b, for: Self.message, hash: .sha256))
                #expect(try !key.publicKey.isValidSignature(a + b, for: [], hash: .sha512))
            }
        }
        #expect(try !key.publicKey.isValidSignature(s + r, for: Self.message, hash: .sha256))
        #expect(ErrorQueue.isEmpty)
    }

    @Test(
        "(r, n - s) also verifies: ECDSA is malleable, as documented",
        arguments: EllipticCurve.allCases)
    func malleability(curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve: curve)
        let width = curve.coordinateByteCount
        let signature = try key.signature(for: Self.message, hash: .sha256)
        let twin =
            signature[..<width]
            + BigEndian.difference(curve.bridged.order, Array(signature[width...]))
        #expect(try key.publicKey.isValidSignature(twin, for: Self.message, hash: .sha256))
    }

    @Test(
        "DER is never accepted, even in the right length",
        arguments: EllipticCurve.allCases)
    func der(curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve: curve)
        for number in 0..<50 {
            let message = Array("\(number)".utf8)
            let signature = try key.signature(for: message, hash: .sha256)
            let encoded = ECDSASignatureEncoding.der(raw: signature.span, curve: curve.bridged)
            let der = try #require(encoded)
            #expect(try !key.publicKey.isValidSignature(der, for: message, hash: .sha256))
            let fitted = Array(
                (der + [UInt8](repeating: 0, count: 140)).prefix(2 * curve.coordinateByteCount))
            #expect(try !key.publicKey.isValidSignature(fitted, for: message, hash: .sha256))
        }
    }

    @Test("Every other length is refused", arguments: EllipticCurve.allCases)
    func lengths(curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve: curve)
        let signature = try key.signature(for: Self.message, hash: .sha256)
        for count in 0..<signature.count {
            #expect(
                try !key.publicKey.isValidSignature(
                    signature.prefix(count), for: Self.message, hash: .sha256)
            )
            #expect(
                try !key.publicKey.isValidSignature(
                    signature.suffix(count), for: Self.message, hash: .sha256)
            )
        }
        for other in [signature + [0], [0] + signature, signature + signature] {
            #expect(try !key.publicKey.isValidSignature(other, for: Self.message, hash: .sha256))
        }
        let width = curve.coordinateByteCount
        let padded = [0] + signature[..<width] + [0] + signature[width...]
        #expect(try !key.publicKey.isValidSignature(padded, for: Self.message, hash: .sha256))
        #expect(ErrorQueue.isEmpty)
    }

    @Test(
        "The published signatures of RFC 6979, appendix A.2.5 and A.2.7, verify",
        arguments: [
            (
                EllipticCurve.p256, HashAlgorithm.sha256,
                "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
                "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
                "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
                "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
            ),
            (
                .p521, .sha512,
                """
                01894550d0785932e00eaa23b694f213f8c3121f86dc97a04e5a7167db4e5bcd371123d46e45db6b5d5370a7f20fb633
                155d38ffa16d2bd761dcac474b9a2f5023a4
                """,
                """
                00493101c962cd4d2fddf782285e64584139c2f91b47f87ff82354d6630f746a28a0db25741b5b34a828008b22acc23f
                924faafbd4d33f81ea66956dfeaa2bfdfcf5
                """,
                """
                00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f174e25a1ee9017b5d450606add152b53
                4931d7d4e8455cc91f9b15bf05ec36e377fa
                """,
                """
                00617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b68af282623eaa63e5b5c0723d8b8c37ff077
                7b1a20f8ccb1dccc43997f1ee0e44da4a67a
                """
            ),
        ])
    func knownAnswers(
        curve: EllipticCurve, hash: HashAlgorithm, x: String, y: String, r: String, s: String
    ) throws {
        let key = try ECPublicKey(curve: curve, x: bytes(x), y: bytes(y))
        #expect(try key.isValidSignature(bytes(r) + bytes(s), for: "sample".utf8, hash: hash))
        #expect(try !key.isValidSignature(bytes(r) + bytes(s), for: "sampla".utf8, hash: hash))
    }
}
