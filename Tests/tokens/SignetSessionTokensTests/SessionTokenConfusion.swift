// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

@Suite("Good tokens of another kind as session tokens")
struct SessionTokenConfusion {
    typealias Fixture = SessionFixture

    @Test(
        "A token of another kind under the same ring is refused", arguments: Fixture.Kind.allCases)
    func otherKind(_ kind: Fixture.Kind) throws {
        let ring = try Fixture.ring(kind)
        let sessions = try Fixture.issuer(ring)
        let cases: [(SessionTokenIssuer, TokenError)] = [
            (
                try Fixture.issuer(ring, audience: "app.refresh"),
                TokenError(.audienceMismatch, claim: "aud", "")
            ),
            (
                try Fixture.issuer(ring, audience: "App.Session"),
                TokenError(.audienceMismatch, claim: "aud", "")
            ),
            (try Fixture.issuer(ring, type: "refresh+jwt"), TokenError(.typeMismatch, "")),
            (
                try Fixture.issuer(ring, issuer: "https://app.example/"),
                TokenError(.issuerMismatch, claim: "iss", "")
            ),
            (
                try Fixture.issuer(ring, issuer: "https://other.example"),
                TokenError(.issuerMismatch, claim: "iss", "")
            ),
        ]
        for (other, expected) in cases {
            let token = try other.issue(subject: "u").token
            #expect(refusal { try other.verify(token) } == nil)
            #expect(refusal { try sessions.verify(token) } == expected)
        }
    }

    @Test("An ID token under the application's own key is refused")
    func idToken() throws {
        let key = try Fixture.pair()
        let sessions = try Fixture.issuer(SessionKeyRing(key))
        let claims: [String: JSONValue] = [
            "iss": .string("https://accounts.example"), "aud": .string("client"),
            "sub": .string("1"),
            "iat": .integer(Int64(Fixture.now)), "exp": .integer(Int64(Fixture.now) + 3600),
            "nonce": .string("n"),
        ]
        let foreign = try TokenSigner(key: Fixture.pair(.es256, "google"), clock: .still).sign(
            claims)
        #expect(refusal { try sessions.verify(foreign) }?.code == .noMatchingKey)
        let samePublished = try TokenSigner(key: Fixture.pair(.es256, "k1"), clock: .still).sign(
            claims)
        #expect(refusal { try sessions.verify(samePublished) }?.code == .signatureInvalid)
        let own = try TokenSigner(key: key, clock: .still).sign(claims)
        #expect(
            refusal { try sessions.verify(own) }
                == TokenError(.issuerMismatch, claim: "iss", ""))
    }

    @Test(
        "A token without a required claim is refused",
        arguments: ["iss", "aud", "sub", "sid", "jti", "iat", "nbf", "exp"])
    func missing(_ name: String) throws {
        let key = try Fixture.secret()
        var claims = Fixture.claims()
        #expect(try outcome(of: claims, key) == nil)
        claims[name] = nil
        #expect(try outcome(of: claims, key) == TokenError(.claimMissing, claim: name, ""))
        claims[name] = .null
        #expect(try outcome(of: claims, key).map { HTTPRefusal($0) } == .invalidToken)
    }

    @Test(
        "A claim of a wrong type, empty or overlong, is refused", arguments: ["sub", "sid", "jti"])
    func impossible(_ name: String) throws {
        let key = try Fixture.secret()
        for value: JSONValue in [
            .integer(1), .bool(true), .array([.string("a")]), .string(""),
            .string(String(repeating: "x", count: 256)),
        ] {
            var claims = Fixture.claims()
            claims[name] = value
            #expect(
                try outcome(of: claims, key) == TokenError(.claimInvalid, claim: name, ""),
                "\(value)")
        }
    }

    @Test("A token for this audience and others is refused")
    func severalAudiences() throws {
        let key = try Fixture.secret()
        var claims = Fixture.claims()
        claims["aud"] = .array([.string(Fixture.audience)])
        #expect(try outcome(of: claims, key) == nil)
        claims["aud"] = .array([.string(Fixture.audience), .string("app.refresh")])
        #expect(try outcome(of: claims, key) == TokenError(.audienceMismatch, claim: "aud", ""))
    }

    @Test("A token without kid, or with another key's, is refused")
    func keyIdentifiers() throws {
        let secret = SecretKey(copying: Array(0..<32) as [UInt8])
        let issuer = try Fixture.issuer(
            SessionKeyRing(HMACKey(secret: secret, algorithm: .hs256, keyID: "k1")))
        let sign = { (keyID: String?) in
            try TokenSigner(
                hmacKey: HMACKey(secret: secret, algorithm: .hs256, keyID: keyID), clock: .still
            ).sign(
                Fixture.claims())
        }
        #expect(refusal { try issuer.verify(sign("k1")) } == nil)
        #expect(refusal { try issuer.verify(sign(nil)) }?.code == .noMatchingKey)
        #expect(refusal { try issuer.verify(sign("k2")) }?.code == .noMatchingKey)
        #expect(refusal { try issuer.verify(sign("K1")) }?.code == .noMatchingKey)
        #expect(refusal { try issuer.verify(sign("\u{212a}1")) }?.code == .noMatchingKey)
    }

    @Test("The ring's published half as an HMAC secret, and alg none, are refused")
    func algorithms() throws {
        let key = try Fixture.pair(.rs256)
        let issuer = try Fixture.issuer(SessionKeyRing(key))
        let good = try issuer.issue(subject: "u").token
        let payload = try #require(good.split(separator: ".").dropFirst().first)
        for header in [#"{"alg":"none","kid":"k1"}"#, #"{"alg":"HS256","kid":"k1","typ":"JWT"}"#] {
            let forged = Base64URL.encode(Array(header.utf8)) + "." + payload + ".AAAA"
            #expect(refusal { try issuer.verify(forged) }?.code == .algorithmNotAllowed)
        }
        // No HMAC key can even be made from it.
        let published = try issuer.keys.jwksJSON()
        #expect(
            configurationRefusal { try SessionSecret.raw(published.utf8, keyID: "k1") }
                == .invalidSecret)
    }

    private func outcome(of claims: [String: JSONValue], _ key: HMACKey) throws -> TokenError? {
        let token = try JWSSigner(hmacKey: key, type: "JWT").sign(JSONTokenEncoder().encode(claims))
        let issuer = try Fixture.issuer(SessionKeyRing(key))
        return refusal { try issuer.verify(token) }
    }
}
