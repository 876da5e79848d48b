// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSignIn
import Testing

@Suite struct RedirectURITests {
    static let allowed = [
        "https://app.example/callback", "swiftapp://auth-callback",
        "com.example.app:/oauth2redirect",
        "http://127.0.0.1/cb", "http://[::1]:8000/cb?x=1", "http://localhost:3001/cb",
    ]

    @Test("Exact matches are allowed", arguments: allowed)
    func exact(_ uri: String) throws {
        #expect(try RedirectURIs(Self.allowed).allows(uri))
        #expect(try RedirectURIs(Self.allowed, loopbackPorts: .any).allows(uri))
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
        #expect(try !RedirectURIs(Self.allowed).allows(uri))
        #expect(try !RedirectURIs(Self.allowed, loopbackPorts: .any).allows(uri))
    }

    @Test("Any loopback port is allowed only where the program asks for it (RFC 8252, section 7.3)")
    func ports() throws {
        for uri in [
            "http://127.0.0.1:49152/cb", "http://127.0.0.1:1/cb", "http://[::1]:65535/cb?x=1",
            "http://[::1]/cb?x=1",
        ] {
            #expect(try RedirectURIs(Self.allowed, loopbackPorts: .any).allows(uri))
            #expect(try !RedirectURIs(Self.allowed).allows(uri))
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
    }

    @Test("An empty list and one with duplicates are refused")
    func lists() {
        #expect(configurationRefusal { try RedirectURIs([]) } == .invalidIdentifier)
        #expect(
            configurationRefusal { try RedirectURIs(["app://cb", "app://cb"]) } == .contradiction)
        #expect(
            configurationRefusal {
                try RedirectURIs(["app://" + String(repeating: "x", count: 2_048)])
            }
                == .invalidURL)
    }
}
