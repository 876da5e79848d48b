// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite(
    "signet jwks fetch", .enabled(if: KeyServer.isAvailable, Comment(rawValue: KeyServer.absence)),
    .timeLimit(.minutes(20)))
struct JWKSFetchTests {
    private static func set(_ keyIDs: [String], _ more: [String] = []) throws -> String {
        let keys = try keyIDs.map {
            try SigningKey.generate(.es256, keyID: $0).verificationKey.jwk.publicJSON()
        }
        return "{\"keys\":[" + (more + keys).joined(separator: ",") + "]}"
    }

    @Test("The usable keys of an address are printed; a server that fails is status 3")
    func fetchAndFail() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour(Self.set(["one"])))
        try await server.set("/broken", Behaviour("no") { $0.status = 500 })
        let folder = try CommandFolder()
        let found = try folder.signet("jwks fetch --url \(server.url("/keys"))")
        #expect(
            try found.isGood && KeySet(jwks: found.text).keys.map(\.keyID) == ["one"], "\(found)")
        #expect(try folder.signet("jwks fetch --url \(server.url("/broken"))").failed(3, "status"))
    }

    @Test(
        "Plain http to this machine ignores the environment's proxies",
        arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
    func proxy(_ variable: String) async throws {
        let (server, proxy) = (try await KeyServer(), try await KeyServer())
        try await server.set("/keys", Behaviour(Self.set(["one"])))
        let found = try CommandFolder().signet(
            ["jwks", "fetch", "--url", server.url("/keys")],
            environment: [variable: proxy.url(""), "no_proxy": "other.example"])
        #expect(
            try found.isGood && KeySet(jwks: found.text).keys.map(\.keyID) == ["one"], "\(found)")
    }

    @Test("Keys are fetched by discovery or by address, and written to a file", .tags(.commandLine))
    func fetch() async throws {
        let server = try await KeyServer()
        try await server.set(
            "/.well-known/openid-configuration",
            Behaviour("{\"issuer\":\"\(server.url(""))\",\"jwks_uri\":\"\(server.url("/keys"))\"}"))
        let set = try Self.set(
            ["one", "two"], ["{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"c2VjcmV0\"}"])
        try await server.set(
            "/keys", Behaviour(set) { $0.fields = [["Cache-Control", "max-age=900"]] })
        let folder = try CommandFolder()
        let found = try folder.signet("jwks fetch --issuer \(server.url(""))")
        #expect(found.status == 0 && !found.wasKilled, "\(found)")
        #expect(try KeySet(jwks: found.text).keys.map(\.keyID) == ["one", "two"])
        #expect(
            found.errors.contains("left out key 0 (kid: secret)")
                && !found.text.contains("c2VjcmV0"))

        let named = try folder.signet("jwks fetch --url \(server.url("/keys")) --json")
        let report = try named.json
        #expect(named.status == 0 && report["lifetime"] == .integer(900), "\(named)")
        #expect(report["keys"] == .integer(2) && report["jwks"]?.names == ["keys"])
        guard case .array(let skipped)? = report["skipped"] else {
            _ = Issue.record("\(named)")
            return
        }
        #expect(skipped.map { $0["kid"]?.text } == ["secret"])

        let kept = try folder.signet("jwks fetch --url \(server.url("/keys")) --output keys.json")
        #expect(kept.status == 0 && kept.text.isEmpty, "\(kept)")
        #expect(try KeySet(jwks: try folder.text("keys.json")).keys.count == 2)
        #expect(
            try folder.signet("jwks fetch --url \(server.url("/keys")) --output keys.json").failed(
                3, "exists"))

        let none = try folder.signet("jwks fetch --url \(server.url("/keys")) --algorithm RS256")
        #expect(none.failed(1, "noUsableKeys"), "\(none)")
        let slash = try folder.signet("jwks fetch --issuer \(server.url("/"))")
        #expect(slash.failed(1, "issuerMismatch"), "\(slash)")
    }

    @Test("Certificates are listed by their kids", .needsOpenSSL, .tags(.commandLine))
    func certificates() async throws {
        let server = try await KeyServer()
        let folder = try CommandFolder()
        let made = try folder.bash(
            "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=idp.example -keyout key.pem -out c.pem"
        )
        #expect(made.status == 0, "\(made)")
        try await server.set(
            "/x509",
            Behaviour(
                "{\"a\":\"\(try folder.text("c.pem").replacingOccurrences(of: "\n", with: "\\n"))\",\"b\":\"\"}"
            ))
        let found = try folder.signet("jwks fetch --certificates \(server.url("/x509"))")
        #expect(found.status == 0 && found.errors.contains("left out key"), "\(found)")
        #expect(try KeySet(jwks: found.text).keys.map(\.keyID) == ["a"])
    }

    @Test("A wrong answer is status 1, an unreachable server status 3", .tags(.commandLine))
    func failures() async throws {
        let server = try await KeyServer()
        let folder = try CommandFolder()
        let cases: [(Behaviour, Int32, String)] = [
            (Behaviour("no") { $0.status = 500 }, 3, "status"),
            (Behaviour { $0.hangUp = true }, 3, "unreachable"),
            (Behaviour("<html>"), 1, "invalidDocument"),
            (Behaviour("{\"keys\":[]}"), 1, "noUsableKeys"),
            (Behaviour("0000000000000000") { $0.copies = 327_680 }, 1, "tooLarge"),
            (
                Behaviour {
                    $0.status = 302
                    $0.fields = [["Location", "https://other.example/"]]
                }, 1, "redirect"
            ),
        ]
        for (behaviour, status, code) in cases {
            try await server.set("/keys", behaviour)
            let outcome = try folder.signet("jwks fetch --url \(server.url("/keys"))")
            #expect(outcome.failed(status, code), "\(outcome)")
            #expect(outcome.text.isEmpty)
        }
        let address = server.url("/keys")
        server.stop()
        #expect(try folder.signet("jwks fetch --url \(address)").failed(3, "unreachable"))
    }

    @Test(
        "A wrong command line is status 2",
        arguments: [
            "", "--issuer https://a.example --url https://a.example/keys",
            "--url http://idp.example/keys",
            "--url file:///etc/passwd", "--certificates https://user@idp.example/",
            "--algorithm HS256 --url https://a.example/",
        ])
    func usage(_ line: String) {
        let outcome = CommandFolder.inProcess("jwks fetch " + line)
        #expect(outcome.status == 2, "\(outcome)")
    }
}
