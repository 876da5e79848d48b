// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSignIn
import TestSupport
import Testing

@Suite("Authorization callbacks")
struct AuthorizationCallbackTests {
    typealias Fixture = SignInFixture
    static let state = "state=" + Fixture.stateText
    static let iss = "iss=https%3A%2F%2Faccounts.example"

    static func read(_ query: String, requiresIssuer: Bool = false) throws -> AuthorizationCallback
    {
        try AuthorizationCallback(
            query: query, state: Fixture.state(), issuer: Fixture.issuer,
            requiresIssuer: requiresIssuer)
    }

    static func read(url: String, redirectURI: String = Fixture.redirectURI) throws
        -> AuthorizationCallback
    {
        try AuthorizationCallback(
            url: url, redirectURI: redirectURI, state: Fixture.state(), issuer: Fixture.issuer)
    }

    @Test("A callback gives its code, with any other parameters")
    func accepted() throws {
        #expect(
            try Self.read("code=SplxlOBeZQQYbYS6WxSbIA&\(Self.state)").code.exposedText
                == "SplxlOBeZQQYbYS6WxSbIA")
        let callback = try Self.read(
            "\(Self.state)&\(Self.iss)&code=4%2F0Ab%20c&scope=openid+email&user=%7B%22name%22%3A1%7D&prompt&authuser=0",
            requiresIssuer: true)
        #expect(callback.code.exposedText == "4/0Ab c")
        #expect(callback.unverifiedParameter("scope") == "openid email")
        #expect(callback.unverifiedParameter("user") == #"{"name":1}"#)
        #expect(callback.unverifiedParameter("prompt") == "")
        #expect(callback.unverifiedParameter("nothing") == nil)
    }

    @Test(
        "Each bad callback is refused for its reason",
        arguments: [
            ("", .stateMissing), ("code=a", .stateMissing), ("error=access_denied", .stateMissing),
            ("code=a&state=", .stateMismatch), ("code=a&state=x", .stateMismatch),
            ("code=a&\(state)x", .stateMismatch),
            ("code=a&State=\(Fixture.stateText)", .stateMissing),
            ("error=access_denied&state=x", .stateMismatch),
            ("code=a&\(state)&\(state)", .repeatedParameter),
            ("code=a&code=a&\(state)", .repeatedParameter),
            ("code=a&%63ode=b&\(state)", .repeatedParameter),
            ("code=a&&%63ode=b&\(state)&", .repeatedParameter),
            ("code=a&\(state)&&\(state)", .repeatedParameter),
            ("code=a&code=&\(state)", .repeatedParameter),
            ("code=a&\(state)&state=", .repeatedParameter),
            ("code=a&\(state)&state", .repeatedParameter),
            ("code=a&\(state)&\(iss)&\(iss)", .repeatedParameter),
            ("code=a&\(state)&\(iss)&iss=https://evil.example", .repeatedParameter),
            ("error=x&error=y&\(state)", .repeatedParameter),
            ("code=a&error=&error=&\(state)", .repeatedParameter),
            ("error=x&error_description=a&error_description=b&\(state)", .repeatedParameter),
            ("&", .stateMissing), ("&&&", .stateMissing), ("code=a&&", .stateMissing),
            ("code=a&\(state)&iss=https://evil.example", .issuerMismatch),
            ("code=a&\(state)&iss=https%3A%2F%2Faccounts.example%2F", .issuerMismatch),
            ("code=a&\(state)&iss=HTTPS%3A%2F%2Faccounts.example", .issuerMismatch),
            ("code=a&\(state)&iss=", .issuerMismatch),
            ("error=access_denied&\(state)&iss=https://evil.example", .issuerMismatch),
            (state, .codeMissing), ("\(state)&access_token=a", .codeMissing),
            ("code=&\(state)", .malformed),
            ("code=a%00&\(state)", .malformed), ("code=%C3%A9&\(state)", .malformed),
            ("code=a&error=access_denied&\(state)", .malformed),
            ("code=%&\(state)", .malformed), ("code=%4&\(state)", .malformed),
            ("code=%zz&\(state)", .malformed),
            ("code=%ff&\(state)", .malformed), ("code=a&x=%C0%AF&\(state)", .malformed),
            ("code=a&x=%ED%A0%80&\(state)", .malformed),
            ("code=a&=b&\(state)", .malformed), ("code=a&=&\(state)", .malformed),
            ("code=a b&\(state)", .malformed), ("code=a\n&\(state)", .malformed),
            ("code=é&\(state)", .malformed),
            ("code=a&\(state)&x=" + String(repeating: "y", count: 16_384), .tooLarge),
            ("code=" + String(repeating: "y", count: 4_097) + "&\(state)", .tooLarge),
            ("code=a&\(state)" + String(repeating: "&", count: 63), .tooLarge),
        ] as [(String, AuthorizationError.Code)])
    func refused(_ query: String, _ code: AuthorizationError.Code) {
        #expect(signInRefusal { try Self.read(query) } == code)
    }

    @Test(
        "Empty parameters are ignored",
        arguments: [
            "code=a&\(state)&", "&code=a&\(state)", "code=a&&\(state)", "&&code=a&&&\(state)&&",
            "code=a&\(state)" + String(repeating: "&", count: 62),
        ])
    func emptyParameters(_ query: String) throws {
        let callback = try Self.read(query)
        #expect(callback.code.exposedText == "a")
        #expect(callback.unverifiedParameter("") == nil)
    }

    @Test(
        "A repeated parameter that is never read is ignored, and has no value",
        arguments: [
            "code=a&scope=openid&\(state)&scope=email", "scope=x&scope=x&code=a&\(state)",
            "code=a&\(state)&scope=openid&s%63ope=email", "scope&scope=&code=a&\(state)",
        ])
    func repeatedUnread(_ query: String) throws {
        let callback = try Self.read(query + "&other=1&Code=b&STATE=c")
        #expect(callback.code.exposedText == "a")
        #expect(callback.unverifiedParameter("scope") == nil)
        #expect(callback.unverifiedParameter("other") == "1")
    }

    @Test("iss is required when the provider sends it (RFC 9207)")
    func issuerRequired() {
        #expect(
            signInRefusal { try Self.read("code=a&\(Self.state)", requiresIssuer: true) }
                == .issuerMissing)
        #expect(
            signInRefusal { try Self.read("error=x&\(Self.state)", requiresIssuer: true) }
                == .issuerMissing)
    }

    @Test("The provider's error is safe to log")
    func errors() throws {
        let error = try #require(throws: AuthorizationError.self) {
            try Self.read(
                "error=access_denied&error_description=The+user%0Asaid%20%C2%A0no\u{25}E2\u{25}80\u{25}AE&\(Self.state)"
            )
        }
        #expect(error.code == .refused)
        #expect(error.refusal?.error == "access_denied")
        #expect(error.refusal?.errorDescription == "The user?said ?no?")
        #expect("\(error)".contains("access_denied"))
        #expect(!"\(error)".contains("said"))
        let long = try #require(throws: AuthorizationError.self) {
            try Self.read(
                "error=\(String(repeating: "e", count: 5_000))&error_description=\(String(repeating: "d", count: 5_000))&\(Self.state)"
            )
        }
        #expect(long.refusal?.error.count == 64)
        #expect(long.refusal?.errorDescription?.count == 256)
        #expect("\(long)".count < 200)
        let echo = try #require(throws: AuthorizationError.self) {
            try Self.read(
                "error=x\(Fixture.stateText)&error_description=a\(Fixture.stateText)b&\(Self.state)"
            )
        }
        #expect(echo.refusal?.error == "?")
        #expect(echo.refusal?.errorDescription == nil)
    }

    @Test(
        "A callback address must be the redirect URI and then the answer",
        arguments: [
            ("https://app.example/callback?code=a&\(state)", nil),
            ("https://app.example/callback", .stateMissing),
            ("https://app.example/callback?", .stateMissing),
            ("https://app.example/callback/?code=a&\(state)", .redirectMismatch),
            ("https://app.example/callbackx?code=a&\(state)", .redirectMismatch),
            ("https://app.example/Callback?code=a&\(state)", .redirectMismatch),
            ("https://app.example/callback&code=a&\(state)", .redirectMismatch),
            ("https://app.example.evil.example/callback?code=a&\(state)", .redirectMismatch),
            ("http://app.example/callback?code=a&\(state)", .redirectMismatch),
            ("https://u@app.example/callback?code=a&\(state)", .redirectMismatch),
            ("https://app.example:443/callback?code=a&\(state)", .redirectMismatch),
            ("/callback?code=a&\(state)", .redirectMismatch), ("", .redirectMismatch),
            ("https://app.example/callback#access_token=a&\(state)", .fragment),
            // What Facebook appends to each of its answers.
            ("https://app.example/callback?code=a&\(state)#_=_", nil),
            ("https://app.example/callback#_=_", .stateMissing),
            ("https://app.example/callback?error=x&\(state)#_=_", .refused),
            ("https://app.example.evil.example/callback?code=a&\(state)#_=_", .redirectMismatch),
            ("https://app.example/callback?code=a&\(state)#", .fragment),
            ("https://app.example/callback?code=a&\(state)#_=", .fragment),
            ("https://app.example/callback?code=a&\(state)#_=_a", .fragment),
            ("https://app.example/callback?code=a&\(state)##_=_", .fragment),
            ("https://app.example/callback?code=a&\(state)#_=_#_=_", .fragment),
            ("https://app.example/callback#access_token=a&\(state)#_=_", .fragment),
            ("https://app.example/callback#code=a&\(state)#_=_", .fragment),
            ("#_=_", .redirectMismatch),
            ("https://app.example/callback?" + String(repeating: "y", count: 16_384), .tooLarge),
        ] as [(String, AuthorizationError.Code?)])
    func addresses(_ url: String, _ code: AuthorizationError.Code?) {
        #expect(signInRefusal { try Self.read(url: url) } == code)
    }

    @Test("Callbacks work for apps, the loopback interface and URIs with a query")
    func otherAddresses() throws {
        let cases = [
            ("swiftapp://auth-callback", "?"), ("com.example.app:/oauth", "?"),
            ("http://127.0.0.1:49152/cb", "?"), ("https://app.example/cb?tenant=1", "&"),
        ]
        for (uri, separator) in cases {
            let url = uri + separator + "code=a&" + Self.state
            #expect(try Self.read(url: url, redirectURI: uri).code.exposedText == "a")
        }
        #expect(
            signInRefusal {
                try Self.read(
                    url: "http://127.0.0.1:49153/cb?code=a",
                    redirectURI: "http://127.0.0.1:49152/cb")
            } == .redirectMismatch)
        #expect(
            signInRefusal {
                try Self.read(
                    url: "https://app.example/cb?tenant=1?code=a",
                    redirectURI: "https://app.example/cb?tenant=1")
            } == .redirectMismatch)
        #expect(
            signInRefusal { try Self.read(url: "?code=a&\(Self.state)", redirectURI: "") }
                == .redirectMismatch)
    }
}
