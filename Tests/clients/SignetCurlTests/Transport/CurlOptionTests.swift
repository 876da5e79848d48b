// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CurlBridge
import Foundation
import SignetCurl
import SignetIdentity
import TestSupport
import Testing

/// Pins, authorities and proxies of a program's choosing.
@Suite("libcurl: options", .needsPython, .timeLimit(.minutes(20)))
struct CurlOptionTests {
    private static func wire(_ change: (inout CurlOptions) throws -> Void) throws -> Wire {
        var options = CurlOptions()
        try change(&options)
        return Wire(try CurlTransport(options: options))
    }

    private static func server(_ issued: TestAuthority.Issued) async throws -> KeyServer {
        let server = try await KeyServer(certificate: issued.certificate, key: issued.key)
        try await server.set("/keys", Behaviour("{}"))
        return server
    }

    @Test("A private authority replaces the system's", .needsOpenSSL)
    func authorities() async throws {
        let own = try TestAuthority()
        let other = try TestAuthority()
        let server = try await Self.server(own.issue())
        let good = try Self.wire { $0.authorities = own.certificate.path }
        #expect(try await good.get(server.secureURL("/keys")).status == 200)
        #expect(try await good.get(server.secureURL("/keys", host: "127.0.0.1")).status == 200)
        let bad = try Self.wire { $0.authorities = other.certificate.path }
        #expect(try await bad.failure(server.secureURL("/keys")) == .notTrusted)
        #expect(try await Self.wire { _ in }.failure(server.secureURL("/keys")) == .notTrusted)
        let expired = try await Self.server(own.issue(expired: true))
        #expect(try await good.failure(expired.secureURL("/keys")) == .notTrusted)
        let elsewhere = try await Self.server(own.issue("DNS:other.example"))
        #expect(try await good.failure(elsewhere.secureURL("/keys")) == .notTrusted)
        #expect(try await elsewhere.facts("/keys").count == 0)
    }

    @Test("A malformed authority file is refused when the transport is made", .needsOpenSSL)
    func noAuthorities() async throws {
        let own = try TestAuthority()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "signet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = ["empty", "text"].map { folder.appendingPathComponent($0).path }
        try Data().write(to: URL(fileURLWithPath: paths[0]))
        try Data("not a certificate\n".utf8).write(to: URL(fileURLWithPath: paths[1]))
        for path in paths + ["", "/does/not/exist", folder.path, "/dev/null", "a\0b"] {
            #expect(throws: IdentityConfigurationError(.unreadableFile, ""), "\(path)") {
                try Self.wire { $0.authorities = path }
            }
        }
        // One damaged further on, and one that is removed later.
        let server = try await Self.server(own.issue())
        let path = folder.appendingPathComponent("broken").path
        try Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8).write(
            to: URL(fileURLWithPath: path))
        let wire = try Self.wire { $0.authorities = path }
        #expect(try await wire.failure(server.secureURL("/keys")) == .notTrusted)
        try FileManager.default.removeItem(atPath: path)
        #expect(try await wire.failure(server.secureURL("/keys")) == .notTrusted)
        #expect(try await server.facts("/keys").count == 0)
    }

    @Test("A pinned key and its backup pass, another key does not", .needsOpenSSL)
    func pins() async throws {
        let own = try TestAuthority()
        let (first, second) = (try own.issue(), try own.issue())
        let (backup, third) = (try own.backupPin(), try own.backupPin())
        func wire(_ pins: [String], host: String = "localhost") throws -> Wire {
            try Self.wire {
                $0.authorities = own.certificate.path
                $0.pins = [try PinnedKeys(host: host, spkiSHA256: pins)]
            }
        }
        let servers = (try await Self.server(first), try await Self.server(second))
        for pins in [
            [first.pin, backup], [backup, first.pin], ["sha256/\(first.pin)", "sha256//\(backup)"],
            [backup, third, first.pin],
        ] {
            #expect(try await wire(pins).get(servers.0.secureURL("/keys")).status == 200)
            #expect(try await wire(pins).failure(servers.1.secureURL("/keys")) == .notPinned)
        }
        // The day of the change: the backup's key now has a certificate.
        let both = try wire([first.pin, second.pin])
        #expect(try await both.get(servers.0.secureURL("/keys")).status == 200)
        #expect(try await both.get(servers.1.secureURL("/keys")).status == 200)
        let neither = try wire([backup, third], host: "LOCALHOST")
        #expect(try await neither.failure(servers.0.secureURL("/keys")) == .notPinned)
        // Another name of the same server has no pins.
        #expect(
            try await neither.get(servers.0.secureURL("/keys", host: "127.0.0.1")).status == 200)
        // A pinned host is asked over TLS only.
        #expect(
            try await neither.failure("http://localhost:\(servers.0.port)/keys") == .notPinned)
        #expect(try await servers.1.facts("/keys").count == 1)
    }

    @Test("Pins do not replace the check of the certificate", .needsOpenSSL)
    func pinsAndCertificates() async throws {
        let own = try TestAuthority()
        let other = try TestAuthority()
        for issued in [
            try own.issue(expired: true), try own.issue("DNS:other.example"), try other.issue(),
        ] {
            let server = try await Self.server(issued)
            let wire = try Self.wire {
                $0.authorities = own.certificate.path
                $0.pins = [
                    try PinnedKeys(
                        host: "localhost", spkiSHA256: [issued.pin, try own.backupPin()])
                ]
            }
            #expect(try await wire.failure(server.secureURL("/keys")) == .notTrusted)
            #expect(try await server.facts("/keys").count == 0)
        }
    }

    @Test("A prefix is not confused with a digest that begins with a slash")
    func slashes() throws {
        let other = Data(repeating: 0, count: 32).base64EncodedString()
        for bytes: [UInt8] in [[0xff, 0xff], [0xfc, 0x00]] {
            let digest = Data(bytes + [UInt8](repeating: 1, count: 30)).base64EncodedString()
            #expect(digest.hasPrefix("/"))
            let forms = ["", "sha256/", "sha256//"].map { $0 + digest }
            for form in forms {
                _ = try PinnedKeys(host: "api.example", spkiSHA256: [other, form])
            }
            // They are one key.
            #expect(throws: IdentityConfigurationError(.invalidIdentifier, "")) {
                try PinnedKeys(host: "api.example", spkiSHA256: forms)
            }
        }
    }

    @Test("Malformed pins are refused when they are made")
    func noPins() throws {
        let pins = (0..<17).map { Data(repeating: $0, count: 32).base64EncodedString() }
        _ = try PinnedKeys(host: "api.example", spkiSHA256: Array(pins[..<2]))
        _ = try PinnedKeys(host: "api.example", spkiSHA256: Array(pins[..<16]))
        for wrong in [
            [], [pins[0]], [pins[0], pins[0]], [pins[0], "sha256/\(pins[0])"], pins,
            [pins[0], ""], [pins[0], Data(repeating: 1, count: 31).base64EncodedString()],
            [pins[0], Data(repeating: 1, count: 33).base64EncodedString()],
            [pins[0], String(pins[1].dropLast())], [pins[0], pins[1] + ";sha256//" + pins[2]],
            [pins[0], "sha1/\(pins[1])"], [pins[0], "sha256/sha256/\(pins[1])"],
            [pins[0], "_" + pins[1].dropFirst()],
            [pins[0], "/" + String(repeating: "é", count: 21)],
        ] {
            #expect(throws: IdentityConfigurationError(.invalidIdentifier, ""), "\(wrong)") {
                try PinnedKeys(host: "api.example", spkiSHA256: wrong)
            }
        }
        for host in [
            "", "a b", "api.example:443", "api.example/", "https://api.example", "a?b", "u@h",
        ] {
            #expect(throws: IdentityConfigurationError(.invalidURL, ""), "\(host)") {
                try PinnedKeys(host: host, spkiSHA256: Array(pins[..<2]))
            }
        }
        #expect(throws: IdentityConfigurationError(.contradiction, "")) {
            try Self.wire {
                $0.pins = [
                    try PinnedKeys(host: "api.example", spkiSHA256: Array(pins[..<2])),
                    try PinnedKeys(host: "API.example", spkiSHA256: Array(pins[1..<3])),
                ]
            }
        }
    }

    @Test("The program's proxy sees the host, and no content", .needsOpenSSL)
    func proxy() async throws {
        let own = try TestAuthority()
        let server = try await Self.server(own.issue("DNS:behind.example"))
        let issued = try own.issue()
        let proxies = [
            (try await ConnectProxy(), false),
            (try await ConnectProxy(certificate: issued.certificate, key: issued.key), true),
        ]
        for (proxy, isEncrypted) in proxies {
            let plain = try Self.wire {
                $0.authorities = own.certificate.path
                $0.proxy = try CurlProxy(
                    host: "localhost", port: proxy.port, isEncrypted: isEncrypted)
            }
            let url = server.secureURL("/keys", host: "behind.example")
            // Only the proxy knows where that is.
            let response = try await plain.get(url, authorization: "Bearer secret")
            #expect(response.status == 200 && response.values(of: "x-secret").isEmpty)
            let named = try Self.wire {
                $0.authorities = own.certificate.path
                $0.proxy = try CurlProxy(
                    host: "localhost", port: proxy.port, isEncrypted: isEncrypted, user: "user",
                    password: "p:ss word")
            }
            #expect(try await named.get(url).status == 200)
            let wrong = try Self.wire {
                $0.authorities = own.certificate.path
                $0.proxy = try CurlProxy(
                    host: "localhost", port: proxy.port, isEncrypted: isEncrypted, user: "user",
                    password: "wrong")
            }
            #expect(try await wrong.failure(url) == .unreachable)
            // Requests to this machine use no proxy.
            #expect(try await plain.get(server.url("/keys")).status == 200)
            let heads = try await proxy.heads()
            #expect(heads.count >= 3)
            for head in heads {
                #expect(head.first == "CONNECT behind.example:\(server.securePort) HTTP/1.1")
                let text = head.joined(separator: "\n")
                #expect(!text.contains("Bearer") && !text.contains("/keys"))
            }
            #expect(heads[0].allSatisfy { !$0.lowercased().hasPrefix("proxy-authorization") })
        }
        #expect(
            try await server.facts("/keys").last?.values(of: "proxy-authorization").isEmpty == true)
    }

    @Test("A proxy that leads to another key, or is not trusted itself, is refused", .needsOpenSSL)
    func hostileProxy() async throws {
        let own = try TestAuthority()
        let other = try TestAuthority()
        let (issued, foreign) = (try own.issue("DNS:behind.example"), try other.issue())
        let server = try await Self.server(issued)
        let url = server.secureURL("/keys", host: "behind.example")
        let proxy = try await ConnectProxy()
        let pinned = try Self.wire {
            $0.authorities = own.certificate.path
            $0.proxy = try CurlProxy(host: "127.0.0.1", port: proxy.port)
            $0.pins = [
                try PinnedKeys(
                    host: "behind.example", spkiSHA256: [try own.backupPin(), try own.backupPin()])
            ]
        }
        #expect(try await pinned.failure(url) == .notPinned)
        let encrypted = try await ConnectProxy(certificate: foreign.certificate, key: foreign.key)
        let untrusted = try Self.wire {
            $0.authorities = own.certificate.path
            $0.proxy = try CurlProxy(host: "localhost", port: encrypted.port, isEncrypted: true)
        }
        #expect(try await untrusted.failure(url) == .notTrusted)
        #expect(try await encrypted.heads().isEmpty)
        #expect(try await server.facts("/keys").count == 0)
    }

    /// The environment is this process's own, so it is set in a child process.
    @Test("The environment's proxies apply only where the program names none", .needsOpenSSL)
    func environment() async throws {
        let own = try TestAuthority()
        let issued = try own.issue("DNS:localhost,DNS:behind.example")
        let server = try await Self.server(issued)
        let (outer, inner) = (try await ConnectProxy(), try await ConnectProxy())
        let (authority, port) = (own.certificate.path, server.securePort)
        await #expect(processExitsWith: .success) {
            [
                authority = authority as String, port = port as Int, outer = outer.port as Int,
                inner = inner.port as Int
            ] in
            unsafe setenv("https_proxy", "http://127.0.0.1:\(outer)", 1)
            unsafe setenv("no_proxy", "behind.example", 1)
            func status(_ host: String, _ proxy: CurlProxy) async throws -> Int {
                let wire = try Self.wire {
                    $0.authorities = authority
                    $0.proxy = proxy
                }
                return try await wire.get("https://\(host):\(port)/keys").status
            }
            guard try await status("localhost", .environment) == 200,
                try await status("localhost", .none) == 200,
                try await status("behind.example", CurlProxy(host: "127.0.0.1", port: inner)) == 200
            else { exit(2) }
            exit(0)
        }
        #expect(try await outer.heads().count == 1)
        #expect(try await inner.heads().count == 1)
        #expect(try await server.facts("/keys").count == 3)
    }

    @Test("A malformed proxy is refused, and printing shows nothing")
    func noProxy() throws {
        for (host, port) in [
            ("", 1), ("a b", 1), ("a", 0), ("a", 65_536), ("a/b", 1), ("u:p@a", 1),
        ] {
            #expect(throws: IdentityConfigurationError(.invalidURL, ""), "\(host)") {
                try CurlProxy(host: host, port: port)
            }
        }
        for (user, password) in [("", "a"), ("a:b", "c"), ("a\n", "b"), ("a", "b\0")] {
            #expect(throws: IdentityConfigurationError(.invalidSecret, "")) {
                try CurlProxy(host: "a", port: 1, user: user, password: password)
            }
        }
        var options = CurlOptions()
        options.proxy = try CurlProxy(host: "a", port: 1, user: "user", password: "secret")
        let plain = options
        options.authorities = "/secret"
        var dumped = ""
        let transport = try CurlTransport(options: plain)
        dump([options, options.proxy, transport] as [Any], to: &dumped)
        for text in [dumped, "\(options)", "\(options.proxy)", String(reflecting: options.proxy)] {
            #expect(!text.contains("secret") && !text.contains("user"), "\(text)")
        }
    }
}
