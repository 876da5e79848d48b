// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// CVE-2022-21449 and similar.
@Suite("Values that are not signatures")
struct SignatureShapes {
    static let curves: [(SignatureAlgorithm, EllipticCurve)] = [
        (.es256, .p256), (.es384, .p384), (.es512, .p521),
    ]

    /// Presents `signature` with an honest header and honest claims.
    static func refuses(_ algorithm: SignatureAlgorithm, _ signature: [UInt8]) throws -> Bool {
        let token = Forge.compact(TestKeys.header(algorithm.name), TestClaims.json, signature)
        return refusal { try TestKeys.verifier(algorithm).verify(token) }?.code == .signatureInvalid
    }

    static func honest(_ algorithm: SignatureAlgorithm) throws -> [UInt8] {
        let input =
            Forge.encoded(TestKeys.header(algorithm.name)) + "." + Forge.encoded(TestClaims.json)
        return try Forge.signer(algorithm)(Array(input.utf8))
    }

    @Test(
        "r or s of zero, n, above n, or all ones is refused (psychic signatures)", arguments: curves
    )
    func outOfRange(_ algorithm: SignatureAlgorithm, _ curve: EllipticCurve) throws {
        let width = curve.coordinateByteCount
        let order = curve.orderForTests
        let zero = [UInt8](repeating: 0, count: width)
        var one = zero
        one[width - 1] = 1
        var above = order
        above[width - 1] += 1
        var below = order
        below[width - 1] -= 1
        let ones = [UInt8](repeating: 0xff, count: width)
        let good = try Self.honest(algorithm)
        let (r, s) = (Array(good.prefix(width)), Array(good.suffix(width)))
        for value in [zero, order, above, ones, one, below] {
            #expect(try Self.refuses(algorithm, value + value))
            #expect(try Self.refuses(algorithm, r + value))
            #expect(try Self.refuses(algorithm, value + s))
        }
        #expect(try Self.refuses(algorithm, s + r))
        #expect(try !Self.refuses(algorithm, good))
    }

    @Test("ECDSA in DER is refused, cut to the length of r‖s too", arguments: curves)
    func der(_ algorithm: SignatureAlgorithm, _ curve: EllipticCurve) throws {
        let good = try Self.honest(algorithm)
        let der = try #require(ECDSASignatureEncodingForTests.der(good, curve))
        #expect(try Self.refuses(algorithm, der))
        let width = curve.coordinateByteCount * 2
        #expect(try Self.refuses(algorithm, Array(der.prefix(width))))
        #expect(try Self.refuses(algorithm, Array(der.suffix(width))))
    }

    @Test("Every other length is refused", arguments: SignatureAlgorithm.allCases + [])
    func lengths(_ algorithm: SignatureAlgorithm) throws {
        let good = try Self.honest(algorithm)
        #expect(try !Self.refuses(algorithm, good))
        for count in [0, 1, 2, good.count / 2, good.count - 1] {
            #expect(try Self.refuses(algorithm, Array(good.prefix(count))), "\(count) bytes")
        }
        for extra in [[0], [0, 0], good] as [[UInt8]] {
            #expect(try Self.refuses(algorithm, good + extra))
            #expect(try Self.refuses(algorithm, extra + good))
        }
        #expect(try Self.refuses(algorithm, Array(good.dropFirst())))
        #expect(try Self.refuses(algorithm, [UInt8](repeating: 0, count: good.count)))
        #expect(try Self.refuses(algorithm, [UInt8](repeating: 0xff, count: good.count)))
        #expect(try Self.refuses(algorithm, good.reversed()))
    }

    @Test(
        "Each bit of a signature, of the header and of the claims counts",
        arguments: [SignatureAlgorithm.rs256, .ps256, .es256, .ed25519])
    func everyBit(_ algorithm: SignatureAlgorithm) throws {
        let verifier = try TestKeys.verifier(algorithm)
        let token = Array(
            try Forge.token(TestKeys.header(algorithm.name), by: Forge.signer(algorithm)).utf8)
        for index in token.indices {
            for bit in 0..<8 {
                var altered = token
                altered[index] ^= 1 << UInt8(bit)
                #expect(
                    refusal { try verifier.verify(altered, as: JSONValue.self) } != nil,
                    "byte \(index), bit \(bit)")
            }
        }
    }

    @Test("A truncated or extended HMAC tag is refused", arguments: HMACAlgorithm.allCases)
    func tags(_ algorithm: HMACAlgorithm) throws {
        let verifier = try TokenVerifier(
            hmacKey: TestKeys.hmac(algorithm), policy: TestClaims.policy())
        let header = TestKeys.header(algorithm.name)
        let input = Forge.encoded(header) + "." + Forge.encoded(TestClaims.json)
        let tag = try Forge.hmac(TestKeys.secret, algorithm.hash)(Array(input.utf8))
        _ = try verifier.verify(Forge.compact(header, TestClaims.json, tag))
        let others =
            (0..<tag.count).map { Array(tag.prefix($0)) } + [tag + [0], tag + tag, [0] + tag]
        for other in others {
            let token = Forge.compact(header, TestClaims.json, other)
            #expect(
                refusal { try verifier.verify(token) }?.code == .signatureInvalid,
                "\(other.count) bytes")
        }
    }

    @Test("Ed25519: S + L, another encoding of the same number, is refused")
    func edwardsMalleability() throws {
        var signature = try Self.honest(.ed25519)
        let order: [UInt8] =
            [
                0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9,
                0xde,
                0x14,
            ] + [UInt8](repeating: 0, count: 15) + [0x10]
        var carry = 0
        for index in 0..<32 {
            let sum = Int(signature[32 + index]) + Int(order[index]) + carry
            signature[32 + index] = UInt8(sum & 0xff)
            carry = sum >> 8
        }
        #expect(try Self.refuses(.ed25519, signature))
    }

    /// Not a forgery, but two texts for one token: to detect replays, store `jti`, not the token's
    /// bytes.
    @Test("ECDSA: (r, n - s) also verifies, as the algorithm allows")
    func ellipticMalleability() throws {
        let good = try Self.honest(.es256)
        let order = EllipticCurve.p256.orderForTests
        var negated = [UInt8](repeating: 0, count: 32)
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(good[32 + index]) - borrow
            negated[index] = UInt8(difference & 0xff)
            borrow = difference < 0 ? 1 : 0
        }
        #expect(try !Self.refuses(.es256, good.prefix(32) + negated))
    }
}

/// r‖s as DER, by the plain rules: one leading zero where the top bit is set.
enum ECDSASignatureEncodingForTests {
    static func der(_ raw: [UInt8], _ curve: EllipticCurve) -> [UInt8]? {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var value = Array(bytes.drop { $0 == 0 })
            if (value.first ?? 0x80) >= 0x80 { value.insert(0, at: 0) }
            return [0x02, UInt8(value.count)] + value
        }
        let body = integer(raw.prefix(raw.count / 2)) + integer(raw.suffix(raw.count / 2))
        return (body.count < 0x80 ? [0x30, UInt8(body.count)] : [0x30, 0x81, UInt8(body.count)])
            + body
    }
}
