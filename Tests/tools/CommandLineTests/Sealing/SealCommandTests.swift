// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet seal and open")
struct SealCommandTests {
    static let contents: [[UInt8]] = [
        [], [0], Array("secret\n".utf8), Array(0...255), Array(repeating: 7, count: 1_000_003),
    ]

    /// How long a sealed file is: header, and a tag for each chunk.
    private static func sealedByteCount(_ byteCount: Int) -> Int {
        77 + byteCount + 16 * max(1, (byteCount + 65_535) / 65_536)
    }

    @Test("A sealed file opens, and an existing output is kept")
    func sealAndOpen() throws {
        let folder = try CommandFolder()
        try folder.write("plain", [0, 0xff, 0x0a])
        let sealed = try folder.signet("seal --new-key seal.key --input plain --output sealed")
        #expect(sealed.isGood && sealed.output.isEmpty, "\(sealed)")
        #expect(
            try folder.permissions("seal.key") == 0o600 && folder.permissions("sealed") == 0o600)
        let opened = try folder.signet("open --key-file seal.key --input sealed")
        #expect(opened.isGood && opened.output == [0, 0xff, 0x0a], "\(opened)")
        let kept = try folder.signet("open --key-file seal.key --input sealed --output plain")
        #expect(kept.failed(3, "exists"), "\(kept)")
    }

    @Test(
        "Sealed bytes open unchanged, through files and streams", .tags(.commandLine),
        arguments: contents)
    func roundTrip(_ content: [UInt8]) throws {
        let folder = try CommandFolder()
        try folder.write("plain", content, permissions: 0o644)
        let sealed = try folder.signet(
            "seal --new-key seal.key --input plain --output sealed --json")
        #expect(
            try sealed.isGood
                && sealed.json
                    == .object([
                        "output": .string("sealed"),
                        "byteCount": .integer(Int64(Self.sealedByteCount(content.count))),
                    ])
        )
        #expect(
            try folder.permissions("seal.key") == 0o600 && folder.permissions("sealed") == 0o600)
        let opened = try folder.signet(
            "open --key-file seal.key --input sealed --output opened --json")
        #expect(try opened.isGood && opened.json["byteCount"] == .integer(Int64(content.count)))
        #expect(try folder.read("opened") == content && folder.permissions("opened") == 0o600)
        let streamed = try folder.signet(["seal", "--key-file", "seal.key"], input: content)
        #expect(streamed.isGood && streamed.output.count == Self.sealedByteCount(content.count))
        #expect(try streamed.output != folder.read("sealed"))
        #expect(
            try folder.signet(["open", "--key-file", "seal.key"], input: streamed.output).output
                == content)
        #expect(try folder.names() == ["opened", "plain", "seal.key", "sealed"])
    }

    @Test("A key file is raw, base64 or base64url, with or without a line end", .tags(.commandLine))
    func keyForms() throws {
        let folder = try CommandFolder()
        let key: [UInt8] = (0..<32).map { 0xff ^ ($0 &* 7) }
        let base64 = Data(key).base64EncodedString()
        let sealed = try folder.signet(
            ["seal", "--key-file", folder.write("raw", key)], input: [1, 2, 3]
        ).output
        let forms = [
            base64, base64 + "\n", base64 + "\r\n", Base64URL.encode(key),
            Base64URL.encode(key) + "\n",
        ]
        for form in forms {
            let opened = try folder.signet(
                ["open", "--key-file", folder.write("key", form)], input: sealed)
            #expect(opened.isGood && opened.output == [1, 2, 3], "\(form): \(opened)")
        }
        try folder.write("sealed", sealed)
        let viaDescriptor = try folder.bash(
            "\"$SIGNET\" open --key-file /dev/fd/4 --input sealed 4<key")
        #expect(viaDescriptor.isGood && viaDescriptor.output == [1, 2, 3])
        #expect(
            try folder.bash("cat key | \"$SIGNET\" open --key-file - --input sealed").output == [
                1, 2, 3,
            ])
        try folder.write("loose", key, permissions: 0o644)
        let warned = try folder.signet("open --key-file loose --input sealed")
        #expect(
            warned.status == 0 && warned.output == [1, 2, 3]
                && warned.errors.contains("chmod 600 'loose'"))
    }

    @Test(
        "A malformed, absent or endless key file is refused", .tags(.commandLine),
        arguments: [
            "", "\n", "short", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
            "AAAA\nAAAA", String(repeating: "A", count: 5000),
        ])
    func noKey(_ text: String) throws {
        let folder = try CommandFolder()
        try folder.write("key", text)
        let outcome = try folder.signet("seal --key-file key", input: "x")
        #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.wasKilled, "\(outcome)")
        try folder.write("zeros", [UInt8](repeating: 0, count: 32))
        #expect(try folder.signet("seal --key-file zeros", input: "x").failed(1, "invalidKey"))
        #expect(try folder.signet("seal --key-file absent", input: "x").failed(3, "system"))
        #expect(try folder.signet("seal --key-file .", input: "x").failed(3, "system"))
        #expect(try folder.signet("seal --key-file /dev/zero", input: "x").failed(1, "tooLarge"))
    }

    @Test(
        "A new key replaces no file, and is made only when there is something to seal",
        .tags(.commandLine))
    func newKey() throws {
        let folder = try CommandFolder()
        try folder.write("seal.key", "precious")
        try folder.write("plain", "x")
        let outcome = try folder.signet(
            "seal --new-key seal.key --input plain --output sealed --force")
        #expect(outcome.failed(3, "exists") && outcome.errors.contains("--key-file"), "\(outcome)")
        #expect(
            try folder.text("seal.key") == "precious" && folder.names() == ["plain", "seal.key"])
        for options in [
            "--input absent", "--input plain --output plain", "--input plain --json", "--input .",
        ] {
            let failed = try folder.signet("seal --new-key other.key \(options)")
            #expect(failed.status >= 2 && !folder.exists("other.key"), "\(options): \(failed)")
        }
        #expect(
            try folder.signet("seal --new-key - --input plain --output sealed").failed(2, "usage"))
        #expect(try folder.names() == ["plain", "seal.key"])
    }

    @Test("No output replaces the key that made it, under any name", .tags(.commandLine))
    func keepsKeys() throws {
        let folder = try CommandFolder()
        try folder.write("plain", "x")
        try folder.signet("seal --new-key seal.key --input plain --output sealed")
        let key = try folder.text("seal.key")
        try folder.write("words", "a passphrase\n")
        try folder.bash("ln -s seal.key soft; ln seal.key hard; mkdir folder; ln -s .. folder/up")
        for command in [
            "seal --key-file seal.key --input plain --output seal.key",
            "seal --key-file soft --input plain --output seal.key",
            "seal --key-file hard --input plain --output ./seal.key",
            "open --key-file seal.key --input sealed --output seal.key",
            "seal --key-file folder/../seal.key --input plain --output seal.key",
            "seal --new-key new --input plain --output ./new",
            "seal --new-key folder/up/new --input plain --output new",
            "seal --passphrase-file words --input plain --output words",
        ] {
            #expect(try folder.signet(command + " --force").failed(2, "usage"), "\(command)")
        }
        #expect(
            try folder.text("seal.key") == key && folder.text("words") == "a passphrase\n"
                && !folder.exists("new"))
    }

    @Test(
        "An existing output is kept without --force, and on a failed open even with it",
        .tags(.commandLine))
    func outputs() throws {
        let folder = try CommandFolder()
        try folder.write("plain", "new")
        try folder.signet("seal --new-key seal.key --input plain --output sealed")
        try folder.write("old", "old", permissions: 0o644)
        #expect(
            try folder.signet("open --key-file seal.key --input sealed --output old").failed(
                3, "exists"))
        var changed = try folder.read("sealed")
        changed[changed.count - 1] ^= 1
        try folder.write("changed", changed)
        #expect(
            try folder.signet("open --key-file seal.key --input changed --output old --force")
                .failed(
                    1, "authenticationFailure"))
        #expect(try folder.text("old") == "old")
        #expect(
            try folder.signet("open --key-file seal.key --input sealed --output old --force").isGood
        )
        #expect(try folder.text("old") == "new" && folder.permissions("old") == 0o600)
        #expect(
            try folder.signet("seal --key-file seal.key --input plain --output plain --force")
                .isGood)
        #expect(try folder.signet("open --key-file seal.key --input plain").text == "new")
    }

    @Test(
        "The file's mode and the kind of key must agree, and standard input is named once",
        .tags(.commandLine))
    func modes() throws {
        let folder = try CommandFolder()
        for name in ["key.sealed", "passphrase.sealed", "seal.key", "passphrase.txt"] {
            try folder.fixture(name)
        }
        #expect(
            try folder.signet("open --key-file seal.key --input passphrase.sealed").failed(
                2, "usage")
        )
        #expect(
            try folder.signet("open --passphrase-file passphrase.txt --input key.sealed").failed(
                2, "usage"))
        #expect(try folder.signet("seal --key-file - --input -", input: "x").failed(2, "usage"))
        #expect(try folder.signet("open --passphrase-fd 0", input: "x").failed(2, "usage"))
    }

    @Test(
        "One source of the key must be named",
        arguments: [
            "", "--key-file \(CommandFolder.nowhere)/k --passphrase",
            "--passphrase --passphrase-fd 3",
            "--passphrase-file \(CommandFolder.nowhere)/a --key-file \(CommandFolder.nowhere)/b",
        ])
    func oneWay(_ options: String) {
        for command in ["open", "seal"] {
            let outcome = CommandFolder.inProcess(
                "\(command) --input \(CommandFolder.nowhere)/x \(options)")
            #expect(outcome.failed(2, "usage"), "\(command): \(outcome)")
        }
    }

    @Test("An output that cannot be is refused before a key is made or a passphrase asked for")
    func outputsWithoutName() throws {
        let folder = try CommandFolder()
        try folder.write("plain", "hello")
        for (name, status) in [("", 2), ("x/", 2), (".", 2), ("a/..", 2), ("none/o", 3)] {
            for way in [["--passphrase"], ["--new-key", "k"]] {
                let outcome = try folder.signet(
                    ["seal", "--input", "plain", "--output", name] + way)
                #expect(
                    outcome.failed(Int32(status), status == 2 ? "usage" : "system"), "\(outcome)")
                #expect(outcome.errors.contains("output"), "\(outcome)")
            }
        }
        #expect(try folder.names() == ["plain"])
    }

    @Test("A warning about a file is one line, whatever its name is")
    func warnings() throws {
        let folder = try CommandFolder()
        try folder.fixture("seal.key")
        let outcome = try folder.bash(
            #"""
            mv seal.key $'k\nsignet: all is well' && chmod 644 $'k\nsignet: all is well' &&
            "$SIGNET" seal --key-file $'k\nsignet: all is well' --output o < /dev/null
            """#)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(!outcome.errors.contains("\nsignet: all"), "\(outcome)")
        #expect(
            outcome.errors.contains(#"chmod 600 $'k\012signet: all is well'"#), "\(outcome)")
    }

    @Test("A new key and an existing key exclude each other")
    func newOrOld() {
        let folder = CommandFolder.nowhere
        let outcome = CommandFolder.inProcess(
            "seal --new-key \(folder)/n --key-file \(folder)/k --input \(folder)/x")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
    }

    @Test("A file of version 1 that is too large is refused before it is read")
    func tooLarge() throws {
        let folder = try CommandFolder()
        try folder.fixture("passphrase.sealed")
        try folder.fixture("passphrase.txt")
        try folder.bash("cp passphrase.sealed large; truncate -s 1073741923 large")
        // Seconds of processor time: the derivation and reading would take them.
        let outcome = try folder.bash(
            "ulimit -t 10; \"$SIGNET\" open --passphrase-file passphrase.txt --input large")
        #expect(outcome.failed(1, "tooLarge"), "\(outcome)")
    }
}
