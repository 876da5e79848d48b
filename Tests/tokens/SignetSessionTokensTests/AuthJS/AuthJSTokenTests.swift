// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

@Suite("Tokens of Auth.js that are refused")
struct AuthJSTokenTests {
    typealias Fixture = AuthJSFixture

    @Test("A session ends 15 seconds after exp, to the second")
    func expiration() throws {
        let end = Fixture.now + 3600
        #expect(try Fixture.refusalOfToken(Fixture.claims(), at: end) == nil)
        #expect(try Fixture.refusalOfToken(Fixture.claims(), at: end + 14.999) == nil)
        #expect(
            try Fixture.refusalOfToken(Fixture.claims(), at: end + 15)
                == TokenError(.expired, claim: "exp", ""))
    }

    @Test("A session begins up to 15 seconds before nbf and iat", arguments: ["nbf", "iat"])
    func beginning(_ name: String) throws {
        var claims = Fixture.claims()
        claims[name] = .integer(Int64(Fixture.now) + 15)
        #expect(try Fixture.refusalOfToken(claims) == nil)
        claims[name] = .integer(Int64(Fixture.now) + 16)
        #expect(
            try Fixture.refusalOfToken(claims) == TokenError(.notYetValid, claim: name, ""))
    }

    @Test("exp and sub are required; iat, jti and a profile are not")
    func required() throws {
        for name in ["exp", "sub"] {
            var claims = Fixture.claims()
            claims[name] = nil
            #expect(
                try Fixture.refusalOfToken(claims) == TokenError(.claimMissing, claim: name, ""))
        }
        let claims: [String: JSONValue] = [
            "sub": .string("user-1"), "exp": .integer(Int64(Fixture.now) + 1),
        ]
        let sessions = try Fixture.sessions()
        let session = try Fixture.open(sessions.makeToken(claims), with: sessions)
        #expect(session.subject == "user-1" && session.issuedAt == nil && session.name == nil)
    }

    @Test("A cookie of version 4 for the state of a sign-in is no session (CVE-2023-48309)")
    func stateCookie() throws {
        // Before 4.24.5 these were encrypted with the same key as sessions.
        let sessions = try Fixture.sessions(.v4)
        var claims = Fixture.claims()
        claims["sub"] = nil
        claims["email"] = nil
        claims["value"] = .string("opaque")
        let token = try sessions.makeToken(claims)
        #expect(
            refusal { try Fixture.open(token, with: sessions) }
                == TokenError(.claimMissing, claim: "sub", ""))
    }

    @Test(
        "A claim of a wrong type is refused",
        arguments: ["exp", "iat", "nbf", "sub", "jti"])
    func wrongTypes(_ name: String) throws {
        var values: [JSONValue] = [.bool(true), .array([.string("a")])]
        values.append(["exp", "iat", "nbf"].contains(name) ? .string("1800000000") : .integer(1))
        for value in values {
            var claims = Fixture.claims()
            claims[name] = value
            #expect(
                try Fixture.refusalOfToken(claims) == TokenError(.claimInvalid, claim: name, ""),
                "\(value)")
        }
    }

    @Test("A claim of the profile that is no text counts as absent, and refuses nobody")
    func profilesOfOtherTypes() throws {
        let sessions = try Fixture.sessions()
        for value in [
            .null, .bool(false), .integer(42), .array([.string("a@example.com")]),
            .object(["data": .object(["url": .string("https://img.example/a.png")])]),
        ] as [JSONValue] {
            var claims = Fixture.claims()
            for name in ["name", "email", "picture"] { claims[name] = value }
            let session = try Fixture.open(sessions.makeToken(claims), with: sessions)
            #expect(session.subject == "user-1" && session.name == nil)
            #expect(session.unverifiedEmail == nil && session.picture == nil)
        }
    }

    @Test("iss and aud, which are not checked, may be anything", arguments: ["iss", "aud"])
    func parties(_ name: String) throws {
        for value in [
            .null, .bool(true), .integer(7), .string(""), .string("a"), .array([.integer(7)]),
            .object([:]),
        ] as [JSONValue] {
            var claims = Fixture.claims()
            claims[name] = value
            #expect(try Fixture.refusalOfToken(claims) == nil, "\(value)")
        }
    }

    @Test("A subject has 1 to 255 bytes")
    func subjects() throws {
        for (count, isAccepted) in [(0, false), (1, true), (255, true), (256, false)] {
            var claims = Fixture.claims()
            claims["sub"] = .string(String(repeating: "x", count: count))
            let expected = isAccepted ? nil : TokenError(.claimInvalid, claim: "sub", "")
            #expect(try Fixture.refusalOfToken(claims) == expected)
        }
    }

    @Test("A kid of no secret's is refused, even on a token of the right key")
    func foreignKeyID() throws {
        let sessions = try Fixture.sessions()
        let own = try #require(
            try Fixture.keyID(of: Fixture.figure("named by its key, https").token))
        let key = try Fixture.key()
        #expect(
            refusal { try Fixture.open(Fixture.token(key: key, keyID: own), with: sessions) }
                == nil)
        for keyID in ["", "authjs", own.lowercased(), String(own.dropLast()), own + "A"] {
            #expect(
                refusal { try Fixture.open(Fixture.token(key: key, keyID: keyID), with: sessions) }?
                    .code == .noMatchingKey)
        }
    }

    @Test(
        "Any other algorithm is refused, with the right kid or without one",
        arguments: [
            (64, KeyManagementAlgorithm.direct, ContentEncryptionAlgorithm.a256CBCHS512, true),
            (32, .direct, .a256GCM, false), (32, .direct, .a128CBCHS256, false),
            (48, .direct, .a192CBCHS384, false), (16, .direct, .a128GCM, false),
            (32, .a256KW, .a256CBCHS512, false), (32, .a256KW, .a256GCM, false),
        ])
    func algorithms(
        byteCount: Int, algorithm: KeyManagementAlgorithm, content: ContentEncryptionAlgorithm,
        isAccepted: Bool
    ) throws {
        let own = try Fixture.keyID(of: Fixture.figure("named by its key, https").token)
        for keyID in [own, nil] {
            let token = try Fixture.token(
                key: Fixture.key(byteCount: byteCount), algorithm: algorithm, content: content,
                keyID: keyID)
            let code = refusal { try Fixture.open(token, with: Fixture.sessions()) }?.code
            let expected: TokenError.Code? = isAccepted ? nil : .algorithmNotAllowed
            #expect(code == expected)
        }
    }

    @Test("A signed token in the cookie is refused, under the same secret too")
    func signedToken() throws {
        let key = try HMACKey(
            secret: SecretKey(copying: AuthJSFigures.secret.utf8), algorithm: .hs256)
        let signed = try JWSSigner(hmacKey: key).sign(JSONTokenEncoder().encode(Fixture.claims()))
        let sessions = try Fixture.sessions()
        #expect(refusal { try Fixture.open(signed, with: sessions) }?.code == .malformed)
        // Nor is a signed token read inside of an encrypted one.
        let nested = try Fixture.token(
            key: Fixture.key(), keyID: nil, payload: Array(signed.utf8))
        #expect(refusal { try Fixture.open(nested, with: sessions) }?.code == .malformed)
    }

    @Test("A token whose text was changed is refused")
    func changed() throws {
        let figure = try Fixture.figure("named by its key, https")
        let sessions = try Fixture.sessions()
        let octets = Array(figure.token.utf8)
        // Each third character, so that each part has some; no dot, which changes the parts.
        for index in stride(from: 0, to: octets.count, by: 3) where octets[index] != 0x2e {
            var other = octets
            other[index] = other[index] == 0x41 ? 0x42 : 0x41
            let text = String(decoding: other, as: UTF8.self)
            #expect(refusal { try Fixture.open(text, with: sessions) } != nil, "\(index)")
        }
        for text in [figure.token + "A", String(figure.token.dropLast()), figure.token + "."] {
            #expect(refusal { try Fixture.open(text, with: sessions) } != nil)
        }
    }

    @Test("Claims that are no strict JSON object are refused: a member twice, half an emoji, depth")
    func strictClaims() throws {
        func nested(_ depth: Int) -> String {
            let begin = String(repeating: "[", count: depth - 1)
            let end = String(repeating: "]", count: depth - 1)
            return #"{"sub":"user-1","exp":1900000000,"x":\#(begin)\#(end)}"#
        }
        let deepest = try Fixture.token(
            key: Fixture.key(), keyID: nil, payload: Array(nested(32).utf8))
        #expect(try Fixture.open(deepest, with: Fixture.sessions()).subject == "user-1")
        for payload in [
            "", "[]", #"{"exp":1,"exp":1900000000}"#, #"{"exp":1900000000} "# + "x",
            #"{"sub":"user-1","exp":1900000000,"name":"Bob \ud83d"}"#, nested(33),
        ] {
            let token = try Fixture.token(
                key: Fixture.key(), keyID: nil, payload: Array(payload.utf8))
            #expect(
                refusal { try Fixture.open(token, with: Fixture.sessions()) }?.code == .malformed)
        }
    }

    @Test("Printing shows nothing of a session, a token or a secret")
    func printing() throws {
        let figure = try Fixture.figure("named by its key, https")
        let sessions = try Fixture.sessions()
        let token = try sessions.token(cookies: ["\(sessions.cookieName)=\(figure.token)"])
        let session = try sessions.verify(token)
        var dumped = ""
        dump(session, to: &dumped)
        dump(token, to: &dumped)
        dump(sessions, to: &dumped)
        let printed = "\(session) \(token) \(sessions) \(String(reflecting: session)) \(dumped)"
        let secrets = [
            figure.subject, figure.secret, "Ann", "example", "117584285732048297471",
            String(figure.token.prefix(16)), "kid",
        ]
        for secret in secrets { #expect(!printed.contains(secret)) }
        let keys = try #require(try Fixture.keyID(of: figure.token))
        #expect(!printed.contains(keys))
        // Nor does an error.
        let error = refusal {
            try Fixture.open(
                figure.token, with: Fixture.sessions(secrets: [AuthJSFigures.newerSecret]))
        }
        let text = try #require(error.map { "\($0)" })
        #expect(!text.contains(keys) && !text.contains(AuthJSFigures.newerSecret))
    }
}
