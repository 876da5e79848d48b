// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// The other direction: others verify what Signet issues, with what Signet publishes.
@Suite(
    "Session tokens and client secrets, verified by joserfc and Authlib",
    .tags(.interop),
    .enabled(if: Python.isAvailable, "\(Python.absence)"))
struct RelyingPartyTests {
    struct Case: Encodable, Sendable {
        let jwks: Keys
        let token: String
        let issuer: String
        let audience: String
        var nonce: String?

        /// A published set, as JSON inside JSON.
        struct Keys: Encodable, Sendable {
            let keys: [[String: String]]

            init(_ json: String) throws {
                struct Form: Decodable { let keys: [[String: String]] }
                keys = try JSONDecoder().decode(Form.self, from: Data(json.utf8)).keys
            }
        }
    }

    struct Answers: Decodable, Sendable {
        struct Claims: Decodable, Sendable {
            let iss: String
            let sub: String
            let aud: String
            let iat: Int
            let exp: Int
            let jti: String?
            let sid: String?
            let role: String?
        }
        struct Outcome: Decodable, Sendable {
            let claims: Claims?
            let error: String?
        }
        struct Answer: Decodable, Sendable {
            let joserfc: Outcome
            let authlib: Outcome
            var both: [Outcome] { [joserfc, authlib] }
        }
        let answers: [Answer]
    }

    private struct Question: Encodable {
        let cases: [Case]
    }

    static let issuer = "https://app.example"
    static let audience = "app.session"

    static func ask(_ cases: [Case]) throws -> [Answers.Answer] {
        let answers = try Python.ask("relying_party", Question(cases: cases), as: Answers.self)
            .answers
        #expect(answers.count == cases.count)
        return answers
    }

    static func sessions(_ ring: SessionKeyRing) throws -> SessionTokenIssuer {
        try SessionTokenIssuer(
            issuer: issuer, audience: audience, keys: ring, lifetime: .seconds(3600), clock: .peers)
    }

    @Test(
        "Session tokens verify before and after a rotation",
        arguments: ["RS256", "ES256", "Ed25519"])
    func sessionTokens(_ name: String) throws {
        let algorithm = try #require(SignatureAlgorithm(name: name))
        let first = try Self.sessions(SessionKeyRing(.generate(algorithm, keyID: "2026-01")))
        let old = try first.issue(subject: "user-1", claims: ["role": "admin"])
        let second = try first.using(first.keys.rotated(to: .generate(algorithm, keyID: "2026-02")))
        let new = try second.issue(
            subject: "user-1", sessionID: old.sessionID, claims: ["role": "admin"])
        let jwks = try Case.Keys(second.keys.jwksJSON())
        let revoked = try Case.Keys(second.keys.without(keyID: "2026-01").jwksJSON())
        let answers = try Self.ask([
            Case(jwks: jwks, token: old.token, issuer: Self.issuer, audience: Self.audience),
            Case(jwks: jwks, token: new.token, issuer: Self.issuer, audience: Self.audience),
            Case(jwks: revoked, token: old.token, issuer: Self.issuer, audience: Self.audience),
            Case(jwks: jwks, token: new.token, issuer: Self.issuer, audience: "app.refresh"),
            Case(jwks: jwks, token: new.token, issuer: Self.issuer + "/", audience: Self.audience),
            Case(
                jwks: jwks, token: String(new.token.dropLast(8)) + "AAAAAAAA", issuer: Self.issuer,
                audience: Self.audience),
        ])
        for (answer, issued) in zip(answers, [old, new]) {
            for outcome in answer.both {
                #expect(outcome.error == nil)
                let claims = try #require(outcome.claims)
                #expect(
                    claims.iss == Self.issuer && claims.aud == Self.audience
                        && claims.sub == "user-1")
                #expect(
                    claims.jti == issued.tokenID && claims.sid == old.sessionID
                        && claims.role == "admin")
                #expect(claims.exp - claims.iat == issued.expiresIn)
            }
        }
        for answer in answers.dropFirst(2) {
            for outcome in answer.both { #expect(outcome.error != nil) }
        }
    }

    @Test("Apple's client secret verifies")
    func appleClientSecret() throws {
        let key = try SigningKey.generate(.es256, keyID: "APPLEKEY01")
        let secret = try AppleClientSecret.issue(
            teamID: "ABCDE12345", clientID: "example.app.signin", key: key,
            lifetime: .seconds(15_777_000), clock: .peers)
        let jwks = try Case.Keys(KeySet([key.verificationKey]).jwksJSON())
        let answer = try #require(
            try Self.ask([
                Case(
                    jwks: jwks, token: secret, issuer: "ABCDE12345",
                    audience: "https://appleid.apple.com")
            ]).first)
        for outcome in answer.both {
            let claims = try #require(outcome.claims)
            #expect(claims.sub == "example.app.signin")
            #expect(claims.exp - claims.iat == 15_777_000)
        }
    }
}
