// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet jwk generate --public")
struct PublicHalfTests {
    /// Makes a key; names with @ are files of the folder.
    private func generate(_ folder: CommandFolder, _ line: String) -> Outcome {
        CommandFolder.inProcess(
            ["jwk", "generate"]
                + line.split(separator: " ").map { word in
                    word.hasPrefix("@") ? folder.path(String(word.dropFirst())) : String(word)
                })
    }

    @Test(
        "The public half is what jwk public prints, and nothing of the private one",
        arguments: ["ES256", "RS256", "EdDSA", "ECDH-ES+A256KW", "RSA-OAEP-256"])
    func set(_ algorithm: String) throws {
        let folder = try CommandFolder()
        let made = generate(
            folder, "--algorithm \(algorithm) --output @key.json --public @jwks.json")
        #expect(made.isGood && made.output.isEmpty, "\(made)")
        let published = CommandFolder.inProcess(["jwk", "public", "--key", folder.path("key.json")])
        #expect(try published.isGood && folder.read("jwks.json") == published.output)
        #expect(try !folder.text("jwks.json").contains("\"d\""))
        #expect(
            try folder.permissions("key.json") == 0o600 && folder.permissions("jwks.json") == 0o644)
        #expect(try folder.names() == ["jwks.json", "key.json"])
    }

    @Test("With --pem the public half is PEM too")
    func pem() throws {
        let folder = try CommandFolder()
        let made = generate(folder, "--pem --output @key.pem --public @public.pem --json")
        #expect(
            try made.isGood
                && made.json["public"] == .string(folder.path("public.pem")), "\(made)")
        #expect(try folder.text("public.pem").hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
        let half = CommandFolder.inProcess([
            "jwk", "convert", "--to", "public-pem", "--key", folder.path("key.pem"),
        ])
        #expect(try half.output == folder.read("public.pem"))
    }

    @Test("Each half may go to standard output, and never both")
    func standardOutput() throws {
        let folder = try CommandFolder()
        let half = generate(folder, "--output @key.json --public -")
        #expect(try half.isGood && half.json.names == ["keys"], "\(half)")
        let key = generate(folder, "--public @jwks.json")
        #expect(try key.isGood && JWK(key.line).isPrivate, "\(key)")
        #expect(try KeySet(jwks: folder.text("jwks.json")).keys.count == 1)
        for line in ["--public -", "--output - --public -", "--output @k --public - --json"] {
            let both = generate(folder, line)
            #expect(both.status == 2 && both.errors.contains("[usage]"), "\(both)")
        }
        #expect(try folder.names() == ["jwks.json", "key.json"])
    }

    @Test("A symmetric key has no public half", arguments: ["HS256", "dir", "A256KW"])
    func symmetric(_ algorithm: String) throws {
        let folder = try CommandFolder()
        let names = KeyManagementAlgorithm.allCases.map(\.name) + Keys.hmac
        guard names.contains(algorithm) else { return }
        let made = generate(folder, "--algorithm \(algorithm) --output @k --public @p")
        #expect(
            made.failed(2, "usage") && made.errors.contains("no public half"), "\(made)")
        #expect(try folder.names().isEmpty)
    }

    @Test("Neither file is replaced without --force, and then no key is made")
    func exists() throws {
        let folder = try CommandFolder()
        try folder.write("jwks.json", "precious")
        let refused = generate(folder, "--output @key.json --public @jwks.json")
        #expect(refused.failed(3, "exists"), "\(refused)")
        #expect(try folder.names() == ["jwks.json"] && folder.text("jwks.json") == "precious")
        let replaced = generate(folder, "--output @key.json --public @jwks.json --force")
        #expect(try replaced.isGood && KeySet(jwks: folder.text("jwks.json")).keys.count == 1)
    }

    @Test("The two halves are never one file, however it is named")
    func sameFile() throws {
        let folder = try CommandFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.url.path)
        for line in [
            "--output @k --public @k", "--output @k --public @./k", "--output @link/k --public @k",
            "--output @k --public @k --force",
        ] {
            let outcome = generate(folder, line)
            #expect(outcome.failed(2, "usage"), "\(outcome)")
        }
        #expect(try folder.names() == ["link"])
        try folder.write("old", "{}")
        let old = generate(folder, "--output @old --public @old --force")
        #expect(try old.failed(2, "usage") && folder.text("old") == "{}", "\(old)")
        let printed = try folder.bash(
            "\"$SIGNET\" jwk generate --algorithm ES256 --public k --force > k")
        #expect(printed.failed(2, "usage"), "\(printed)")
    }

    @Test("An output that is a link is refused before the key is made, whichever half it is for")
    func link() throws {
        let folder = try CommandFolder()
        // A link is never replaced.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: CommandFolder.nowhere)
        for line in ["--output @key.json --public @link", "--output @link --public @p"] {
            let outcome = generate(folder, line + " --force")
            #expect(outcome.status == 3 && outcome.output.isEmpty, "\(outcome)")
            #expect(try folder.names() == ["link"])
        }
    }
}
