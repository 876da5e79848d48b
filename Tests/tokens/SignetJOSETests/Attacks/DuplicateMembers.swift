// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// jwx#2234, jjwt#1073: two readers that disagree on which duplicate counts make a bypass.
@Suite("Duplicate members")
struct DuplicateMembers {
    @Test(
        "Duplicates in the header are refused",
        arguments: [
            #"{"alg":"RS256","alg":"RS256","kid":"k1"}"#,
            #"{"alg":"none","alg":"RS256","kid":"k1"}"#,
            #"{"alg":"RS256","kid":"k1","alg":"none"}"#, #"{"alg":"RS256","kid":"k1","kid":"k2"}"#,
            #"{"alg":"RS256","kid":"k1","\u0061lg":"RS256"}"#,
            #"{"alg":"RS256","kid":"k1","k\u0069d":"k1"}"#,
            #"{"alg":"RS256","kid":"k1","typ":"JWT","typ":"at+jwt"}"#,
            #"{"alg":"RS256","kid":"k1","x":{"a":1,"a":2}}"#,
            #"{"alg":"RS256","kid":"k1","x":[[{"a":1,"\u0061":1}]]}"#,
            #"{"alg":"RS256","kid":"k1","":1,"":2}"#,
        ])
    func header(_ header: String) throws {
        let token = try Forge.token(header, by: Forge.rs256())
        #expect(refusal { try TestKeys.verifier(.rs256).verify(token) }?.code == .malformed)
        #expect(refusal { try UnverifiedToken(token) }?.code == .malformed)
    }

    @Test(
        "Duplicates in the claims are refused",
        arguments: [
            #""exp":9999999999"#, #""iss":"https://attacker.example""#, #""aud":"api""#,
            #""\u0065xp":9999999999"#,
            #""s\u0075b":"root""#, #""x":{"a":1,"b":{"c":1,"c":1}}"#,
            #""x":[{"a":1},{"a":1,"\u0061":2}]"#,
            #""caf\u00e9":1,"cafe\u0301":2"#, #""x":{"":1,"":1}"#, #""x":1,"x":1"#,
        ])
    func claims(_ member: String) throws {
        let token = try Forge.token(
            TestKeys.header("RS256"), TestClaims.json(adding: member), by: Forge.rs256())
        let error = refusal { try TestKeys.verifier(.rs256).verify(token) }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("duplicateMember") == true)
    }

    @Test("Duplicates are found among thousands of members", arguments: [33, 500])
    func manyMembers(_ count: Int) throws {
        let many = (0..<count).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
        let verifier = try TestKeys.verifier(.rs256)
        let good = try Forge.token(
            TestKeys.header("RS256"), TestClaims.json(adding: many), by: Forge.rs256())
        #expect(
            try verifier.verify(good, as: [String: JSONValue].self).claims["m32"] == .integer(32))
        for twice in [#""m0":1"#, #""m\#(count - 1)":1"#, #""\u006d7":1"#, #""exp":1"#] {
            let payload = TestClaims.json(adding: many + "," + twice)
            let token = try Forge.token(TestKeys.header("RS256"), payload, by: Forge.rs256())
            #expect(refusal { try verifier.verify(token) }?.code == .malformed, "\(twice)")
        }
    }

    @Test(
        "Duplicates in a JWK or a set are refused",
        arguments: [
            #"{"kty":"oct","kty":"RSA","k":"AAAA"}"#, #"{"kty":"oct","k":"AAAA","k":"AAAB"}"#,
            #"{"kty":"oct","k":"AAAA","alg":"HS256","\u0061lg":"HS512"}"#,
            #"{"kty":"oct","k":"AAAA","x":{"a":1,"a":1}}"#,
        ])
    func keys(_ json: String) throws {
        #expect(keyRefusal { try JWK(json) }?.code == .malformed)
        // A duplicate inside a set puts the whole text in doubt, not one member.
        #expect(keyRefusal { try KeySet(jwks: #"{"keys":[\#(json)]}"#) }?.code == .malformed)
        #expect(keyRefusal { try KeySet(jwks: #"{"keys":[],"keys":[]}"#) }?.code == .malformed)
    }

    @Test("Names that differ in case are different, and only the exact one counts")
    func caseMatters() throws {
        let payload = TestClaims.json(adding: #""Exp":1,"EXP":"x","ISS":7,"Aud":[]"#)
        let token = try Forge.token(TestKeys.header("RS256"), payload, by: Forge.rs256())
        #expect(
            try TestKeys.verifier(.rs256).verify(token).registered.expiration?.secondsSince1970
                == TestClaims.expires)
        let lost = try Forge.token(
            TestKeys.header("RS256"),
            #"{"ISS":"https://idp.example","AUD":"api","EXP":1700000300}"#,
            by: Forge.rs256())
        #expect(
            refusal { try TestKeys.verifier(.rs256).verify(lost) }
                == TokenError(.claimMissing, claim: "iss", ""))
    }
}
