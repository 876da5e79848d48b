// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSignIn
import TestSupport
import Testing

@Suite("Authorization requests")
struct AuthorizationRequestTests {
    typealias Fixture = SignInFixture

    static func request(
        _ endpoint: String = "https://accounts.example/authorize", clientID: String = "client",
        redirectURI: String = Fixture.redirectURI, scopes: [String] = ["openid", "email"],
        hasNonce: Bool = true,
        mode: CodeFlow.ResponseMode = .query, additional: [(name: String, value: String)] = []
    ) throws -> AuthorizationRequest {
        try AuthorizationRequest(
            endpoint: EndpointURL(endpoint), clientID: clientID, redirectURI: redirectURI,
            scopes: scopes,
            state: Fixture.state(), nonce: hasNonce ? .used(Fixture.nonce()) : .noIDToken,
            pkce: .used(Fixture.pkce()),
            responseMode: mode, additional: additional)
    }

    static let fixed =
        "&state=af0ifjsldkj-af0ifjsldkj-af0ifjsldkj&nonce=n-0S6_WzA2Mj-n-0S6_WzA2Mj-n-0S6_WzA2Mj"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"

    @Test("The address is exact")
    func address() throws {
        #expect(
            try Self.request().url
                == "https://accounts.example/authorize?response_type=code&client_id=client"
                + "&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&scope=openid%20email"
                + Self.fixed)
    }

    @Test("No value can add parameters")
    func encoding() throws {
        let url = try Self.request(
            clientID: "a b&c=d#e?f+g%h/\\\"<>'", mode: .formPost,
            additional: [("login_hint", "jürgen@app.example&x=y"), ("prompt", "select_account")]
        ).url
        #expect(url.contains("&client_id=a%20b%26c%3Dd%23e%3Ff%2Bg%25h%2F%5C%22%3C%3E%27&"))
        #expect(
            url.contains(
                "&response_mode=form_post&login_hint=j%C3%BCrgen%40app.example%26x%3Dy&prompt=select_account"
            )
        )
        #expect(url.utf8.allSatisfy { (0x21...0x7e).contains($0) })
    }

    @Test("The endpoint's own query is kept (RFC 6749, section 3.1)")
    func ownQuery() throws {
        #expect(
            try Self.request("https://accounts.example/a?tenant=t%201&x").url.hasPrefix(
                "https://accounts.example/a?tenant=t%201&x&response_type=code&"))
        #expect(
            try Self.request("https://accounts.example/a?").url.hasPrefix(
                "https://accounts.example/a?response_type="))
        #expect(
            try Self.request("https://accounts.example/a?x=1&&y=2&").url.hasPrefix(
                "https://accounts.example/a?x=1&&y=2&response_type="))
    }

    @Test(
        "Additional parameters cannot replace the request's own",
        arguments: [
            "response_type", "client_id", "redirect_uri", "scope", "state", "nonce",
            "code_challenge",
            "code_challenge_method", "response_mode", "request", "request_uri", "",
        ])
    func reserved(_ name: String) {
        #expect(
            configurationRefusal { try Self.request(additional: [(name, "x")]) } == .contradiction)
        guard !name.isEmpty else { return }
        #expect(
            configurationRefusal { try Self.request("https://accounts.example/a?\(name)=x") }
                == .contradiction)
        #expect(
            configurationRefusal {
                try Self.request("https://accounts.example/a?x=1&%\(hex(name))=x")
            }
                == .contradiction)
    }

    @Test("Invalid requests are refused")
    func refused() {
        #expect(configurationRefusal { try Self.request(clientID: "") } == .invalidIdentifier)
        #expect(configurationRefusal { try Self.request(clientID: "é") } == .invalidIdentifier)
        #expect(
            configurationRefusal { try Self.request(scopes: ["openid", ""]) } == .invalidIdentifier)
        #expect(
            configurationRefusal { try Self.request(scopes: ["openid email"]) }
                == .invalidIdentifier)
        #expect(configurationRefusal { try Self.request(scopes: ["a\"b"]) } == .invalidIdentifier)
        #expect(configurationRefusal { try Self.request(hasNonce: false) } == .contradiction)
        #expect(configurationRefusal { try Self.request(scopes: ["repo"], hasNonce: false) } == nil)
        #expect(
            configurationRefusal { try Self.request(redirectURI: "http://app.example/") }
                == .invalidURL)
        #expect(
            configurationRefusal { try Self.request(redirectURI: "javascript:alert(1)") }
                == .invalidURL)
        #expect(
            configurationRefusal { try Self.request("https://accounts.example/a?x=%ff") }
                == .invalidURL)
        #expect(
            configurationRefusal { try Self.request(additional: [("a", "1"), ("a", "2")]) }
                == .contradiction)
        #expect(
            configurationRefusal {
                try Self.request("https://accounts.example/a?a=1", additional: [("a", "2")])
            }
                == .contradiction)
        #expect(
            configurationRefusal {
                try Self.request(additional: [("a", String(repeating: "x", count: 8_192))])
            }
                == .outOfRange)
    }

    /// The name with its first letter percent-encoded.
    private func hex(_ name: String) -> String {
        String(name.utf8.first ?? 0, radix: 16) + name.dropFirst()
    }
}
