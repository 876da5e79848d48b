// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("The registered claims of a payload")
struct RegisteredClaimsTests {
    private func claims(_ json: String) throws -> RegisteredClaims {
        try RegisteredClaims(payload: Array(json.utf8))
    }

    @Test("Each claim is found, in any order and after members of every kind")
    func all() throws {
        let claims = try claims(
            #"{"a":{"iss":"inner"},"jti":"t","b":[{"exp":1}],"iat":3,"c":null,"nbf":2.5,"exp":9,"aud":["x","y"],"#
                + #""sub":"s","iss":"i","d":true}"#)
        #expect(claims.issuer == "i")
        #expect(claims.subject == "s")
        #expect(claims.audience == ["x", "y"])
        #expect(claims.expiration == NumericDate(secondsSince1970: 9))
        #expect(claims.notBefore == NumericDate(secondsSince1970: 2.5))
        #expect(claims.issuedAt == NumericDate(secondsSince1970: 3))
        #expect(claims.tokenID == "t")
    }

    @Test(
        "Escaped names count",
        arguments: [#"\u0065xp"#, #"e\u0078p"#, #"ex\u0070"#, #"\u0065\u0078\u0070"#])
    func escaped(name: String) throws {
        #expect(try claims("{\"\(name)\":9}").expiration == NumericDate(secondsSince1970: 9))
        #expect(throws: TokenError(.claimInvalid, claim: "exp", "")) {
            try claims("{\"\(name)\":\"9\"}")
        }
    }

    @Test(
        "Similar names of the same length do not count",
        arguments: [
            "ixs", "sxb", "axd", "eyp", "nxf", "ixt", "jxi", "e\\u0000p", "ISS", "exp ", " exp",
        ])
    func others(name: String) throws {
        let claims = try claims("{\"\(name)\":{}}")
        #expect(claims.issuer == nil)
        #expect(claims.subject == nil)
        #expect(claims.audience == [])
        #expect(claims.expiration == nil)
        #expect(claims.notBefore == nil)
        #expect(claims.issuedAt == nil)
        #expect(claims.tokenID == nil)
    }

    @Test(
        "A wrong type is an error, never absent",
        arguments: ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"],
        ["null", "true", "{}", "[]", "[1]", #"[""]"#, "-1e300"])
    func wrongType(name: String, value: String) {
        // RFC 7519, section 4.1.3, does not forbid an empty list: it names no audience.
        if name == "aud", value == "[]" { return }
        #expect(throws: TokenError(.claimInvalid, claim: name, "")) {
            try claims("{\"\(name)\":\(value)}")
        }
    }

    @Test("With nullIsAbsent, null counts as absent, except in exp and required claims")
    func null() throws {
        let nulls = #"{"iss":null,"sub":null,"aud":null,"nbf":null,"iat":null,"jti":null}"#
        let all = try RegisteredClaims(payload: Array(nulls.utf8), nullIsAbsent: true)
        #expect(all.issuer == nil && all.subject == nil && all.audience == [] && all.tokenID == nil)
        #expect(all.notBefore == nil && all.issuedAt == nil && all.expiration == nil)
        let open = try TokenPolicy(
            issuer: .notChecked, audience: .notChecked, expiration: .optional,
            clock: TestClaims.policy().clock)
        let strict = try TokenPolicy(issuer: "i", audience: ["a"], clock: TestClaims.policy().clock)
        let needing = try TokenPolicy(
            issuer: .notChecked, audience: .notChecked, requiredClaims: ["iat"],
            clock: TestClaims.policy().clock)
        func refused(_ json: String, _ policy: TokenPolicy) throws -> TokenError? {
            let token = try Forge.token(TestKeys.header("ES256"), json, by: Forge.es256())
            #expect(refusal { try TestKeys.verifier(.es256, policy: policy).verify(token) } != nil)
            var lenient = policy
            lenient.nullIsAbsent = true
            return refusal { try TestKeys.verifier(.es256, policy: lenient).verify(token) }
        }
        let end = try Int64(TestClaims.policy().clock.now().secondsSince1970) + 60
        #expect(try refused("{\"exp\":\(end),\"nbf\":null,\"jti\":null,\"iss\":null}", open) == nil)
        #expect(try refused("{\"exp\":null}", open)?.code == .claimInvalid)
        #expect(try refused("{\"exp\":\(end),\"iat\":null}", needing)?.code == .claimMissing)
        #expect(
            try refused("{\"exp\":\(end),\"iss\":null,\"aud\":\"a\"}", strict)?.code
                == .claimMissing)
        #expect(
            try refused("{\"exp\":\(end),\"iss\":\"i\",\"aud\":null}", strict)?.code
                == .claimMissing)
    }

    @Test("Signing refuses null for a registered claim", arguments: ["iss", "iat", "jti", "aud"])
    func signedNull(name: String) throws {
        let signer = try TokenSigner(key: TestKeys.signing(.es256), clock: .still)
        #expect(
            refusal { try signer.sign(JSONValue.object([name: .null]), lifetime: .seconds(60)) }?
                .code
                == .claimInvalid)
    }

    @Test("An empty aud names no audience, and passes only where none is required")
    func emptyAudience() throws {
        #expect(try claims(#"{"aud":[]}"#).audience == [])
        let json = TestClaims.json.replacing(#""aud":"api""#, with: #""aud":[]"#)
        try #require(json.contains(#""aud":[]"#))
        let token = try Forge.token(TestKeys.header("ES256"), json, by: Forge.es256())
        #expect(refusal { try TestKeys.verifier(.es256).verify(token) }?.code == .audienceMismatch)
        let any = try TokenPolicy(
            issuer: .notChecked, audience: .notChecked, clock: TestClaims.policy().clock)
        _ = try TestKeys.verifier(.es256, policy: any).verify(token)
        _ = try UnverifiedToken(token)
        let needing = try TokenPolicy(
            issuer: .notChecked, audience: .notChecked, requiredClaims: ["aud"],
            clock: TestClaims.policy().clock)
        #expect(
            refusal { try TestKeys.verifier(.es256, policy: needing).verify(token) }?.code
                == .claimMissing)
    }

    @Test("An empty object has no claims, and anything but an object is refused")
    func frames() throws {
        #expect(try claims("{}").expiration == nil)
        for text in ["[]", "\"exp\"", "1", "null"] {
            #expect(throws: TokenError(.malformed, "")) { try claims(text) }
        }
    }
}
