// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSessionTokens
import Testing

/// A cookie or a Bearer token, and never two different ones.
@Suite("A token from a header or a cookie")
struct PresentedTokenTests {
    static func read(_ authorization: [String], _ cookies: [String]) throws -> PresentedToken {
        try PresentedToken(
            authorization: authorization, cookies: cookies, cookieName: "__Host-session")
    }

    static func refusal(_ authorization: [String], _ cookies: [String]) -> BearerTokenError.Code? {
        do {
            _ = try read(authorization, cookies)
            return nil
        } catch let error as BearerTokenError {
            return error.code
        } catch {
            Issue.record("not a BearerTokenError: \(error)")
            return nil
        }
    }

    @Test("A header, a cookie, or both with the same token are accepted")
    func accepted() throws {
        let bearer = try Self.read(["Bearer abc"], [])
        #expect(bearer.token.exposedText == "abc" && bearer.source == .authorization)
        let cookie = try Self.read([], ["theme=dark; __Host-session=abc; x"])
        #expect(cookie.token.exposedText == "abc" && cookie.source == .cookie)
        let both = try Self.read(["Bearer abc"], ["__Host-session=abc"])
        #expect(both.token.exposedText == "abc" && both.source == .authorization)
        #expect(try Self.read([], ["a=b", "__Host-session=abc="]).token.exposedText == "abc=")
        #expect(try Self.read([], ["a=\u{0};;= ;\t__Host-session=abc\t"]).source == .cookie)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            ([], [], .missing), ([], ["theme=dark"], .missing),
            ([], ["__host-session=abc"], .missing),
            ([], ["x__Host-session=abc"], .missing),
            (["Bearer abc"], ["__Host-session=abd"], .conflict),
            (["Bearer abc"], ["__Host-session=ab"], .conflict),
            ([], ["__Host-session=abc; __Host-session=abc"], .repeated),
            ([], ["__Host-session=abc", "__Host-session=abd"], .repeated),
            (["Bearer abc"], ["__Host-session=abc; __Host-session=x"], .repeated),
            ([], ["__Host-session="], .malformed), ([], ["__Host-session"], .malformed),
            ([], ["__Host-session=\"abc\""], .malformed), ([], ["__Host-session=a b"], .malformed),
            (["Basic dTpw"], ["__Host-session=abc"], .otherScheme),
            (["Bearer a", "Bearer b"], ["__Host-session=a"], .repeated),
            (["Bearer"], ["__Host-session=a"], .malformed),
            ([], [String(repeating: "a=b;", count: 20_000)], .tooLarge),
        ] as [([String], [String], BearerTokenError.Code)])
    func refused(_ authorization: [String], _ cookies: [String], _ code: BearerTokenError.Code) {
        #expect(Self.refusal(authorization, cookies) == code)
    }
}
