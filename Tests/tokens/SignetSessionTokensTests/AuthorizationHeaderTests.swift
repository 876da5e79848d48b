// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

@Suite("The Authorization header")
struct AuthorizationHeaderTests {
    static func refusal(_ values: [String]) -> BearerTokenError.Code? {
        do throws(BearerTokenError) {
            _ = try BearerToken(authorization: values)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "Well-formed fields give the token",
        arguments: [
            ("Bearer abc", "abc"), ("bearer abc", "abc"),
            ("BEARER a.b-c_d~e+f/g==", "a.b-c_d~e+f/g=="),
            ("Bearer A", "A"), ("Bearer eyJ.eyJ.sig", "eyJ.eyJ.sig"), ("Bearer  a", "a"),
            ("bearer    a.b", "a.b"),
        ])
    func accepted(_ value: String, _ token: String) throws {
        #expect(try BearerToken(authorization: [value]).exposedText == token)
    }

    @Test(
        "Malformed fields are refused",
        arguments: [
            ([], .missing), (["Bearer a", "Bearer a"], .repeated), (["Bearer a", ""], .repeated),
            ([""], .otherScheme), (["Basic dTpw"], .otherScheme), (["Bearer"], .malformed),
            (["Bearer "], .malformed), (["Bearer   "], .malformed), ([" Bearer a"], .otherScheme),
            (["Bearer \ta"], .malformed), (["Bearer  a  b"], .malformed),
            (["Bearer  a "], .malformed), (["Bearer \u{a0}a"], .malformed),
            (["Bearer\ta"], .otherScheme), (["Bearer\u{a0}a"], .otherScheme),
            (["Bearer a "], .malformed),
            (["Bearer a b"], .malformed), (["Bearer a,b"], .malformed),
            (["Bearer a, Bearer b"], .malformed),
            (["Bearer a\n"], .malformed), (["Bearer a\r\nX: y"], .malformed),
            (["Bearer a\u{0}"], .malformed),
            (["Bearer =a"], .malformed), (["Bearer ="], .malformed), (["Bearer a=b"], .malformed),
            (["Bearer \"a\""], .malformed), (["Bearer: a"], .otherScheme),
            (["BearerToken a"], .otherScheme),
            (["Beare\u{0}r a"], .otherScheme), (["\u{212a}earer a"], .otherScheme),
            (["Ｂearer a"], .otherScheme),
            (["Bearer é"], .malformed), (["Bearer a\u{301}"], .malformed),
            (["Bear\u{131}r a"], .otherScheme),
            (["DPoP a"], .otherScheme), (["abc"], .otherScheme),
        ] as [([String], BearerTokenError.Code)])
    func refused(_ values: [String], _ code: BearerTokenError.Code) {
        #expect(Self.refusal(values) == code)
    }

    @Test("The limit counts bytes, before anything is read")
    func size() {
        let longest = "Bearer " + String(repeating: "a", count: BearerToken.maximumByteCount)
        #expect(Self.refusal([longest]) == nil)
        #expect(Self.refusal([longest + "a"]) == .tooLarge)
        #expect(Self.refusal([String(repeating: " ", count: 10_000_000)]) == .tooLarge)
    }

    @Test("The challenge tells the client only what it needs")
    func challenges() {
        for code in [BearerTokenError.Code.missing, .otherScheme] {
            #expect(HTTPRefusal(BearerTokenError(code, "")) == .authenticate)
        }
        for code in [BearerTokenError.Code.malformed, .repeated, .tooLarge, .conflict] {
            #expect(HTTPRefusal(BearerTokenError(code, "")) == .invalidRequest)
        }
    }

    @Test("A token that is a substring is read like any other")
    func substring() throws {
        let issuer = try SessionFixture.issuer(SessionFixture.ring(.es256))
        let field = "Bearer " + (try issuer.issue(subject: "u").token)
        #expect(try issuer.verify(field.dropFirst(7)).subject == "u")
        #expect(try issuer.verify(BearerToken(field.dropFirst(7))).subject == "u")
    }

    @Test("A token goes straight to the issuer's verifier")
    func verification() throws {
        let issuer = try SessionFixture.issuer(SessionFixture.ring(.es256))
        let token = try issuer.issue(subject: "u").token
        #expect(try issuer.verify(BearerToken(authorization: ["Bearer " + token])).subject == "u")
    }
}
