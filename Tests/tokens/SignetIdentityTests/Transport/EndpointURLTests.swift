// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Endpoint addresses")
struct EndpointURLTests {
    @Test(
        "are parsed into their parts",
        arguments: [
            ("https://a.example", "https", "a.example", nil, "", nil),
            ("https://A.Example/Path", "https", "a.example", nil, "/Path", nil),
            ("https://a.example:8443/p?q=1&r=%2F", "https", "a.example", 8_443, "/p", "q=1&r=%2F"),
            ("https://a.example?q", "https", "a.example", nil, "", "q"),
            ("https://a.example/?", "https", "a.example", nil, "/", ""),
            ("https://xn--bcher-kva.example/", "https", "xn--bcher-kva.example", nil, "/", nil),
            ("https://192.0.2.1:65535/", "https", "192.0.2.1", 65_535, "/", nil),
            ("https://[2001:DB8::1]:1/", "https", "[2001:db8::1]", 1, "/", nil),
            ("https://[::]/", "https", "[::]", nil, "/", nil),
            ("https://[::ffff:192.0.2.1]/", "https", "[::ffff:192.0.2.1]", nil, "/", nil),
            ("https://[1:2:3:4:5:6:7:8]/", "https", "[1:2:3:4:5:6:7:8]", nil, "/", nil),
            ("https://[1:2:3:4:5:6:7::]/", "https", "[1:2:3:4:5:6:7::]", nil, "/", nil),
            ("http://127.0.0.1:8080/jwks", "http", "127.0.0.1", 8_080, "/jwks", nil),
            ("http://[::1]/", "http", "[::1]", nil, "/", nil),
            ("http://localhost:3000", "http", "localhost", 3_000, "", nil),
            (
                "https://keycloak/realms/a%20b/...", "https", "keycloak", nil, "/realms/a%20b/...",
                nil
            ),
            (
                "https://a.example/robot/v1/metadata/x509/securetoken@system.example", "https",
                "a.example",
                nil,
                "/robot/v1/metadata/x509/securetoken@system.example", nil
            ),
        ] as [(String, String, String, Int?, String, String?)])
    func parts(
        text: String, scheme: String, host: String, port: Int?, path: String, query: String?
    ) throws {
        let url = try EndpointURL(text)
        #expect(url.text == text)
        #expect(url.description == text)
        #expect(url.scheme == scheme)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.effectivePort == port ?? (scheme == "https" ? 443 : 80))
        #expect(url.path == path)
        #expect(url.query == query)
    }

    static let refused = [
        "", "a.example", "//a.example", "https:", "https:/", "https://", "https:///", "https://?",
        "https:a.example",
        "HTTPS://a.example", "ftp://a.example", "file:///etc/passwd", "javascript:alert(1)",
        "data:,x",
        // http is for this machine, in exactly three spellings.
        "http://a.example/", "http://localhost.evil.com", "http://127.0.0.1@evil", "http://127.1",
        "http://0x7f.1",
        "http://localhost.", "http://LOCALHOST", "http://127.0.0.2",
        "http://127.0.0.1.evil.example",
        "http://2130706433", "http://0177.0.0.1", "http://127.0.0.01", "http://[::ffff:127.0.0.1]",
        "http://[0:0:0:0:0:0:0:1]",
        "http://[::01]", "http://0.0.0.0", "http://[::]", "http://evil.example#127.0.0.1",
        "http://evil.example?@localhost",
        // User information.
        "https://user@a.example", "https://user:pass@a.example", "https://@a.example",
        "https://a.example:443@evil.example/",
        "https://a.example%40evil.example/",
        // Hosts.
        "https://a..example", "https://.example", "https://a.example.", "https://-a.example",
        "https://a-.example",
        "https://a_b.example", "https://a%2eexample", "https://a.ex%61mple",
        "https://bücher.example",
        "https://ａ.example",
        "https://a.example\\@evil.example", "https://a.example\\.evil.example",
        "https://a b.example",
        "https://a\t.example",
        "https://a.example\n", "https://a.example\r\n/", " https://a.example", "https://a.example ",
        "https://a.example\0",
        "https://127.1", "https://1.2.3", "https://1.2.3.4.5", "https://256.1.1.1",
        "https://1.2.3.04",
        "https://0x7f000001",
        "https://1.2.3.0x4", "https://a.1", "https://a.0x", "https://2130706433",
        "https://" + String(repeating: "a", count: 64) + ".example",
        "https://" + Array(repeating: "abcdefgh", count: 30).joined(separator: "."),
        // IPv6.
        "https://[", "https://]", "https://[]", "https://[::1", "https://::1", "https://[:]",
        "https://[:::]",
        "https://[1::2::3]",
        "https://[1:2:3:4:5:6:7]", "https://[1:2:3:4:5:6:7:8:9]", "https://[1:2:3:4:5:6:7:8::]",
        "https://[::1:2:3:4:5:6:7:8]",
        "https://[::12345]", "https://[::g]", "https://[fe80::1%25eth0]",
        "https://[::1]evil.example",
        "https://[::1]]",
        "https://[1.2.3.4]", "https://[::1.2.3]", "https://[::256.1.1.1]", "https://[1.2.3.4::]",
        "https://[::1.2.3.4:1]",
        "https://[:1:2:3:4:5:6:7]", "https://[1:2:3:4:5:6:7:]", "https://[v1.a]", "https://[::1::]",
        "https://[::::]",
        // Ports.
        "https://a.example:", "https://a.example:/", "https://a.example:0",
        "https://a.example:65536",
        "https://a.example:+1",
        "https://a.example:-1", "https://a.example:0443", "https://a.example:1a",
        "https://a.example:1:2",
        "https://a.example:99999999999999999999", "https://[::1]:", "https://[::1]1",
        // Paths and queries.
        "https://a.example/#", "https://a.example#", "https://a.example/#fragment",
        "https://a.example/?q#f",
        "https://a.example/a b",
        "https://a.example/\\", "https://a.example/\"", "https://a.example/<",
        "https://a.example/{x}",
        "https://a.example/a|b",
        "https://a.example/^", "https://a.example/`", "https://a.example/é", "https://a.example/%",
        "https://a.example/%1",
        "https://a.example/%zz", "https://a.example/?%", "https://a.example/../x",
        "https://a.example/.",
        "https://a.example/x/..",
        "https://a.example/./x", "https://a.example/%2e%2E/x", "https://a.example/.%2e",
        "https://a.example/%2e",
        "https://a.example/[", "https://a.example/?[",
        "https://a.example/" + String(repeating: "a", count: 2_048),
    ]

    @Test(
        "are refused where readers could differ, or where they are not for secrets",
        arguments: refused)
    func refusals(text: String) {
        #expect(throws: IdentityConfigurationError(.invalidURL, "")) { _ = try EndpointURL(text) }
    }

    @Test("are refused without being repeated, as they may hold a password")
    func silence() {
        do throws(IdentityConfigurationError) {
            _ = try EndpointURL("https://user:hunter2@a.example")
            Issue.record("it was taken")
        } catch {
            #expect(!error.description.contains("hunter2"))
        }
    }

    @Test("are accepted up to 2,048 bytes")
    func longest() throws {
        let text = "https://a.example/" + String(repeating: "a", count: 2_048 - 18)
        #expect(try EndpointURL(text).path.utf8.count == 2_031)
    }

    @Test("never crash on any bytes (seed 4)")
    func noise() {
        var random = SeededGenerator(seed: 4)
        let pieces = [
            "https://", "http://", "a", ".", ":", "/", "?", "#", "@", "[", "]", "::", "1", "0x",
            "%", "%2e",
            "\\", "é", "localhost",
            "127.0.0.1", "-", "..", " ", "\0", "65535", "ffff",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...8, using: &random))
                .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            guard let url = try? EndpointURL(text) else { continue }
            #expect(
                url.scheme == "https" || ["127.0.0.1", "[::1]", "localhost"].contains(url.host),
                "\(text)")
            #expect(!url.host.isEmpty, "\(text)")
        }
    }

    @Test("compare hosts without case, and with default ports")
    func comparison() throws {
        let url = try EndpointURL("https://a.example/x")
        #expect(url.hasSameHost(as: try EndpointURL("https://A.EXAMPLE:99/y")))
        #expect(!url.hasSameHost(as: try EndpointURL("https://b.example/x")))
        #expect(url.hasSameOrigin(as: try EndpointURL("https://A.example:443")))
        #expect(!url.hasSameOrigin(as: try EndpointURL("https://a.example:444")))
        #expect(
            try !EndpointURL("http://localhost:443").hasSameOrigin(
                as: try EndpointURL("https://localhost")))
    }

    @Test("append a path to their own")
    func appending() throws {
        #expect(
            try EndpointURL("https://a.example").appending(path: "/b").text == "https://a.example/b"
        )
        #expect(
            try EndpointURL("https://a.example/").appending(path: "b").text == "https://a.example/b"
        )
        #expect(
            try EndpointURL("https://a.example/x/").appending(path: "/b/c").text
                == "https://a.example/x/b/c")
        for (base, path) in [
            ("https://a.example/?q", "b"), ("https://a.example", "../b"),
            ("https://a.example", "b c"),
            ("https://a.example", "b#f"),
        ] {
            #expect(throws: IdentityConfigurationError(.invalidURL, ""), "\(base) \(path)") {
                _ = try EndpointURL(base).appending(path: path)
            }
        }
    }
}
