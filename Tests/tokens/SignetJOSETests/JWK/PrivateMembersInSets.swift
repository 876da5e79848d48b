// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// A set of public keys takes the public half of each member and reads nothing of the other.
@Suite("Private keys in public key sets")
struct PrivateMembersInSets {
    private static let names = ["d", "p", "q", "dp", "dq", "qi"]

    private static func set(_ members: String...) throws -> KeySet {
        try KeySet(jwks: "{\"keys\":[\(members.joined(separator: ","))]}")
    }

    @Test(
        "A private member's value changes nothing, and d is a string",
        arguments: [TestPublicPEM.rsa, TestPublicPEM.p256, TestPublicPEM.ed25519])
    func unread(_ pem: String) throws {
        let key = try JWK(pem: pem, keyID: "k1")
        let own = try key.publicJSON().dropLast()
        for name in Self.names {
            for value in ["null", "7", "{}", #""""#, #""AA""#, #""not base64""#] {
                let set = try Self.set("\(own),\"\(name)\":\(value)}")
                guard name != "d" || value.hasPrefix("\"") else {
                    #expect(set.keys.isEmpty && set.skipped.map(\.reason.code) == [.malformed])
                    continue
                }
                #expect(set.skipped.isEmpty, "\(name): \(value)")
                #expect(try set.keys.first?.jwk.thumbprint() == key.thumbprint())
            }
        }
    }

    @Test("A private half of another key is not compared, and the public half alone verifies")
    func foreignHalf() throws {
        let own = try JWK(pem: TestPublicPEM.p256, keyID: "k1").publicJSON()
        let other = try SigningKey.generate(.es256).exportPrivateJSON().exposedText()
        let mixed = try String(own.dropLast()) + ",\"d\":\"\(secretMember(other, "d"))\"}"
        #expect(keyRefusal { try JWK(mixed) }?.code == .invalidKeyMaterial)
        let verifier = JWSVerifier(keys: try Self.set(mixed))
        let token = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        #expect(try verifier.verify(token).keyID == "k1")
    }

    @Test("key_ops of a private key that may sign allow its public half to verify")
    func operations() throws {
        let own = try JWK(pem: TestPublicPEM.p256, keyID: "k1").publicJSON().dropLast()
        for (members, code) in [
            (#""key_ops":["sign"],"d":"AA""#, nil), (#""key_ops":["sign","verify"],"d":"AA""#, nil),
            (#""key_ops":["verify"],"d":"AA""#, nil),
            (#""key_ops":["sign"]"#, .operationNotAllowed),
            (#""key_ops":["deriveBits"],"d":"AA""#, .operationNotAllowed),
        ] as [(String, KeyError.Code?)] {
            let set = try Self.set("\(own),\(members)}")
            #expect(set.skipped.first?.reason.code == code, "\(members)")
        }
    }

    @Test("A damaged public half is not healed by the private one")
    func damaged() throws {
        let text = try JWK(pem: TestPrivatePEM.p256, keyID: "k1").exportPrivateJSON().exposedText()
        let y = try secretMember(text, "y")
        let set = try Self.set(text.replacing("\"y\":\"\(y)\"", with: "\"y\":\"AAAA\""))
        #expect(set.keys.isEmpty && set.skipped.map(\.reason.code) == [.invalidKeyMaterial])
    }

    @Test("The secret of a symmetric member is not read")
    func symmetric() throws {
        for k in [#","k":"AAAA""#, #","k":"not base64""#, #","k":7"#, ""] {
            let set = try Self.set("{\"kty\":\"oct\"\(k)}")
            #expect(set.skipped.map(\.reason.code) == [.wrongKeyClass])
        }
    }

    /// The cost is compared with that of a document of the same size whose private members have
    /// names that no reader knows. Checking the private halves took 400 times as long.
    @Test(
        "The most expensive sets cost what their public halves do", arguments: WorstKeySet.allCases)
    func costs(_ kind: WorstKeySet) throws {
        func least(_ text: String, _ read: ([UInt8]) throws -> Int) throws -> Duration {
            let bytes = Array(text.utf8)
            return try (0..<3).map { _ in
                var count = 0
                let cost = try ThreadClock.measure { count = try read(bytes) }
                #expect(count > 50)
                return cost
            }.min() ?? .zero
        }
        let documents = try [false, true].map {
            try kind.document(
                maximumByteCount: KeySet.maximumByteCount, maximumKeyCount: KeySet.maximumKeyCount,
                renaming: $0)
        }
        let costs = try documents.map { text in
            try least(text) { try KeySet(jwks: $0).keys.count }
        }
        print("\(kind.rawValue), \(documents[0].utf8.count) bytes: \(costs[0])")
        #expect(costs[0] <= costs[1] * 2)
        let published = try documents.map { text in
            try least(text) { bytes in
                let keys = try PublishedKeys(
                    jwks: bytes, algorithms: SignatureAlgorithm.allCases,
                    maximumKeyCount: KeySet.maximumKeyCount
                ).keys
                return keys.keys.count + keys.skipped.count
            }
        }
        #expect(published[0] <= published[1] * 2)
        // It reads the first members' types, and nothing of the keys.
        let refused = ThreadClock.measure {
            #expect(
                keyRefusal { try HMACKeySet(jwks: documents[0].utf8) }?.code == .mixedKeySet)
        }
        #expect(refused <= costs[0] * 2)
    }
}
