// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// RFC 8725, sections 3.8, 3.9, 3.11: the token's issuer, audience and kind.
@Suite("Tokens of another issuer, audience or kind")
struct CrossTokenConfusion {
    static func token(type: String?, _ payload: String = TestClaims.json) throws -> String {
        let member = type.map { #","typ":"\#($0)""# } ?? ""
        return try Forge.token(#"{"alg":"RS256","kid":"k1"\#(member)}"#, payload, by: Forge.rs256())
    }

    @Test(
        "An access token is no ID token, and the reverse",
        arguments: [
            ("at+jwt", "at+jwt", true), ("AT+JWT", "at+jwt", true),
            ("application/at+jwt", "at+jwt", true),
            ("at+jwt", "application/at+jwt", true),
            ("Application/At+Jwt", "APPLICATION/at+jwt", true),
            ("JWT", "at+jwt", false), (nil, "at+jwt", false), ("", "at+jwt", false),
            ("at+jwt ", "at+jwt", false),
            (" at+jwt", "at+jwt", false), ("at+jw", "at+jwt", false), ("at", "at+jwt", false),
            ("logout+jwt", "at+jwt", false),
            ("application/application/at+jwt", "at+jwt", false), ("text/at+jwt", "at+jwt", false),
            ("at+jwt\\u0000", "at+jwt", false),
            ("\u{212a}b+jwt", "kb+jwt", false), ("at+\u{ff4a}wt", "at+jwt", false),
            ("application/x/y", "x/y", false), ("x/y", "x/y", true),
        ])
    func exactType(_ type: String?, _ wanted: String, _ isAccepted: Bool) throws {
        let verifier = try TestKeys.verifier(
            .rs256, policy: TestClaims.policy(type: .exactly(wanted)))
        let token = try Self.token(type: type)
        #expect(refusal { try verifier.verify(token) }?.code == (isAccepted ? nil : .typeMismatch))
    }

    @Test(
        "By default typ must be JWT or absent",
        arguments: [
            (nil, true), ("JWT", true), ("jwt", true), ("Jwt", true), ("application/jwt", true),
            ("APPLICATION/JWT", true),
            ("", false), ("at+jwt", false), ("dpop+jwt", false), ("JOSE", false), ("JWT ", false),
            ("J\u{17f}T", false),
        ])
    func defaultType(_ type: String?, _ isAccepted: Bool) throws {
        let token = try Self.token(type: type)
        #expect(
            refusal { try TestKeys.verifier(.rs256).verify(token) }?.code
                == (isAccepted ? nil : .typeMismatch))
        let lax = try TestKeys.verifier(.rs256, policy: TestClaims.policy(type: .notChecked))
        #expect(refusal { try lax.verify(token) } == nil)
    }

    @Test(
        "typ and cty of another JSON type are refused",
        arguments: ["1", "null", "[]", #"["JWT"]"#, "{}", "true"])
    func wrongType(_ value: String) throws {
        for name in ["typ", "cty"] {
            let token = try Forge.token(
                #"{"alg":"RS256","kid":"k1","\#(name)":\#(value)}"#, by: Forge.rs256())
            let lax = try TestKeys.verifier(.rs256, policy: TestClaims.policy(type: .notChecked))
            #expect(refusal { try lax.verify(token) }?.code == .malformed)
        }
    }

    @Test("A verifier can require its signer's typ")
    func ownTypes() throws {
        let claims = ["iss": TestClaims.issuer, "aud": TestClaims.audience]
        let clock = TimeSource.fixed(secondsSince1970: TestClaims.now)
        let access = try TokenSigner(key: TestKeys.signing(.es256), type: "at+jwt", clock: clock)
            .sign(claims, lifetime: .seconds(60))
        let strict = try TestKeys.verifier(
            .es256, policy: TestClaims.policy(type: .exactly("at+jwt")))
        #expect(try strict.verify(access).header.type == "at+jwt")
        #expect(refusal { try TestKeys.verifier(.es256).verify(access) }?.code == .typeMismatch)
        #expect(try UnverifiedToken(access).type == "at+jwt")
    }

    @Test(
        "One issuer's claims under another's keys are refused",
        arguments: [
            "https://idp.example/", "https://IDP.example", "https://idp.example.attacker.example",
            "https://idp.exampl",
            "http://idp.example", "https://idp.example\\u0000", " https://idp.example", "",
            "https://idp.ex\u{200b}ample",
            "https://idp.exampl\u{ff45}",
        ])
    func issuer(_ issuer: String) throws {
        let payload = #"{"iss":"\#(issuer)","aud":"api","exp":1700000300}"#
        let token = try Self.token(type: nil, payload)
        let expected = TokenError(.issuerMismatch, claim: "iss", "")
        #expect(refusal { try TestKeys.verifier(.rs256).verify(token) } == expected)
        let several = try TestClaims.policy(
            issuer: .anyOf(["https://idp.example", "https://other.example"]))
        #expect(
            refusal { try TestKeys.verifier(.rs256, policy: several).verify(token) } == expected)
    }

    @Test(
        "A token for another audience is refused",
        arguments: [
            #""API""#, #""api ""#, #""ap""#, #""apis""#, #"["other"]"#, #"["other","API"]"#,
            #""api,other""#,
            #""ap\u0131""#,
        ])
    func audience(_ audience: String) throws {
        let token = try Self.token(
            type: nil, #"{"iss":"https://idp.example","aud":\#(audience),"exp":1700000300}"#)
        #expect(
            refusal { try TestKeys.verifier(.rs256).verify(token) }
                == TokenError(.audienceMismatch, claim: "aud", ""))
    }

    @Test("iss and aud are compared byte for byte, escaped or not")
    func exactComparison() throws {
        let policy = try TestClaims.policy(issuer: "caf\u{e9}", audience: ["\u{c5}"])
        let verifier = try TestKeys.verifier(.rs256, policy: policy)
        func token(_ issuer: String, _ audience: String) throws -> String {
            try Self.token(
                type: nil, #"{"iss":"\#(issuer)","aud":["\#(audience)"],"exp":1700000300}"#)
        }
        _ = try verifier.verify(token("caf\u{e9}", "\u{c5}"))
        _ = try verifier.verify(token("caf\\u00e9", "\\u00C5"))
        #expect(
            refusal { try verifier.verify(token("cafe\u{301}", "\u{c5}")) }?.code == .issuerMismatch
        )
        #expect(
            refusal { try verifier.verify(token("caf\u{e9}", "\u{212b}")) }?.code
                == .audienceMismatch)
    }
}

/// jwt-kit's vendor tokens: policy and keys belong together, and the token's own claims do not
/// widen them.
@Suite("Keys bound to an issuer's policy")
struct IssuerBinding {
    @Test("A token passes only a verifier with both its issuer's name and keys")
    func mixUp() throws {
        let clock = TimeSource.fixed(secondsSince1970: TestClaims.now)
        let names = ["https://a.example", "https://b.example"]
        let signers = try names.map { _ in try SigningKey.generate(.es256, keyID: "1") }
        func verifier(_ name: Int, _ key: Int) throws -> TokenVerifier {
            TokenVerifier(
                keys: KeySet([signers[key].verificationKey]),
                policy: try TokenPolicy(issuer: names[name], audience: ["api"], clock: clock))
        }
        for (claimed, key) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let token = try TokenSigner(key: signers[key], clock: clock)
                .sign(["iss": names[claimed], "aud": "api"], lifetime: .seconds(60))
            for (name, keys) in [(0, 0), (1, 1)] {
                let isRight = name == claimed && keys == key
                #expect((refusal { try verifier(name, keys).verify(token) } == nil) == isRight)
            }
        }
    }

    @Test("The policy decides the audience, never the token (Firebase's shared keys)")
    func ownAudience() throws {
        let payload =
            #"{"iss":"https://securetoken.google.com/other","aud":"other","exp":1700000300}"#
        let token = try Forge.token(TestKeys.header("RS256"), payload, by: Forge.rs256())
        let policy = try TestClaims.policy(
            issuer: "https://securetoken.google.com/mine", audience: ["mine"])
        #expect(
            refusal { try TestKeys.verifier(.rs256, policy: policy).verify(token) }?.code
                == .issuerMismatch)
    }
}
