// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet jwt verify --jwks with a file")
struct JWTPublishedKeysTests {
    static let policy = "--any-issuer --any-audience --at 1700000000"

    private func folder(_ algorithm: String = "ES256") throws -> CommandFolder {
        let folder = try CommandFolder()
        try folder.makeKeys(algorithm)
        let token = CommandFolder.inProcess(
            ["jwt", "sign", "--key", folder.path("key.json"), "--sub", "u", "--exp", "60"],
            clock: .fixed(secondsSince1970: 1_700_000_000))
        try folder.write("token", token.output)
        return folder
    }

    private func verify(_ folder: CommandFolder, _ options: String) throws -> Outcome {
        CommandFolder.inProcess(
            "jwt verify \(options.replacing("@", with: folder.url.path + "/")) \(Self.policy)",
            input: try folder.text("token"))
    }

    @Test("A set of published keys verifies what --key would, also by its RSA key without alg")
    func set() throws {
        for algorithm in ["ES256", "RS256"] {
            let folder = try folder(algorithm)
            let (set, key) = try (
                verify(folder, "--jwks @jwks.json"), verify(folder, "--key @jwks.json")
            )
            #expect(set.isGood && set.text == key.text, "\(set)")
            #expect(try verify(folder, "--jwks @jwks.json --algorithm \(algorithm)").isGood)
            let other = try verify(folder, "--jwks @jwks.json --algorithm ES384")
            #expect(other.status == 1 && other.errors.contains("[noMatchingKey]"), "\(other)")
        }
        let folder = try folder("RS256")
        let bare = try folder.text("jwks.json").replacing(#""alg":"RS256","#, with: "")
        try folder.write("jwks.json", bare)
        #expect(try verify(folder, "--jwks @jwks.json").isGood)
    }

    @Test("A shared secret or a private key in a published set verifies nothing")
    func secrets() throws {
        let folder = try folder("HS256")
        let key = try folder.text("key.json")
        try folder.write("set.json", "{\"keys\":[\(key)]}")
        #expect(try verify(folder, "--key @set.json").isGood)
        let shared = try verify(folder, "--jwks @set.json")
        #expect(shared.status == 1 && shared.errors.contains("left out key 0"), "\(shared)")
        #expect(
            shared.errors.contains("[noMatchingKey]")
                || shared.errors.contains("[algorithmNotAllowed]"))
        let named = try verify(folder, "--jwks @set.json --algorithm HS256")
        #expect(named.failed(2, "usage"), "\(named)")
        let pair = try self.folder()
        try pair.write("set.json", "{\"keys\":[\(pair.text("key.json"))]}")
        let half = try verify(pair, "--jwks @set.json")
        #expect(half.status == 1 && half.errors.contains("left out key 0"), "\(half)")
    }

    @Test("Anything but a set of published keys is refused, with the way to make one")
    func otherFiles() throws {
        let folder = try folder()
        try folder.write("key.pem", TestPublicPEM.p256)
        for name in ["key.pem", "key.json"] {
            let outcome = try verify(folder, "--jwks @\(name)")
            #expect(
                outcome.failed(1, "malformed")
                    && outcome.advice?.contains("signet jwk public --key") == true, "\(outcome)")
        }
        #expect(try verify(folder, "--jwks @absent").failed(3, "system"))
    }

    @Test(
        "A wrong line is refused before anything is read",
        arguments: [
            "--jwks #/j --key #/k", "--jwks #/j --secret-text #/s --algorithm HS256",
            "--jwks #/j --algorithm HS256", "--jwks #/j --algorithm none",
            "--jwks #/j --allow-short-secret", "--jwks http://idp.example/j",
            "--jwks https://user@idp.example/j", "--jwks file:///etc/passwd", "--jwks ftp://h/j",
            "--jwks HTTPS://idp.example/j", "--jwks https://", "--jwks=", "--jwks -", "",
        ])
    func lines(_ options: String) {
        let line = options.replacing("#", with: CommandFolder.nowhere)
        let outcome = CommandFolder.inProcess("jwt verify \(Self.policy) \(line)", input: "x")
        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.output.isEmpty && !outcome.errors.contains("user@"), "\(outcome)")
    }

    @Test("An address in place of a key file leads to --jwks, and a wrong way to all four")
    func advice() {
        let outcome = CommandFolder.inProcess(
            "jwt verify --key https://idp.example/jwks.json \(Self.policy)", input: "a.b.c")
        #expect(outcome.failed(3, "system") && outcome.advice?.contains("--jwks URL") == true)
        let none = CommandFolder.inProcess("jwt verify \(Self.policy)", input: "a.b.c")
        #expect(none.advice?.contains("--key, --jwks, --secret-text") == true, "\(none)")
        let signing = CommandFolder.inProcess("jwt sign --sub u --exp 60")
        #expect(signing.advice?.contains("--jwks") == false, "\(signing)")
    }
}

@Suite(
    "signet jwt verify --jwks with an address",
    .enabled(if: KeyServer.isAvailable, Comment(rawValue: KeyServer.absence)),
    .timeLimit(.minutes(20)))
struct JWTFetchedKeysTests {
    private func token(_ folder: CommandFolder, _ key: String = "key.json") throws {
        let token = CommandFolder.inProcess(
            ["jwt", "sign", "--key", folder.path(key), "--sub", "u", "--exp", "60"],
            clock: .fixed(secondsSince1970: 1_700_000_000))
        try folder.write("token", token.output)
    }

    private func verify(_ folder: CommandFolder, _ options: String) throws -> Outcome {
        try folder.signet(
            "jwt verify --jwks \(options) \(JWTPublishedKeysTests.policy)",
            input: folder.text("token"))
    }

    @Test("Keys are fetched, and verify; those that are not the issuer's do not")
    func fetched() async throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        try token(folder)
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour(folder.text("jwks.json")))
        let good = try verify(folder, server.url("/keys"))
        #expect(good.isGood && good.text.contains("\"sub\":\"u\""), "\(good)")
        #expect(try verify(folder, "\(server.url("/keys")) --algorithm ES256").isGood)
        let other = try SigningKey.generate(.es256, keyID: "other").verificationKey
        try await server.set("/other", Behaviour(KeySet([other]).jwksJSON()))
        let unknown = try verify(folder, "\(server.url("/other")) --json")
        #expect(unknown.status == 1, "\(unknown)")
        #expect(try unknown.json["valid"] == .bool(false))
        #expect(
            unknown.errors.contains("[noMatchingKey]")
                && unknown.errors.contains("newest keys of that address"), "\(unknown)")
        let none = try verify(folder, "\(server.url("/keys")) --algorithm RS256")
        #expect(
            none.failed(1, "noUsableKeys") && none.advice?.contains("jwks fetch --url") == true,
            "\(none)")
    }

    @Test("A published shared secret verifies nothing, and a wrong answer is as for jwks fetch")
    func refused() async throws {
        let folder = try CommandFolder()
        try folder.makeKeys("HS256")
        try token(folder)
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{\"keys\":[\(folder.text("key.json"))]}"))
        let shared = try verify(folder, server.url("/keys"))
        #expect(shared.failed(1, "noUsableKeys"), "\(shared)")
        let cases: [(Behaviour, Int32, String)] = [
            (Behaviour("no") { $0.status = 500 }, 3, "status"),
            (Behaviour("<html>"), 1, "invalidDocument"),
            (
                Behaviour {
                    $0.status = 302
                    $0.fields = [["Location", "https://other.example/"]]
                }, 1, "redirect"
            ),
        ]
        for (behaviour, status, code) in cases {
            try await server.set("/keys", behaviour)
            let outcome = try verify(folder, server.url("/keys"))
            #expect(outcome.failed(status, code), "\(outcome)")
        }
        let address = server.url("/keys")
        server.stop()
        #expect(try verify(folder, address).failed(3, "unreachable"))
        // Without a token there is no request.
        try folder.write("token", "")
        #expect(try verify(folder, address).failed(1, "malformed"))
    }
}
