// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

@Suite("Documents of a session key ring")
struct SessionKeyRingDocuments {
    typealias Fixture = SessionFixture

    private static func read(_ text: String) throws -> SessionKeyRing {
        try SessionKeyRing(privateJWKS: SecretBytes(copying: text.utf8))
    }

    @Test(
        "A ring is stored and read back with the same keys, order and times",
        arguments: Fixture.Kind.allCases)
    func roundTrip(_ kind: Fixture.Kind) throws {
        let first = try Fixture.issuer(Fixture.ring(kind))
        let old = try first.issue(subject: "u").token
        var ring = try Fixture.rotated(first.keys, kind, "k2", until: Fixture.now + 3600)
        ring = try Fixture.rotated(ring, kind, "k\"3\\ é")
        let document = try ring.exportPrivateJSON().exposedText()
        let back = try Self.read(document)
        #expect(back.members == ring.members)
        #expect(try Fixture.issuer(back).verify(old).keyID == "k1")
        let new = try Fixture.issuer(back).issue(subject: "u").token
        #expect(try Fixture.issuer(ring).verify(new).keyID == ring.currentKeyID)
        #expect(try back.exportPrivateJSON().exposedText() == document)
        #expect(
            refusal { try Fixture.issuer(back, at: Fixture.now + 3600).verify(old) }?.code
                == .noMatchingKey)
    }

    @Test("A verify-only key keeps no private half")
    func privateHalves() throws {
        let ring = try SessionKeyRing(Fixture.pair()).rotated(to: Fixture.pair(.ed25519, "k2"))
        let document = try ring.exportPrivateJSON().exposedText()
        #expect(document.ranges(of: "\"d\":").count == 1)
        // Nor if it comes from elsewhere.
        let one = try Fixture.pair(.es256, "a").exportPrivateJSON().exposedText()
        let two = try Fixture.pair(.rs256, "b").exportPrivateJSON().exposedText()
        let both = try Self.read("{\"keys\":[\(one),\(two)]}")
        #expect(try both.exportPrivateJSON().exposedText().ranges(of: "\"d\":").count == 1)
    }

    @Test("A ring with too many members is refused before any of them is read")
    func tooMany() throws {
        let count = SessionKeyRing.maximumKeyCount + 1
        let garbage = [String](repeating: "{}", count: count).joined(separator: ",")
        #expect(configurationRefusal { try Self.read("{\"keys\":[\(garbage)]}") } == .outOfRange)
        // The largest keys within the limit of bytes: a private half of each took 40 ms.
        let document = try WorstKeySet.rsaWithExponent.document(
            maximumByteCount: SessionKeyRing.maximumByteCount, maximumKeyCount: 1_000)
        #expect(configurationRefusal { try Self.read(document) } == .outOfRange)
    }

    @Test("A ring computes with the private half of its first key alone")
    func cost() throws {
        let named = { (count: Int) in
            try WorstKeySet.rsaWithExponent.document(
                maximumByteCount: SessionKeyRing.maximumByteCount, maximumKeyCount: count
            ).replacing("\"kty\":\"RSA\"", with: "\"kty\":\"RSA\",\"alg\":\"RS256\"")
        }
        let documents = try [1, SessionKeyRing.maximumKeyCount].map(named)
        let costs = try documents.map { text in
            try (0..<3).map { _ in try ThreadClock.measure { _ = try Self.read(text) } }.min()
                ?? .zero
        }
        print("A ring of one RSA key of 8192 bits: \(costs[0]); of 32: \(costs[1])")
        #expect(costs[1] <= costs[0] * 4)
    }

    @Test(
        "Only public halves are published",
        arguments: [Fixture.Kind.rs256, .es256, .ed25519])
    func published(_ kind: Fixture.Kind) throws {
        let ring = try Fixture.rotated(Fixture.ring(kind), kind, "k2")
        let json = try ring.jwksJSON()
        let set = try KeySet(jwks: json)
        #expect(set.skipped.isEmpty)
        #expect(set.keys.map(\.keyID) == ["k2", "k1"])
        for name in ["d", "p", "q", "dp", "dq", "qi", "k"] {
            #expect(!json.contains("\"\(name)\":"))
        }
        // Anyone who has it verifies our tokens with it.
        let issued = try Fixture.issuer(ring).issue(subject: "u")
        let verifier = TokenVerifier(
            keys: set,
            policy: try TokenPolicy(
                issuer: Fixture.issuer, audience: [Fixture.audience],
                clock: .fixed(secondsSince1970: Fixture.now)))
        #expect(try verifier.verify(issued.token).registered.tokenID == issued.tokenID)
    }

    @Test("A ring of secrets cannot be published")
    func secretsAreNotPublished() throws {
        let ring = try Fixture.ring(.hs256)
        #expect(configurationRefusal { try ring.jwksJSON() } == .contradiction)
    }

    @Test("Malformed documents are refused")
    func refused() throws {
        let secret = try Fixture.secret("s1").exportPrivateJSON().exposedText()
        let pair = try Fixture.pair(.es256, "p1").exportPrivateJSON().exposedText()
        let other = try Fixture.pair(.es256, "p2").exportPrivateJSON().exposedText()
        let published = try Fixture.pair(.es256, "p3").verificationKey.jwk.publicJSON()
        let with = { (json: String, member: String) in json.dropLast() + ",\(member)}" }
        let cases: [(String, IdentityConfigurationError.Code)] = [
            ("", .invalidKeys), ("[]", .invalidKeys), ("{}", .invalidKeys),
            (#"{"keys":{}}"#, .invalidKeys),
            (#"{"keys":[]}"#, .invalidKeys), (#"{"keys":[1]}"#, .invalidKeys),
            (#"{"keys":[{"kty":"XYZ"}]}"#, .invalidKeys), (#"{"keys":[],"keys":[]}"#, .invalidKeys),
            ("{\"keys\":[\(published)]}", .invalidKeys),
            ("{\"keys\":[\(published),\(pair)]}", .invalidKeys),
            ("{\"keys\":[\(pair),\(secret)]}", .contradiction),
            ("{\"keys\":[\(secret),\(pair)]}", .contradiction),
            ("{\"keys\":[\(pair),\(pair)]}", .contradiction),
            ("{\"keys\":[\(with(pair, "\"exp\":1"))]}", .contradiction),
            ("{\"keys\":[\(pair),\(with(other, "\"exp\":\"1\""))]}", .invalidKeys),
            ("{\"keys\":[\(pair),\(with(other, "\"exp\":1.5"))]}", .invalidKeys),
            ("{\"keys\":[\(pair),\(with(other, "\"exp\":null"))]}", .invalidKeys),
            ("{\"keys\":[\(pair),{\"kty\":\"EC\"}]}", .invalidKeys),
            ("{\"keys\":[\(secret.replacing("\"s1\"", with: "\"\""))]}", .invalidIdentifier),
            ("{\"keys\":[\(secret.replacing("\"kid\":\"s1\",", with: ""))]}", .invalidIdentifier),
            (
                "{\"keys\":[" + String(repeating: " ", count: SessionKeyRing.maximumByteCount)
                    + "]}",
                .invalidKeys
            ),
        ]
        for (document, code) in cases {
            #expect(
                configurationRefusal { try Self.read(document) } == code, "\(document.prefix(60))")
        }
        // White space is JSON's own affair.
        #expect(configurationRefusal { try Self.read("{\"keys\":[\(secret)]} ") } == nil)
        let errors = cases.compactMap { document, _ -> String? in
            do { _ = try Self.read(document) } catch { return "\(error)" }
            return nil
        }
        let key = try #require(secret.split(separator: "\"k\":\"").last).prefix(20)
        #expect(!errors.contains { $0.contains(key) })
    }
}
