// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// A run of combining characters in every string of a token: refusing or reading it takes time
/// linear in its bytes. Review F1: an `alg` of 12 KB took half a second, before the signature was
/// checked.
@Suite("The cost of combining characters in tokens")
struct CombiningTokenCosts {
    @Test("A run of 8 KiB costs what its bytes cost", arguments: members)
    func small(_ member: HostileMember) throws { try member.expectLinear(byteCount: 8_192) }

    @Test("A run of 64 or 512 KiB costs what its bytes cost", .tags(.fuzzing), arguments: members)
    func large(_ member: HostileMember) throws { try member.expectLinearWhenLarge() }

    @Test("Each hint is cut at 1,024 bytes")
    func longHints() throws {
        for (name, template) in Self.hinted {
            let document = { (count: Int) -> String in
                let filled = template.replacing("%", with: String(repeating: "a", count: count))
                let isClaim = name == "iss"
                return Forge.compact(
                    isClaim ? Self.header : filled, isClaim ? filled : TestClaims.json, [1])
            }
            let hints = try UnverifiedToken(document(1_024))
            let texts = [hints.algorithm, hints.keyID, hints.type, hints.issuer]
            #expect(texts.contains { $0?.utf8.count == 1_024 }, "\(name)")
            let error = refusal { try UnverifiedToken(document(1_025)) }
            #expect(
                error?.code == .tooLarge && error?.claim == (name == "iss" ? name : nil), "\(name)")
        }
    }

    private static let hinted = [
        ("alg", #"{"alg":"%"}"#), ("kid", #"{"alg":"HS256","kid":"%"}"#),
        ("typ", #"{"alg":"HS256","typ":"%"}"#), ("iss", #"{"iss":"%"}"#),
    ]

    private static let maximumTokenByteCount = 262_144
    /// A header has 64 KiB at most, encoded: three bytes are four characters.
    private static let maximumHeaderByteCount = 48_000
    private static let maximumClaimsByteCount = 190_000

    private static let header = TestKeys.header("HS256")

    /// Every member of a header that is a string, or may hold one.
    private static let headers = [
        ("alg", #"{"alg":"%"}"#), ("alg with a known beginning", #"{"alg":"HS256%"}"#),
        ("kid", #"{"alg":"HS256","kid":"%"}"#),
        ("kid with a known beginning", #"{"alg":"HS256","kid":"k1%"}"#),
        ("typ", #"{"alg":"HS256","kid":"k1","typ":"%"}"#),
        ("typ with a known beginning", #"{"alg":"HS256","kid":"k1","typ":"JWT%"}"#),
        ("cty", #"{"alg":"HS256","kid":"k1","cty":"%"}"#),
        ("crit", #"{"alg":"HS256","kid":"k1","crit":["%"]}"#),
        ("b64", #"{"alg":"HS256","kid":"k1","b64":"%"}"#),
        ("a member's name", #"{"alg":"HS256","kid":"k1","%":1}"#),
        ("jku", #"{"alg":"HS256","kid":"k1","jku":"%"}"#),
        ("jwk", #"{"alg":"HS256","kid":"k1","jwk":{"kty":"%"}}"#),
    ]

    private static let claims = [
        ("iss", TestClaims.json.replacing("https://idp.example", with: "%")),
        (
            "iss with a known beginning",
            TestClaims.json.replacing("idp.example", with: "idp.example%")
        ),
        ("sub", TestClaims.json.replacing("u1", with: "%")),
        ("aud", TestClaims.json.replacing("api", with: "%")),
        ("aud in a list", TestClaims.json.replacing(#""api""#, with: #"["x","api%"]"#)),
        ("exp", TestClaims.json.replacing("1700000300", with: #""%""#)),
        ("jti", TestClaims.json(adding: #""jti":"%""#)),
        ("another claim", TestClaims.json(adding: #""role":"%""#)),
        ("a claim's name", TestClaims.json(adding: #""%":1"#)),
        ("a nested name", TestClaims.json(adding: #""x":[{"%":1}]"#)),
    ]

    static let members: [HostileMember] =
        HostileMember.table(
            "TokenVerifier", tokens, maximumByteCount: maximumHeaderByteCount, headers
        ) {
            try signed($0, TestClaims.json)
        }
        + HostileMember.table(
            "JWSVerifier", payloads, maximumByteCount: maximumHeaderByteCount, headers
        ) {
            Forge.compact($0.replacing("HS256", with: "ES256"), "{}", [1])
        }
        + HostileMember.table("claims", tokens, maximumByteCount: maximumClaimsByteCount, claims) {
            try signed(header, $0)
        }
        + HostileMember.table(
            "UnverifiedToken", hints, maximumByteCount: maximumHeaderByteCount, headers
        ) {
            Forge.compact($0, TestClaims.json, [1])
        }
        + HostileMember.table(
            "UnverifiedToken", hints, maximumByteCount: maximumClaimsByteCount, claims
        ) {
            Forge.compact(header, $0, [1])
        }

    private static func signed(_ header: String, _ claims: String) throws -> String {
        try Forge.token(header, claims, by: Forge.hmac(TestKeys.secret))
    }

    private static func goodToken(_ byteCount: Int) throws -> String {
        let roles = String(repeating: #""role","#, count: byteCount / 7)
        return try signed(header, TestClaims.json(adding: #""roles":[\#(roles)""]"#))
    }

    private static let tokens = DocumentKind(good: goodToken) { token in
        let policy = try? TokenPolicy(
            issuer: TestClaims.issuer, audience: ["api"], requiredClaims: ["sub"],
            maximumTokenByteCount: maximumTokenByteCount,
            clock: .fixed(secondsSince1970: TestClaims.now))
        guard let policy,
            let verifier = try? TokenVerifier(hmacKey: TestKeys.hmac(), policy: policy)
        else {
            return false
        }
        return (try? verifier.verify(token, as: [String: JSONValue].self)) != nil
    }

    private static let payloads = DocumentKind { byteCount in
        let payload = String(repeating: "a", count: byteCount)
        return try Forge.token(TestKeys.header("ES256"), payload, by: Forge.es256())
    } accepts: { token in
        (try? JWSVerifier(keys: KeySet([TestKeys.verification(.es256)])).verify(token)) != nil
    }

    /// What a program does with hints: it looks up the issuer's verifier.
    private static let hints = DocumentKind(good: goodToken) { token in
        guard let hints = try? UnverifiedToken(token, maximumByteCount: maximumTokenByteCount)
        else {
            return false
        }
        let known = ["https://idp.example": 1, "https://accounts.example": 2]
        for text in [hints.algorithm, hints.keyID, hints.type, hints.issuer] {
            if let text { _ = known[text] }
        }
        return true
    }
}
