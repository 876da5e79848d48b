// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetEmail
import SignetIdentity
import SignetSupabase
import TestSupport
import Testing

/// S0-3, S0-7, S3-5: what comes back from a browser, and to whom.
struct BrowserTests {
    static let app = "swisscoin://auth-callback"
    static let schemes = ["swisscoin"]
    static let loopback = "http://127.0.0.1:49152/callback"

    static func parameters(_ url: String) throws -> [String: String] {
        let url = try EndpointURL(url)
        let pairs = (url.query ?? "").split(separator: "&").map {
            $0.split(separator: "=", maxSplits: 1).map(String.init)
        }
        return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { _, _ in "twice" }
    }

    @Test("The address for the browser carries provider, redirect, scopes and challenge")
    func sendsTheBrowserWithAChallenge() throws {
        let auth = try Fixture.auth(FakeTransport(body: "{}"))
        let (url, signIn) = try auth.authorization(
            provider: .google, redirectTo: Self.app, schemes: Self.schemes, scopes: ["a", "b c"],
            additional: [("prompt", "select_account")])
        #expect(url.hasPrefix("https://abcdefgh.supabase.co/auth/v1/authorize?"))
        let parameters = try Self.parameters(url)
        #expect(parameters["provider"] == "google")
        #expect(parameters["redirect_to"] == "swisscoin%3A%2F%2Fauth-callback")
        #expect(parameters["scopes"] == "a%20b%20c")
        #expect(parameters["code_challenge_method"] == "s256")
        #expect(parameters["code_challenge"]?.utf8.count == 43)
        #expect(parameters["prompt"] == "select_account")
        // The entry that the project's list must have; a loopback address needs none.
        #expect(signIn.allowListEntry == Self.app)
        let other = try auth.authorization(provider: .google, redirectTo: Self.loopback)
        #expect(other.signIn.allowListEntry == nil)
        #expect(
            try Self.parameters(other.url)["redirect_to"]?.hasPrefix(
                "http%3A%2F%2F127.0.0.1%3A49152%2Fcallback%3Fstate%3D") == true)
    }

    @Test(
        "A redirect address that cannot be used is refused",
        arguments: [
            "", "callback", "http://evil.example/cb", "javascript:alert(1)", "app://cb#fragment",
            "https://a@b.example/cb", "app://cb?x=1", "http://127.0.0.1:1/cb?state=mine",
            "https://app.example/cb?", "app://c b", "data:text/html,x",
        ])
    func refusesImpossibleRedirects(_ redirect: String) throws {
        let auth = try Fixture.auth(FakeTransport(body: "{}"))
        #expect(throws: SupabaseError.self) {
            try auth.authorization(provider: .google, redirectTo: redirect, schemes: Self.schemes)
        }
    }

    /// A sign-in, and the state that its redirect carries.
    static func signIn(_ auth: SupabaseAuth, _ redirect: String) throws -> (SupabaseSignIn, String)
    {
        let (url, signIn) = try auth.authorization(
            provider: .google, redirectTo: redirect, schemes: Self.schemes)
        let encoded = try parameters(url)["redirect_to"] ?? ""
        return (signIn, encoded.components(after: "state%3D"))
    }

    @Test("A code from the sign-in's own redirect is exchanged with its verifier")
    func redeemsTheCodeOfItsOwnRedirect() async throws {
        let transport = FakeTransport(body: Fixture.session)
        let auth = try Fixture.auth(transport)
        let (signIn, _) = try Self.signIn(auth, Self.app)
        _ = try await auth.exchange(url: Self.app + "?code=abc#sb=", of: signIn)
        let (own, state) = try Self.signIn(auth, Self.loopback)
        // GoTrue sorts the query.
        _ = try await auth.exchange(url: Self.loopback + "?code=def&state=\(state)", of: own)
        _ = try await auth.exchange(query: "state=\(state)&code=ghi&x=y", of: own)
        let sent = transport.requests.all
        #expect(sent.allSatisfy { $0.url.query == "grant_type=pkce" })
        for (request, code) in zip(sent, ["abc", "def", "ghi"]) {
            #expect(request.text.hasPrefix("{\"auth_code\":\"\(code)\",\"code_verifier\":\""))
        }
        // Another sign-in has another verifier: the server refuses a code of the one for the other.
        #expect(sent[0].text.suffix(46) != sent[1].text.suffix(46))
    }

    @Test("A callback that is malformed or not its own is refused before any request")
    func refusesCallbacksThatAreNotItsOwn() async throws {
        let transport = FakeTransport(body: Fixture.session)
        let auth = try Fixture.auth(transport)
        let (signIn, _) = try Self.signIn(auth, Self.app)
        let (own, state) = try Self.signIn(auth, Self.loopback)
        let long = String(repeating: "a", count: 20_000)
        let forApp = [
            "", Self.app, Self.app + "?", Self.app + "?code=", Self.app + "#code=abc",
            Self.app + "#access_token=a&refresh_token=b", Self.app + "x?code=abc",
            Self.app + "/?code=abc", "SWISSCOIN://auth-callback?code=abc",
            "swisscoin://auth-callback.evil?code=abc", "swisscoin://a@auth-callback?code=abc",
            Self.app + "?code=abc&code=def", Self.app + "?code=a%00b", Self.app + "?code=a%zz",
            Self.app + "?code=%C3%A9", Self.app + "?code=" + long, "https://evil.example?code=abc",
            Self.app + "?code=abc&error=access_denied", Self.app + "?c%6fde=",
            Self.app + "?code=" + String(repeating: "a", count: 4_097),
            Self.app + "?" + String(repeating: "a=b&", count: 65) + "code=abc",
        ]
        for url in forApp {
            let error = await failure { () async throws(SupabaseError) in
                _ = try await auth.exchange(url: url, of: signIn)
            }
            #expect(error?.code == .invalidCallback, "\(url.prefix(60))")
        }
        for query in [
            "code=abc", "code=abc&state=", "code=abc&state=\(state)x",
            "code=abc&state=\(state)&state=\(state)", "state=\(state)", "error=access_denied",
            "code=abc&state=" + String(state.reversed()), "code=abc#state=\(state)",
        ] {
            let error = await failure { () async throws(SupabaseError) in
                _ = try await auth.exchange(query: query, of: own)
            }
            #expect(error?.code == .invalidCallback, "\(query)")
        }
        #expect(transport.count == 0)
    }

    /// S3-5.
    @Test("An error in the callback is reported, without the server's words")
    func tellsOfErrorsInTheCallback() async throws {
        let auth = try Fixture.auth(FakeTransport(body: Fixture.session))
        let (signIn, _) = try Self.signIn(auth, Self.app)
        let query = "error=access_denied&error_code=bad_oauth_callback&error_description=s3cr3t"
        let error = await failure { () async throws(SupabaseError) in
            _ = try await auth.exchange(url: Self.app + "?\(query)#\(query)&sb=", of: signIn)
        }
        #expect(error?.code == .signInRefused)
        #expect(error?.serverCode == GoTrueCode("bad_oauth_callback"))
        #expect(error.map { !"\($0)".contains("s3cr3t") } == true)
    }

    /// A program that the callback starts again.
    @Test("An exported sign-in continues in another process")
    func goesOnInAnotherProcess() async throws {
        let transport = FakeTransport(body: Fixture.session)
        let auth = try Fixture.auth(transport)
        for redirect in [Self.app, Self.loopback] {
            let (signIn, state) = try Self.signIn(auth, redirect)
            let kept = try SupabaseSignIn(exportedText: signIn.exportedText())
            let query = "?code=abc" + (state.isEmpty ? "" : "&state=\(state)")
            _ = try await auth.exchange(url: redirect + query, of: kept)
            _ = try await auth.exchange(url: redirect + query, of: signIn)
        }
        let sent = transport.requests.all.map(\.text)
        #expect(sent[0] == sent[1] && sent[2] == sent[3] && sent[0] != sent[2])
    }

    static let verifier = String(repeating: "v", count: 43)

    @Test(
        "Text that holds no sign-in is refused",
        arguments: [
            "", "{}", "null", #"{"redirectURI":"app://cb","verifier":"short"}"#,
            #"{"redirectURI":"http://127.0.0.1:1/","verifier":"\#(verifier)"}"#,
        ])
    func refusesTextThatHoldsNoSignIn(_ text: String) {
        #expect(throws: SupabaseError(.invalidInput, "")) {
            try SupabaseSignIn(exportedText: text)
        }
    }

    @Test("A sign-in does not print its state")
    func isNotPrinted() throws {
        let auth = try Fixture.auth(FakeTransport(body: "{}"))
        let (signIn, state) = try Self.signIn(auth, Self.loopback)
        var dumped = ""
        dump(signIn, to: &dumped)
        #expect(!"\(signIn)\(dumped)".contains(state))
    }

    @Test("A link by e-mail carries the redirect address and a challenge")
    func sendsLinksThatComeBack() async throws {
        let transport = FakeTransport(body: "{}")
        let auth = try Fixture.auth(transport)
        let signIn = try await auth.sendLink(
            to: Mailbox("ann@company.example"), redirectTo: Self.app, schemes: Self.schemes)
        let request = try #require(transport.requests.all.first)
        #expect(request.url.query == "redirect_to=swisscoin%3A%2F%2Fauth-callback")
        #expect(request.text.contains(#""code_challenge_method":"s256""#))
        #expect(signIn.allowListEntry == Self.app)
    }
}

extension String {
    /// What stands behind the first of these; empty where there is none.
    fileprivate func components(after mark: String) -> String {
        range(of: mark).map { String(self[$0.upperBound...]) } ?? ""
    }
}
