// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSignIn
import TestSupport
import Testing

@Suite("The address of a logout at the provider")
struct LogoutRequestTests {
    static let endpoint = "https://idp.example/logout"

    static func request(
        _ endpoint: String = endpoint, idToken: String? = "e.e.s",
        returningTo: String? = "https://app.example/bye?a=b",
        additional: [(name: String, value: String)] = []
    ) throws -> LogoutRequest {
        try LogoutRequest(
            endpoint: EndpointURL(endpoint), clientID: "app one", idToken: idToken,
            returningTo: returningTo, state: SignInFixture.state(), additional: additional)
    }

    @Test("The address has the ID token, client, return address and state")
    func address() throws {
        let request = try Self.request(additional: [("ui_locales", "de fr")])
        #expect(
            request.url == Self.endpoint
                + "?id_token_hint=e.e.s&client_id=app%20one"
                + "&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fbye%3Fa%3Db"
                + "&state=\(SignInFixture.stateText)&ui_locales=de%20fr")
        #expect(request.state?.exposedText == SignInFixture.stateText)
        #expect(!"\(request)".contains("e.e.s"))
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("e.e.s") && !dumped.contains(SignInFixture.stateText))
    }

    @Test("Without a return address there is no state, and the endpoint's query stays")
    func without() throws {
        let request = try Self.request(
            Self.endpoint + "?tenant=one", idToken: nil, returningTo: nil)
        #expect(request.url == Self.endpoint + "?tenant=one&client_id=app%20one")
        #expect(request.state == nil)
    }

    @Test("Invalid requests are refused")
    func refused() throws {
        let long = String(repeating: "a", count: 8_192)
        let cases: [(() throws -> LogoutRequest, IdentityConfigurationError.Code)] = [
            ({ try Self.request(returningTo: "http://app.example/") }, .invalidURL),
            ({ try Self.request(returningTo: "javascript:alert(1)") }, .invalidURL),
            ({ try Self.request(returningTo: "https://app.example/#a") }, .invalidURL),
            ({ try Self.request(additional: [("state", "x")]) }, .contradiction),
            ({ try Self.request(additional: [("id_token_hint", "x")]) }, .contradiction),
            ({ try Self.request(additional: [("a", "1"), ("a", "2")]) }, .contradiction),
            ({ try Self.request(Self.endpoint + "?client_id=other") }, .contradiction),
            ({ try Self.request(idToken: long) }, .outOfRange),
            ({ try Self.request(idToken: "e.k.v.c.t") }, .contradiction),
        ]
        for (make, code) in cases {
            let error = #expect(throws: IdentityConfigurationError.self) { try make() }
            #expect(error?.code == code)
        }
    }

    @Test("The return must have the state, once")
    func returning() throws {
        let state = try SignInFixture.state()
        let text = SignInFixture.stateText
        try LogoutRequest.checkReturn(query: "a=b&state=\(text)", state: state)
        let cases: [(String, AuthorizationError.Code)] = [
            ("", .stateMissing), ("a=b", .stateMissing), ("state=", .stateMismatch),
            ("state=\(text)x", .stateMismatch), ("state=\(text)&state=\(text)", .repeatedParameter),
            ("state=%zz", .malformed), (String(repeating: "a", count: 16_385), .tooLarge),
        ]
        for (query, code) in cases {
            #expect(
                signInRefusal { try LogoutRequest.checkReturn(query: query, state: state) } == code)
        }
    }
}
