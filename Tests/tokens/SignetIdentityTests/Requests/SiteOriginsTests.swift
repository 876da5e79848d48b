// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import Testing

@Suite("Origins allowed to act with a session cookie")
struct SiteOriginsTests {
    private let origins: SiteOrigins

    init() throws {
        origins = try SiteOrigins([
            "https://app.example", "https://app.example:8443", "http://localhost:3000",
            "https://xn--bcher-kva.example",
        ])
    }

    @Test(
        "An origin equal byte for byte to a listed one is allowed",
        arguments: [
            "https://app.example", "https://app.example:8443", "http://localhost:3000",
            "https://xn--bcher-kva.example",
        ])
    func allowed(_ origin: String) {
        #expect(origins.allow(method: "POST", origin: [origin], upgrade: []))
        #expect(origins.allow(method: "GET", origin: [origin], upgrade: ["websocket"]))
    }

    @Test(
        "Look-alikes are refused",
        arguments: [
            "null", "", "https://app.example.", "https://app.example:443", "https://app.example/",
            "HTTPS://app.example", "https://APP.example", "http://app.example",
            "https://app.example:8444", "https://app.example.evil.example",
            "https://evil.example/https://app.example", "https://app.example@evil.example",
            "https://user@app.example", "https://app.example https://evil.example",
            "https://app.example,https://evil.example", "https://bücher.example",
            "https://app.example\0", " https://app.example", "https://app\u{3002}example",
            "https://app.examp\u{200b}le", "http://localhost", "http://127.0.0.1:3000", "file://",
        ])
    func refused(_ origin: String) {
        #expect(!origins.allow(method: "POST", origin: [origin], upgrade: []))
        #expect(!origins.allow(method: "GET", origin: [origin], upgrade: ["websocket"]))
    }

    @Test("Every method that may change something needs exactly one Origin field")
    func methods() {
        let ours = ["https://app.example"]
        for method in ["POST", "PUT", "PATCH", "DELETE", "CONNECT", "get", "Head", "QUERY", ""] {
            #expect(!origins.allow(method: method, origin: [], upgrade: []), "\(method)")
            #expect(!origins.allow(method: method, origin: ours + ours, upgrade: []), "\(method)")
            #expect(origins.allow(method: method, origin: ours, upgrade: []), "\(method)")
        }
        for method in ["GET", "HEAD", "OPTIONS"] {
            #expect(origins.allow(method: method, origin: ["null"], upgrade: []), "\(method)")
            for upgrade in ["websocket", "WebSocket", "", "h2c"] {
                #expect(!origins.allow(method: method, origin: [], upgrade: [upgrade]))
            }
        }
    }

    @Test(
        "An origin that no browser would send is a configuration error",
        arguments: [
            "https://app.example/", "https://app.example:443", "https://App.example",
            "http://localhost:80", "http://app.example", "app.example", "https://app.example.",
            "https://bücher.example", "https://app.example/path", "https://*.example", "null", "",
        ])
    func configuration(_ origin: String) {
        #expect(throws: IdentityConfigurationError(.invalidURL, "")) {
            try SiteOrigins([origin])
        }
    }
}
