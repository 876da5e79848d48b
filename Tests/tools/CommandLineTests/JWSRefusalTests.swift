// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

/// Status 0 and a payload only for what verifies: standard output stays empty for anything wrong.
@Suite("signet jws verify refuses")
struct JWSRefusalTests {
    @Test(
        "A token with any character changed", .tags(.commandLine),
        arguments: ["ES256", "HS256", "Ed25519", "RS256"])
    func changed(_ algorithm: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys(algorithm)
        let token = try folder.signet("jws sign --key key.json", input: "the payload").line
        for index in stride(from: 0, to: token.utf8.count, by: token.utf8.count / 24) {
            var bytes = Array(token.utf8)
            bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            // The last character of a part may hold bits that mean nothing: those are refused as well.
            let outcome = try folder.signet(["jws", "verify", "--key", "key.json"], input: bytes)
            #expect(
                outcome.status == 1 && outcome.output.isEmpty && !outcome.wasKilled,
                "byte \(index): \(outcome)")
        }
    }

    @Test("Malformed tokens are refused without a crash and without a payload", .tags(.commandLine))
    func garbage() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let token = try folder.signet("jws sign --key key.json", input: "the payload").line
        let parts = token.split(separator: ".").map(String.init)
        let inputs: [[UInt8]] = [
            [], [0x0a], [0], [0xff, 0xfe, 0xfd], Array("..".utf8), Array("a.b.c".utf8),
            Array("....".utf8),
            Array((token + ".").utf8), Array(("." + token).utf8),
            Array((token + "=").utf8),
            Array((parts[0] + ".." + parts[2]).utf8), Array((parts[0] + "." + parts[1]).utf8),
            Array((parts[0] + "." + parts[1] + ".").utf8), Array(token.utf8) + [0xff],
            Array(token.utf8) + [0, 0x0a],
            Array("\u{feff}".utf8) + Array(token.utf8), Array((token + "\n" + token).utf8),
            Array(token.replacingOccurrences(of: ".", with: "\n.").utf8),
            Array(token.replacingOccurrences(of: ".", with: "。").utf8),
            Array(
                "{\"payload\":\"\(parts[1])\",\"signature\":\"\(parts[2])\",\"protected\":\"\(parts[0])\"}"
                    .utf8),
        ]
        for input in inputs {
            let plain = try folder.signet(["jws", "verify", "--key", "jwks.json"], input: input)
            #expect(
                plain.status == 1 && plain.output.isEmpty && !plain.wasKilled,
                "\(input.prefix(40)): \(plain)"
            )
            let json = try folder.signet(
                ["jws", "verify", "--json", "--key", "jwks.json"], input: input)
            #expect(
                try json.status == 1 && json.json["valid"] == .bool(false)
                    && json.json["payload"] == nil)
        }
        for spaced in [token + " \r\n\n", "\n \t" + token + "\t\n"] {
            #expect(try folder.signet("jws verify --key jwks.json", input: spaced).isGood)
            let argument = CommandFolder.inProcess([
                "jws", "verify", "--key", folder.path("jwks.json"), "--", spaced,
            ])
            #expect(argument.isGood, "\(argument)")
        }
    }

    @Test(
        "An algorithm other than the key's: none, HMAC with the public key, extensions",
        .tags(.commandLine))
    func confusion() throws {
        let folder = try CommandFolder()
        try folder.makeKeys("RS256")
        let payload = Base64URL.encode(Array("forged".utf8))
        for name in ["none", "None", "NONE", "nOnE", "", "HS256", "ES256", "RS512", "PS256"] {
            for signature in ["", "AAAA"] {
                let header = Base64URL.encode(Array("{\"alg\":\"\(name)\"}".utf8))
                for key in ["jwks.json", "key.json"] {
                    let outcome = try folder.signet(
                        "jws verify --key \(key)", input: "\(header).\(payload).\(signature)")
                    #expect(outcome.failed(1, "algorithmNotAllowed"), "\(name): \(outcome)")
                }
            }
        }
        let header = Base64URL.encode(
            Array("{\"alg\":\"RS256\",\"crit\":[\"b64\"],\"b64\":false}".utf8))
        #expect(
            try folder.signet("jws verify --key jwks.json", input: "\(header).forged.AAAA").failed(
                1, "criticalUnsupported"))
        try folder.write(
            "secret.json",
            "{\"kty\":\"oct\",\"alg\":\"HS256\",\"k\":\"\(Base64URL.encode(try folder.signet("jwk convert --key key.json --to public-pem").output))\"}"
        )
        #expect(try folder.signet("jws sign --key secret.json").failed(1, "notASecret"))
    }

    /// Tokens that look like options or commands to the parser.
    static let tokens = [
        "--help", "-h", "--version", "--generate-completion-script",
        "--generate-completion-script=bash",
        "--experimental-dump-help", "--help-hidden", "-", "--", "--json", "--algorithm", "help",
        "--any-issuer", "", "--key=other.json", "-hx", "---completion",
    ]

    @Test("A token that is an option never gives status 0", arguments: tokens)
    func injection(_ token: String) {
        expectNoSuccess(["jws", "verify"], ["--key", CommandFolder.nowhere + "/jwks.json"], token)
    }

    @Test(
        "A token on the command line is never taken for an option, nor gives status 0",
        .tags(.commandLine), arguments: tokens)
    func everyInjection(_ token: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let keys = folder.path("jwks.json")
        for command in [["jws", "verify"], ["jwt", "verify", "--issuer", "i", "--audience", "a"]] {
            for separator in [[], ["--"]] {
                expectNoSuccess(command, ["--key", keys] + separator, token)
                let glued = CommandFolder.inProcess(
                    command + ["--key=\(keys)"] + separator + [token])
                #expect([1, 2, 3].contains(glued.status), "\(command) \(token): \(glued)")
            }
        }
    }

    private func expectNoSuccess(_ command: [String], _ options: [String], _ token: String) {
        let outcome = CommandFolder.inProcess(command + options + [token])
        #expect([1, 2, 3].contains(outcome.status), "\(command) \(token): \(outcome)")
        #expect(
            outcome.output.isEmpty || outcome.text.contains("\"valid\":false") || token == "--json")
    }

    @Test("Groups and the bare command do not succeed")
    func bareGroups() {
        for words in [[], ["jwk"], ["jws"], ["jwt"], ["jws", ""], [""]] {
            let outcome = CommandFolder.inProcess(words)
            #expect(outcome.failed(2, "usage"), "\(words): \(outcome)")
        }
    }
}
