// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("Key files")
struct KeyFileTests {
    @Test("A key file that is not JSON is rejected")
    func malformed() throws {
        let folder = try CommandFolder()
        try folder.write("json", "{\"kty\":")
        #expect(
            CommandFolder.inProcess(["jws", "sign", "--key", folder.path("json")]).failed(
                1, "malformed"))
    }

    @Test("Standard input cannot be both the key and the payload")
    func standardInputIsKeyAndPayload() throws {
        let key = try Keys.json("ES256")
        #expect(try CommandFolder().signet("jws sign --key -", input: key).failed(2, "usage"))
    }

    @Test("A JWK with a byte-order mark is read as a JWK")
    func byteOrderMark() throws {
        let folder = try CommandFolder()
        try folder.write("key.json", [0xef, 0xbb, 0xbf] + Array(Keys.json("HS256").utf8))
        let outcome = CommandFolder.inProcess(["jws", "sign", "--key", folder.path("key.json")])
        #expect(outcome.isGood, "\(outcome)")
    }

    @Test("A file with a secret that others can read is used with a warning")
    func warning() throws {
        let folder = try CommandFolder()
        try folder.write("it's.json", Keys.json("HS256"), permissions: 0o640)
        let outcome = CommandFolder.inProcess(["jws", "sign", "--key", folder.path("it's.json")])
        #expect(
            outcome.status == 0 && outcome.errors.contains("warning: other users can read"),
            "\(outcome)")
        #expect(outcome.errors.contains("it'\\''s.json'"), "\(outcome)")
    }

    @Test(
        "Each command reports a file that holds no key", .tags(.commandLine),
        arguments: [
            ("absent.json", Int32(3), "system"), (".", 3, "system"),
            ("/proc/self/mem", 3, "system"),
            ("empty", 1, "malformed"),
            ("blank", 1, "malformed"), ("text", 1, "malformed"), ("json", 1, "malformed"),
            ("array", 1, "malformed"),
            ("twice", 1, "malformed"), ("binary", 1, "malformed"), ("two.pem", 1, "malformed"),
            ("cut.pem", 1, "malformed"),
            ("certificate", 1, "malformed"), ("/dev/zero", 1, "tooLarge"), ("large", 1, "tooLarge"),
            ("keys-is-text", 1, "malformed"),
            ("/dev/fd/2147483647", 3, "system"), ("deep", 1, "malformed"),
        ])
    func unreadable(_ name: String, _ status: Int32, _ code: String) throws {
        let folder = try CommandFolder()
        try folder.write("empty", "")
        try folder.write("blank", " \n\t\n")
        try folder.write("text", "no key at all")
        try folder.write("json", "{\"kty\":")
        try folder.write("array", "[]")
        try folder.write("twice", "{\"kty\":\"oct\",\"kty\":\"RSA\",\"k\":\"AAAA\"}")
        try folder.write("binary", (0..<200).map { UInt8($0) })
        let pem = try folder.signet("jwk generate --pem").text
        try folder.write("two.pem", pem + pem)
        try folder.write("cut.pem", String(pem.prefix(100)))
        try folder.write(
            "certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
        try folder.write(
            "large", "{\"kty\":\"oct\",\"x\":\"" + String(repeating: "A", count: 600_000) + "\"}")
        try folder.write("keys-is-text", "{\"keys\":\"none\"}")
        try folder.write("deep", "{\"keys\":" + String(repeating: "[", count: 10_000))
        for command in ["jws verify --json", "jws sign"] {
            let outcome = try folder.signet("\(command) --key \(name)", input: "a.b.c")
            let isOther = name == "keys-is-text" && command == "jws sign"
            #expect(outcome.status == (isOther ? 2 : status), "\(outcome)")
            #expect(outcome.errors.contains(isOther ? "[usage]" : "[\(code)]"), "\(outcome)")
            guard command.hasSuffix("--json") else { continue }
            let json = try outcome.json
            #expect(json["valid"] == .bool(false))
            #expect(json["error"]?["code"]?.text == code)
            #expect(json["exitStatus"] == .integer(Int64(status)))
        }
    }

    @Test(
        "An unreadable file is status 3", .tags(.commandLine),
        .enabled(if: geteuid() != 0, "root reads everything"))
    func forbidden() throws {
        let folder = try CommandFolder()
        try folder.write("key.json", Keys.json("ES256"), permissions: 0o000)
        #expect(try folder.signet("jws sign --key key.json").failed(3, "system"))
    }

    @Test(
        "A key comes whole through a descriptor, once", .tags(.commandLine),
        arguments: ["ES256", "HS256", "RS256"])
    func descriptor(_ algorithm: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys(algorithm)
        for redirection in ["3<key.json", "3< <(cat key.json)"] {
            let signed = try folder.bash(
                "echo hello | \"$SIGNET\" jws sign --key /dev/fd/3 \(redirection)")
            #expect(signed.isGood, "\(signed)")
            let verified = try folder.bash(
                "\"$SIGNET\" jws verify --key /dev/fd/3 \(redirection)", input: signed.output)
            #expect(verified.isGood && verified.text == "hello\n", "\(verified)")
        }
    }

    @Test(
        "Standard input cannot be named twice", .tags(.commandLine),
        arguments: ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
    func standardInputTwice(_ name: String) throws {
        let folder = try CommandFolder()
        let key = try Keys.json("ES256")
        for command in [
            "jws sign", "jws verify", "jwt sign --lifetime 60",
            "jwt verify --any-issuer --any-audience",
        ] {
            let outcome = try folder.signet("\(command) --key \(name)", input: key)
            #expect(outcome.failed(2, "usage"), "\(command): \(outcome)")
        }
        try folder.write("message", "hello")
        #expect(try folder.signet("jws sign --input message --key \(name)", input: key).isGood)
    }

    @Test(
        "A readable file warns when it holds a secret, not when it holds a public key",
        .tags(.commandLine),
        arguments: [0o640, 0o604, 0o620, 0o666])
    func openToOthers(_ permissions: Int) throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        try folder.write(
            "key.pem", folder.signet("jwk convert --key key.json --to pem").output,
            permissions: permissions)
        try folder.write(
            "set.json", "{\"keys\":[\(try folder.text("key.json"))]}", permissions: permissions)
        // The name of the member is written with an escape.
        let escaped = try folder.text("key.json").replacingOccurrences(
            of: "\"d\"", with: "\"\\u0064\"")
        try folder.write("escaped.json", escaped, permissions: permissions)
        try folder.write("it's.json", Keys.json("HS256"), permissions: permissions)
        try folder.write("jwks.json", folder.read("jwks.json"), permissions: permissions)
        for name in ["key.pem", "set.json", "escaped.json", "it's.json"] {
            let outcome = try folder.signet(["jws", "sign", "--key", name])
            #expect(
                outcome.status == 0
                    && outcome.errors.hasPrefix("signet: warning: other users can read"),
                "\(outcome)")
        }
        #expect(
            try folder.signet(["jws", "sign", "--key", "it's.json"]).errors.contains(
                "chmod 600 'it'\\''s.json'"))
        #expect(try folder.signet("jwk public --key jwks.json").isGood)
    }

    @Test("A set of one gives its key, and a larger set none", .tags(.commandLine))
    func severalKeys() throws {
        let folder = try CommandFolder()
        let one = try Keys.json("ES256")
        let two = try Keys.json("ES384")
        try folder.write("one.json", "{\"keys\":[\(one)]}")
        try folder.write("two.json", "{\"keys\":[\(one),\(two)]}")
        try folder.write("none.json", "{\"keys\":[]}")
        #expect(try folder.signet("jws sign --key one.json").isGood)
        #expect(try folder.signet("jws sign --key two.json").failed(2, "usage"))
        #expect(try folder.signet("jws sign --key none.json").failed(2, "usage"))
        #expect(try folder.signet("jwk public --key none.json").failed(1, "noPublicKey"))
        #expect(try folder.signet("jwk public --key two.json").isGood)
    }

    @Test("A key's kid cannot send commands to the terminal", .tags(.commandLine))
    func hostileKeyID() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let set = try folder.text("jwks.json").dropLast(3)
        let hostile = "{\"kty\":\"none\",\"kid\":\"\\u001b[2J\\u009b2J\\u202e\"}"
        try folder.write("set.json", set + "," + hostile + "]}")
        let outcome = try folder.signet("jwk public --key set.json")
        #expect(outcome.status == 0 && outcome.errors.contains("left out key 1"))
        let forbidden: Set<Unicode.Scalar> = ["\u{1b}", "\u{9b}", "\u{202e}"]
        #expect(!outcome.errors.unicodeScalars.contains { forbidden.contains($0) })
    }

    @Test("A file's name cannot send commands to the terminal")
    func hostileName() {
        let forbidden: Set<Unicode.Scalar> = ["\u{1b}", "\u{202e}"]
        let name = "\(CommandFolder.nowhere)/\u{1b}[31m\u{202e}absent"
        let outcome = CommandFolder.inProcess(["jwk", "public", "--key", name])
        #expect(outcome.failed(3, "system") && outcome.errors.contains("[31m"), "\(outcome)")
        #expect(!outcome.errors.unicodeScalars.contains { forbidden.contains($0) })
    }
}
