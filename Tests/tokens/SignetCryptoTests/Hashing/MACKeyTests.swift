// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("HMAC")
struct MACKeyTests {
    struct Figure: Sendable, CustomTestStringConvertible {
        let name: String
        let hash: HashAlgorithm
        let key: String
        let message: String
        let code: String

        var testDescription: String { name }
    }

    /// A test case of the RFC: a key, a message, and their code with each hash.
    private static func figures(
        _ number: Int, key: String, message: String, sha256: String, sha384: String, sha512: String
    ) -> [Figure] {
        [(HashAlgorithm.sha256, sha256), (.sha384, sha384), (.sha512, sha512)].map { hash, code in
            Figure(
                name: "rfc4231-\(number)-\(hash)", hash: hash, key: key, message: message,
                code: code)
        }
    }

    // Test case 5 of the RFC is cut to 128 bits, so that its code is a prefix.
    static let rfc4231 = [
        figures(
            1,
            key: "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
            message: "4869205468657265",
            sha256: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            sha384: """
                afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2
                fa9cb6
                """,
            sha512: """
                87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eae
                a3f4e4be9d914eeb61f1702e696c203a126854
                """),
        figures(
            2,
            key: "4a656665",
            message: "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            sha384: """
                af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfa
                b21649
                """,
            sha512: """
                164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8
                f0e6fdcaeab1a34d4a6b4b636e070a38bce737
                """),
        figures(
            3,
            key: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            message: """
                dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd
                dddddddddd
                """,
            sha256: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
            sha384: """
                88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b2a5ab39dc13814b94e3ab6e101
                a34f27
                """,
            sha512: """
                fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e
                67c807b946a337bee8942674278859e13292fb
                """),
        figures(
            4,
            key: "0102030405060708090a0b0c0d0e0f10111213141516171819",
            message: """
                cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd
                cdcdcdcdcd
                """,
            sha256: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
            sha384: """
                3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e6801dd23c4a7d679ccf8a386c6
                74cffb
                """,
            sha512: """
                b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5
                788063a5f19741120c4f2de2adebeb10a298dd
                """),
        figures(
            5,
            key: "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
            message: "546573742057697468205472756e636174696f6e",
            sha256: "a3b6167473100ee06e0c796c2955552b",
            sha384: "3abf34c3503b2a23a46efc619baef897",
            sha512: "415fad6271580a531d4179bc891d87a6"),
        figures(
            6,
            key: """
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                """,
            message: """
                54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d204861736820
                4b6579204669727374
                """,
            sha256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            sha384: """
                4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163
                f44952
                """,
            sha512: """
                80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d
                6a1e5295e64f73f63f0aec8b915a985d786598
                """),
        figures(
            7,
            key: """
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                """,
            message: """
                5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b2d73697a65
                206b657920616e642061206c6172676572207468616e20626c6f636b2d73697a6520646174612e20546865206b
                6579206e6565647320746f20626520686173686564206265666f7265206265696e672075736564206279207468
                6520484d414320616c676f726974686d2e
                """,
            sha256: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
            sha384: """
                6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5a678cc31e799176d3860e6110c
                46523e
                """,
            sha512: """
                e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3
                e4de15134676fb6de0446065c97440fa8c6a58
                """),
    ].flatMap(\.self)

    @Test("The codes of RFC 4231", arguments: rfc4231)
    func knownAnswers(figure: Figure) throws {
        let mac = try MACKey(key(bytes(figure.key)), hash: figure.hash)
        let code = try mac.authenticationCode(for: bytes(figure.message))
        let expected = bytes(figure.code)
        #expect(hex(code.prefix(expected.count)) == hex(expected))
        #expect(code.count == figure.hash.byteCount)
        #expect(try mac.isValid(code, for: bytes(figure.message)))
    }

    @Test(
        "A code changed in any bit or length is not valid",
        arguments: HashAlgorithm.allCases)
    func changedCodes(hash: HashAlgorithm) throws {
        let mac = try MACKey(key(repeating: 7, hash.byteCount), hash: hash)
        let message = Array("message".utf8)
        let code = try mac.authenticationCode(for: message)
        #expect(try mac.isValid(code, for: message))
        for bit in 0..<(code.count * 8) {
            var changed = code
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try !mac.isValid(changed, for: message), "bit \(bit)")
        }
        for count in 0..<code.count {
            #expect(try !mac.isValid(code.prefix(count), for: message), "\(count)")
        }
        for other in [code + [0], [0] + code, code + code] {
            #expect(try !mac.isValid(other, for: message))
        }
        for other in [[], message + [0], Array(message.dropLast())] {
            #expect(try !mac.isValid(code, for: other))
        }
    }

    @Test("A code is not valid for another key or hash")
    func otherKeys() throws {
        let message = Array("message".utf8)
        let code = try MACKey(key(repeating: 7, 64), hash: .sha512).authenticationCode(for: message)
        #expect(try !MACKey(key(repeating: 8, 64), hash: .sha512).isValid(code, for: message))
        #expect(try !MACKey(key(repeating: 7, 63), hash: .sha512).isValid(code, for: message))
        let short = try MACKey(key(repeating: 7, 64), hash: .sha256).authenticationCode(
            for: message)
        #expect(try !MACKey(key(repeating: 7, 64), hash: .sha384).isValid(short, for: message))
        #expect(
            try !MACKey(key(repeating: 7, 64), hash: .sha512).isValid(code.prefix(32), for: message)
        )
    }

    @Test(
        "An empty key is refused, a key of one byte is not, and the empty message has a code",
        arguments: HashAlgorithm.allCases)
    func edges(hash: HashAlgorithm) throws {
        #expect(code { _ = try MACKey(key([]), hash: hash) } == .invalidKeySize)
        let mac = try MACKey(key([1]), hash: hash)
        let code = try mac.authenticationCode(for: [])
        #expect(try mac.isValid(code, for: EmptyCollection<UInt8>()))
        #expect(try !mac.isValid(EmptyCollection<UInt8>(), for: []))
        #expect(mac.hash == hash)
    }
}
