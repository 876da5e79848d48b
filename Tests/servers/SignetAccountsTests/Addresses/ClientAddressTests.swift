// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import Testing

@Suite("Addresses of clients", .serialized)
struct ClientAddressTests {
    @Test(
        "One address has many spellings, which are equal",
        arguments: [
            ("192.0.2.1", "192.0.2.1:443"), ("192.0.2.1", "::ffff:192.0.2.1"),
            ("192.0.2.1", "::FFFF:c000:201"), ("192.0.2.1", "[::ffff:192.0.2.1]:80"),
            ("192.0.2.1", "0:0:0:0:0:ffff:192.0.2.1"), ("2001:db8::1", "2001:DB8:0:0:0:0:0:1"),
            ("2001:db8::1", "[2001:db8::1]"), ("2001:db8::1", "[2001:db8::1]:65535"),
            ("2001:db8::1", "2001:0db8:0000:0000:0000:0000:0000:0001"),
            ("fe80::1", "fe80::1%eth0"), ("fe80::1", "[fe80::1%25eth0]:1"), ("::", "0::0"),
            ("1::", "1:0:0:0:0:0:0:0"), ("::1.2.3.4", "::102:304"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ])
    func equal(a: String, b: String) throws {
        let (a, b) = (try #require(ClientAddress(a)), try #require(ClientAddress(b)))
        #expect(a == b)
        #expect("\(a)" == "ClientAddress(redacted)")
    }

    @Test(
        "A malformed address is rejected",
        arguments: [
            "", " ", "localhost", "192.0.2", "192.0.2.1.1", "192.0.2.256", "192.0.2.01",
            "0x7f.0.0.1", "2130706433", "127.1", "192.0.2.1:", "192.0.2.1:65536", "192.0.2.1:x",
            "192.0.2.1 ", "１.2.3.4", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
            "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "12345::", "g::", "[::1", "::1]", "[::1]x",
            "[::1]:", "[::1]80", "[]", "[192.0.2.1", "1.2.3.4::", "::1.2.3", "::1.2.3.4.5",
            "::1.2.3.4:5", "/run/signet.sock", "unknown", "_hidden", "%eth0", "::ffff:1.2.3.256",
        ])
    func none(text: String) {
        #expect(ClientAddress(text) == nil)
    }

    @Test("Long malformed texts are rejected at once")
    func long() {
        for text in [
            String(repeating: ":", count: 1 << 20), String(repeating: "1.", count: 1 << 20),
            String(repeating: "1:", count: 1 << 20), "[" + String(repeating: "1", count: 1 << 20),
        ] { #expect(ClientAddress(text) == nil) }
    }
}

@Suite("Trusted proxies", .serialized)
struct TrustedProxiesTests {
    private func client(
        _ ranges: [String], _ peer: String, _ lines: [String],
        field: TrustedProxies.Field = .xForwardedFor
    ) throws -> ClientAddress? {
        try TrustedProxies(ranges, field: field).client(peer: peer, forwarded: lines)
    }

    @Test("Without proxies, the peer is the client, whatever it claims")
    func spoofed() throws {
        for lines in [[], ["1.1.1.1"], ["1.1.1.1, 2.2.2.2", "3.3.3.3"]] {
            let none = TrustedProxies.none.client(peer: "9.9.9.9:1234", forwarded: lines)
            #expect(none == ClientAddress("9.9.9.9"))
            #expect(try client(["10.0.0.0/8"], "9.9.9.9", lines) == ClientAddress("9.9.9.9"))
        }
    }

    @Test(
        "From the right, the first address that is not a proxy is the client",
        arguments: [
            ([], "10.0.0.1"), (["1.1.1.1"], "1.1.1.1"), (["6.6.6.6, 1.1.1.1"], "1.1.1.1"),
            (["6.6.6.6", "1.1.1.1"], "1.1.1.1"), (["1.1.1.1, 10.0.0.2"], "1.1.1.1"),
            (["6.6.6.6,1.1.1.1:55,10.0.0.2,10.0.0.3"], "1.1.1.1"),
            (["1.1.1.1", "10.0.0.2"], "1.1.1.1"), (["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            (["2001:db8::7"], "2001:db8::7"), (["[2001:db8::7]:443"], "2001:db8::7"),
            (["::ffff:10.0.0.2"], "10.0.0.2"), (["1.1.1.1, ::ffff:10.0.0.2"], "1.1.1.1"),
            // An invalid address ends the search at the proxy that wrote it.
            (["6.6.6.6, unknown"], "10.0.0.1"), (["6.6.6.6,"], "10.0.0.1"), ([""], "10.0.0.1"),
            (["6.6.6.6, x, 10.0.0.2"], "10.0.0.2"),
        ] as [([String], String)])
    func chain(lines: [String], expected: String) throws {
        #expect(try client(["10.0.0.0/8"], "10.0.0.1", lines) == ClientAddress(expected))
        #expect(
            try client(["10.0.0.0/8"], "[::ffff:10.0.0.1]:99", lines) == ClientAddress(expected))
    }

    @Test(
        "The elements of Forwarded are read",
        arguments: [
            ("for=1.1.1.1", "1.1.1.1"), ("For=1.1.1.1;proto=http;by=10.0.0.1", "1.1.1.1"),
            ("proto=https; FOR=\"[2001:db8::7]:4711\"", "2001:db8::7"),
            ("for=6.6.6.6, for=1.1.1.1", "1.1.1.1"),
            ("for=6.6.6.6, for=1.1.1.1;proto=https, for=10.0.0.2", "1.1.1.1"),
            // A client's open quote must not swallow what the proxy appends.
            ("for=\"6.6.6.6, for=1.1.1.1", "1.1.1.1"), ("for=\"x\\\", for=1.1.1.1", "1.1.1.1"),
            ("for=unknown", "10.0.0.1"), ("for=_hidden", "10.0.0.1"), ("1.1.1.1", "10.0.0.1"),
            ("for=1.1.1.1;for=2.2.2.2", "10.0.0.1"), ("for=\"1.1.1.1", "10.0.0.1"),
            ("for=", "10.0.0.1"), ("for=\"", "10.0.0.1"), ("xfor=1.1.1.1", "10.0.0.1"),
            // A comma that the client put into its Host, quoted by the proxy.
            ("for=1.1.1.1;host=\"a,for=6.6.6.6;x\"", "10.0.0.1"),
            ("for=1.1.1.1;host=\"a,for=6.6.6.6;x\";proto=https", "10.0.0.1"),
            ("for=1.1.1.1;host=\"a,for=6.6.6.6;x=\\\"\"", "10.0.0.1"),
            ("for=1.1.1.1;host=\"a.example:443\"", "1.1.1.1"),
        ])
    func forwarded(line: String, expected: String) throws {
        #expect(
            try client(["10.0.0.0/8"], "10.0.0.1", [line], field: .forwarded)
                == ClientAddress(expected))
    }

    @Test("Ranges are compared bit by bit")
    func ranges() throws {
        for (range, inside, outside) in [
            ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"),
            ("10.0.0.0/9", "10.127.0.1", "10.128.0.0"),
            ("10.1.2.3", "10.1.2.3", "10.1.2.2"), ("10.1.2.3/31", "10.1.2.2", "10.1.2.4"),
            ("2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"),
            ("::1", "::1", "::2"), ("128.0.0.0/1", "255.0.0.1", "127.0.0.1"),
            ("2001:db8::/32", "2001:db8::1", "32.1.13.184"),
        ] {
            #expect(
                try client([range], inside, ["1.1.1.1"]) == ClientAddress("1.1.1.1"), "\(range)")
            #expect(try client([range], outside, ["1.1.1.1"]) == ClientAddress(outside), "\(range)")
        }
        for range in [
            "", "/", "10.0.0.0/", "10.0.0.0/0", "::/0", "10.0.0.0/33", "::/129", "10.0.0.0/08",
            "10.0.0.0/8/8", "10/8", "x/8", "10.0.0.0/-1", "::ffff:10.0.0.0/104", " 10.0.0.1",
        ] {
            #expect(throws: AccountError(.invalidParameter, ""), "\(range)") {
                try TrustedProxies([range])
            }
        }
    }

    @Test("An ignored field is reported once, and a field that counts is not")
    func ignored() async throws {
        let count = Locked(0)
        let proxies = try TrustedProxies(["10.0.0.0/8"]).reportingIgnoredField {
            count.withLock { $0 += 1 }
        }
        for (peer, lines) in [
            ("10.0.0.1", ["1.1.1.1"]), ("10.0.0.1:80", [""]), ("10.0.0.1", ["unknown"]),
            ("9.9.9.9", []), ("/run/x.sock", []), ("", []),
        ] { _ = proxies.client(peer: peer, forwarded: lines) }
        #expect(count.withLock { $0 } == 0)
        await withTaskGroup { group in
            for _ in 0..<64 {
                group.addTask { _ = proxies.client(peer: "9.9.9.9", forwarded: ["1.1.1.1"]) }
            }
        }
        #expect(count.withLock { $0 } == 1)
        #expect(proxies.client(peer: "9.9.9.9", forwarded: ["1.1.1.1"]) == ClientAddress("9.9.9.9"))
        // Behind a Unix socket too, and where no proxy is named.
        let none = TrustedProxies.none.reportingIgnoredField { count.withLock { $0 += 1 } }
        for _ in 0..<2 { #expect(none.client(peer: "/run/x.sock", forwarded: [""]) == nil) }
        #expect(count.withLock { $0 } == 2)
    }

    @Test("A peer without an address has none, and long fields cost little")
    func edges() throws {
        #expect(try client(["10.0.0.0/8"], "/run/x.sock", ["1.1.1.1"]) == nil)
        #expect(try client(["10.0.0.0/8"], "", ["1.1.1.1"]) == nil)
        let long = String(repeating: "10.0.0.2,", count: 100_000) + "10.0.0.3"
        #expect(try client(["10.0.0.0/8"], "10.0.0.1", [long]) == ClientAddress("10.0.0.2"))
    }
}
