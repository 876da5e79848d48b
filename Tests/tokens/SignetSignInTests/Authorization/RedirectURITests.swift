// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSignIn
import TestSupport
import Testing

@Suite("Redirect URIs")
struct RedirectURITests {
    static let allowed = [
        "https://app.example/callback", "swiftapp://auth-callback",
        "com.example.app:/oauth2redirect",
        "http://127.0.0.1/cb", "http://[::1]:8000/cb?x=1", "http://localhost:3001/cb",
    ]

    static let schemes = ["swiftapp"]

    private static func list(
        _ ports: RedirectURIs.LoopbackPorts = .exact
    ) throws -> RedirectURIs {
        try RedirectURIs(allowed, loopbackPorts: ports, schemes: schemes)
    }

    @Test("Exact matches are allowed", arguments: allowed)
    func exact(_ uri: String) throws {
        #expect(try Self.list().allows(uri))
        #expect(try Self.list(.any).allows(uri))
    }

    @Test(
        "Near misses are refused under either rule for ports",
        arguments: [
            "", "https://app.example/callback/", "https://app.example/callback/../callback",
            "https://app.example/./callback", "https://app.example//callback",
            "https://app.example/Callback",
            "https://app.example/callback/evil", "https://app.example/callback.evil",
            "https://app.example/callbac",
            "https://app.example/callback?x=1", "https://app.example/callback?",
            "https://app.example/callback#",
            "https://app.example/callback#x", "https://app.example/c%61llback",
            "https://app.example/callback%00",
            "https://app.example/callback ", " https://app.example/callback",
            "https://app.example/callback\n",
            "https://app.example/callback;x", "https://app.example\\callback",
            "https://app.example/callback\\",
            "https://APP.example/callback", "HTTPS://app.example/callback",
            "http://app.example/callback",
            "https://app.example:443/callback", "https://app.example:/callback",
            "https://app.example./callback",
            "https://user@app.example/callback", "https://app.example@evil.example/callback",
            "https://app.example:x@evil.example/callback",
            "https://evil.example/?https://app.example/callback",
            "https://app.example.evil.example/callback", "https://evilapp.example/callback",
            "https://sub.app.example/callback", "https://\u{430}pp.example/callback",
            "https://app.exa\u{ad}mple/callback",
            "//app.example/callback", "/callback", "app.example/callback", "javascript:alert(1)",
            "swiftapp://auth-callback/", "swiftapp://AUTH-callback", "SwiftApp://auth-callback",
            "swiftapp://auth-callback.evil", "swiftapp://user@auth-callback",
            "swiftapp://auth-callback:1",
            "swiftapp:auth-callback", "com.example.app://oauth2redirect",
            "com.example.app:/oauth2redirect2",
            "http://localhost:3002/cb", "http://localhost/cb", "http://127.0.0.1.evil.example/cb",
            "http://127.0.0.1:80@evil.example/cb", "http://127.0.0.2/cb", "http://127.1/cb",
            "http://0x7f.0.0.1/cb",
            "https://127.0.0.1/cb", "http://127.0.0.1/cb/", "http://127.0.0.1/CB",
            "http://127.0.0.1/cb?x=1",
            "http://127.0.0.1:0/cb", "http://127.0.0.1:65536/cb", "http://127.0.0.1:08080/cb",
            "http://127.0.0.1:+80/cb", "http://127.0.0.1:/cb", "http://127.0.0.1:8 0/cb",
            "http://[::1]/cb",
            "http://[::1]:8000/cb", "http://[::1]:8000/cb?x=2",
            "http://[0:0:0:0:0:0:0:1]:8000/cb?x=1",
            "http://[::ffff:127.0.0.1]/cb", "http://u@127.0.0.1/cb",
        ])
    func refused(_ uri: String) throws {
        #expect(try !Self.list().allows(uri))
        #expect(try !Self.list(.any).allows(uri))
    }

    @Test("Any loopback port is allowed only where the program asks for it (RFC 8252, section 7.3)")
    func ports() throws {
        for uri in [
            "http://127.0.0.1:49152/cb", "http://127.0.0.1:1/cb", "http://[::1]:65535/cb?x=1",
            "http://[::1]/cb?x=1",
        ] {
            #expect(try Self.list(.any).allows(uri))
            #expect(try !Self.list().allows(uri))
        }
        #expect(
            try !RedirectURIs(["https://app.example/cb"], loopbackPorts: .any).allows(
                "http://127.0.0.1:1/cb")
        )
    }

    @Test(
        "Invalid entries are refused",
        arguments: [
            "", "https://", "http://app.example/cb", "https://u@app.example/cb",
            "https://app.example/cb#f",
            "https://app.example/cb#", "https://app.example/c b", "https://*.app.example/cb",
            "https://bücher.example/cb",
            "/cb", "app.example", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
            "vbscript:x",
            "intent://x", "blob:x", "about:blank", "MyApp://cb", "1app://cb", "my app://cb", "app:",
            "swiftapp://u@cb",
            "swiftapp://cb\"x", ":x", "swiftapp://cb\\x", "http://127.0.0.1:99999/cb",
            "http://127.1/cb",
            "https://app.example/../cb",
        ])
    func impossible(_ uri: String) {
        #expect(configurationRefusal { try RedirectURIs([uri]) } == .invalidURL)
        // Naming its scheme changes nothing.
        let scheme = uri.split(separator: ":", omittingEmptySubsequences: false)[0]
        #expect(
            configurationRefusal { try RedirectURIs([uri], schemes: [String(scheme)]) }
                == .invalidURL)
    }

    @Test(
        "A scheme without a dot must be named",
        arguments: [
            "swiftapp://cb", "app:/cb", "ssh://-oProxyCommand=x", "smb://h/x", "ldap://h",
            "a-b+c:x",
            "ms-settings:x", "chrome-extension://x/cb", "feed:javascript:x",
        ])
    func named(_ uri: String) throws {
        let scheme = String(uri.prefix { $0 != ":" })
        for schemes in [[], ["app.example"], [scheme + "x"], ["x" + scheme], ["https"]] {
            #expect(
                configurationRefusal { try RedirectURIs([uri], schemes: schemes) } == .invalidURL,
                "\(schemes)")
        }
        #expect(try RedirectURIs([uri], schemes: ["other", scheme]).allows(uri))
        // The same rule holds where a program has only one address.
        func request(_ schemes: [String]) throws -> LogoutRequest {
            try LogoutRequest(
                endpoint: EndpointURL("https://idp.example/end"), clientID: "c", idToken: nil,
                returningTo: uri, state: SignInFixture.state(), schemes: schemes)
        }
        #expect(configurationRefusal { try request([]) } == .invalidURL)
        _ = try request([scheme])
    }

    @Test(
        "A scheme with a dot needs no name (RFC 8252, section 7.1)",
        arguments: ["com.example.app:/cb", "com.example.app://cb", "app.example:/callback"])
    func dotted(_ uri: String) throws {
        #expect(try RedirectURIs([uri]).allows(uri))
    }

    @Test(
        "What may not be a redirect may not be named as a scheme",
        arguments: [
            "javascript", "vbscript", "data", "file", "blob", "about", "filesystem", "ftp", "ws",
            "wss", "mailto", "tel", "sms", "urn", "intent", "view-source", "jar", "chrome",
            "resource", "", "App", "1app", "my app", "app:", "*",
        ])
    func unnameable(_ scheme: String) {
        #expect(
            configurationRefusal {
                try RedirectURIs(["https://app.example/cb"], schemes: [scheme])
            } == .invalidURL)
    }

    @Test("Naming http does not allow http to other machines")
    func http() {
        #expect(
            configurationRefusal {
                try RedirectURIs(["http://app.example/cb"], schemes: ["http"])
            } == .invalidURL)
    }

    @Test("An empty list and one with duplicates are refused")
    func lists() {
        #expect(configurationRefusal { try RedirectURIs([]) } == .invalidIdentifier)
        #expect(
            configurationRefusal {
                try RedirectURIs(["a.b://cb", "a.b://cb"])
            } == .contradiction)
        #expect(
            configurationRefusal {
                try RedirectURIs(["a.b://" + String(repeating: "x", count: 2_048)])
            }
                == .invalidURL)
    }
}
