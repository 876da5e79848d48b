// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// Hints before, claims after: no claims can be read from a token until it has been verified.
@Suite("Unverified tokens")
struct UnverifiedTokenTests {
    @Test("An unverified token gives routing hints")
    func hints() throws {
        let token = Forge.compact(
            #"{"alg":"none","kid":"a","typ":"x+jwt","jku":"http://a.example"}"#,
            #"{"iss":"i","sub":"root"}"#,
            [])
        let hints = try UnverifiedToken(token)
        #expect(
            hints.algorithm == "none" && hints.keyID == "a" && hints.type == "x+jwt"
                && hints.issuer == "i")
        let bare = try UnverifiedToken(Forge.compact(#"{"alg":"HS256"}"#, "{}", [1]))
        #expect(bare.keyID == nil && bare.type == nil && bare.issuer == nil)
        // Nothing else can be read: neither claims nor the rest of the header.
        #expect(
            Mirror(reflecting: hints).children.compactMap(\.label) == [
                "algorithm", "keyID", "type", "issuer",
            ])
        var text = ""
        dump(hints, to: &text)
        #expect(!text.contains("root") && !text.contains("a.example"))
    }

    @Test(
        "Hints are read as strictly as verified tokens",
        arguments: [
            "", "..", "a.b.c", "e30.e30.", "e30.e30", "e30.e30.e30.", #"{"alg":"none"}.{}."#,
        ])
    func malformed(_ token: String) {
        #expect(refusal { try UnverifiedToken(token) }?.code == .malformed)
    }
}

@Suite("Verified tokens")
struct VerifiedTokenTests {
    struct Session: Codable, Equatable {
        var sub: String
        var roles: [String]
        var until: NumericDate
    }

    @Test("Claims, registered claims and header agree")
    func contents() throws {
        let payload = TestClaims.json(
            adding: #""roles":["a","b"],"until":1700000000.25,"jti":"j","nbf":1"#)
        let token = try Forge.token(
            #"{"alg":"RS256","kid":"k1","typ":"JWT","cty":"x"}"#, payload, by: Forge.rs256())
        let verified = try TestKeys.verifier(.rs256).verify(token, as: Session.self)
        #expect(
            verified.claims
                == Session(
                    sub: "u1", roles: ["a", "b"],
                    until: NumericDate(secondsSince1970: 1_700_000_000.25)))
        #expect(verified.registered.issuer == TestClaims.issuer)
        #expect(verified.registered.subject == "u1")
        #expect(verified.registered.audience == ["api"])
        #expect(verified.registered.expiration?.secondsSince1970 == TestClaims.expires)
        #expect(verified.registered.issuedAt?.secondsSince1970 == TestClaims.issuedAt)
        #expect(verified.registered.notBefore?.secondsSince1970 == 1)
        #expect(verified.registered.tokenID == "j")
        #expect(verified.header.contentType == "x")
        #expect(verified.keyID == "k1")
    }

    @Test("aud is a string or a list", arguments: [#""api""#, #"["api"]"#, #"["x","api","y"]"#])
    func audience(_ audience: String) throws {
        let payload = #"{"iss":"https://idp.example","aud":\#(audience),"exp":1700000300}"#
        let token = try Forge.token(TestKeys.header("RS256"), payload, by: Forge.rs256())
        #expect(try TestKeys.verifier(.rs256).verify(token).registered.audience.contains("api"))
    }

    @Test("NumericDate is exact for whole numbers, and refused for anything but a time")
    func numericDate() throws {
        for text in ["0", "-1", "1700000000", "9007199254740992", "1700000000.5"] {
            let date = try JSONTokenDecoder().decode(NumericDate.self, from: Array(text.utf8))
            #expect(
                String(
                    decoding: try JSONTokenEncoder(allowsFragments: true).encode(date),
                    as: UTF8.self)
                    == text)
        }
        for text in ["1e300", "9007199254740994", "9223372036854775807"] {
            let date = try JSONTokenDecoder().decode(NumericDate.self, from: Array(text.utf8))
            #expect(date.secondsSince1970 == 9_007_199_254_740_992, "\(text)")
        }
        for text in [
            "1e309", "-1e300", "-9007199254740994", #""1""#, "null", "true", "[]",
        ] {
            #expect(
                jsonError {
                    try JSONTokenDecoder().decode(NumericDate.self, from: Array(text.utf8))
                } != nil,
                "\(text)")
        }
    }
}
