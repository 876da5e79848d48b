// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestPrograms
import TestSupport
import Testing

@Suite("signet audit --sign")
struct AuditSignTests {
    /// A folder with one file of vectors and keys.
    private static func folder(_ algorithm: String = "ES256") throws -> CommandFolder {
        let folder = try CommandFolder()
        try Figures.copy("mac", breaking: nil, to: folder.url)
        try Figures.sign(folder.url)
        try folder.makeKeys(algorithm)
        return folder
    }

    private static func audit(_ line: String, in folder: CommandFolder) throws -> Outcome {
        try folder.signet(
            ["audit"] + line.split(separator: " ").map(String.init),
            environment: ["SIGNET_TEST_VECTORS": folder.url.path])
    }

    @Test("Each file that is written is signed, and verifies")
    func signs() throws {
        let folder = try Self.folder()
        let outcome = try Self.audit(
            "--json --output a.json --html a.html --results a.results --sign key.json", in: folder)
        #expect(outcome.isGood && outcome.output.isEmpty, "\(outcome)")
        for name in ["a.json", "a.html", "a.results"] {
            #expect(try folder.permissions(name + ".jws") == 0o644)
            let verified = CommandFolder.inProcess([
                "audit", "verify", folder.path(name), "--key", folder.path("jwks.json"),
            ])
            #expect(verified.isGood, "\(verified)")
            let jws = CommandFolder.inProcess(
                ["jws", "verify", "--json", "--key", folder.path("jwks.json")],
                input: try folder.read(name + ".jws"))
            #expect(try jws.json["header"]?["typ"]?.text == "signet-audit+jws")
        }
        #expect(!folder.exists("a.results.sha256.jws"))
        #expect(try folder.text("a.json").hasPrefix("{\"format\":\"signet-audit/1\""))
        // The signatures are not each other's.
        try folder.write("a.html.jws", folder.read("a.json.jws"))
        let other = CommandFolder.inProcess([
            "audit", "verify", folder.path("a.html"), "--key", folder.path("jwks.json"),
        ])
        #expect(other.failed(1, "reportMismatch"), "\(other)")
    }

    @Test("--output alone is the report that would have been printed")
    func output() throws {
        let folder = try Self.folder()
        #expect(try Self.audit("--output a.txt", in: folder).isGood)
        #expect(try folder.text("a.txt").hasPrefix("signet audit\n\nNo deviation: "))
        #expect(try folder.permissions("a.txt") == 0o644 && !folder.exists("a.txt.jws"))
        let printed = try Self.audit("--output -", in: folder)
        #expect(printed.isGood && printed.text.hasPrefix("signet audit\n\n"), "\(printed)")
    }

    @Test("A report with deviations is signed as well, with status 1")
    func deviations() throws {
        let folder = try Self.folder()
        try Figures.copy("mac", breaking: "tag", to: folder.url)
        try Figures.sign(folder.url)
        let outcome = try Self.audit("--output a.txt --sign key.json", in: folder)
        #expect(outcome.status == 1 && outcome.errors.isEmpty, "\(outcome)")
        #expect(try folder.text("a.txt").contains("\n  Deviations: 1\n"))
        #expect(folder.exists("a.txt.jws"))
    }

    @Test("A signature is replaced with its report, and never left beside another")
    func replaced() throws {
        let folder = try Self.folder()
        #expect(try Self.audit("--output a.json --json --sign key.json", in: folder).isGood)
        let (report, signature) = (try folder.read("a.json"), try folder.read("a.json.jws"))
        for line in [
            "--output a.json --sign key.json", "--output a.json",
            // Without a key there would be a report beside a signature that is not its own.
            "--output a.json --force",
        ] {
            #expect(try Self.audit(line, in: folder).failed(3, "exists"), "\(line)")
            #expect(try folder.read("a.json") == report && folder.read("a.json.jws") == signature)
        }
        try FileManager.default.removeItem(atPath: folder.path("a.json"))
        #expect(try Self.audit("--output a.json", in: folder).failed(3, "exists"))
        let forced = try Self.audit("--output a.json --json --sign key.json --force", in: folder)
        #expect(forced.isGood, "\(forced)")
        #expect(try folder.read("a.json") != report && folder.read("a.json.jws") != signature)
        let verified = CommandFolder.inProcess([
            "audit", "verify", folder.path("a.json"), "--key", folder.path("jwks.json"),
        ])
        #expect(verified.isGood, "\(verified)")
        // What is no file is not replaced, and the report is not written then.
        try FileManager.default.removeItem(atPath: folder.path("a.json.jws"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("a.json.jws"), withDestinationPath: folder.path("key.json"))
        let old = try folder.read("a.json")
        let linked = try Self.audit("--output a.json --sign key.json --force", in: folder)
        #expect(linked.status != 0 && !linked.wasKilled, "\(linked)")
        #expect(try folder.read("a.json") == old)
    }

    @Test("A report that cannot be written leaves the older report and its signature")
    func full() throws {
        let folder = try Self.folder()
        #expect(try Self.audit("--output a.json --json --sign key.json", in: folder).isGood)
        let (report, signature) = (try folder.read("a.json"), try folder.read("a.json.jws"))
        // The report has more than 1,024 bytes, the signature fewer.
        let line =
            "trap '' XFSZ; ulimit -f 1; SIGNET_TEST_VECTORS=. \"$SIGNET\" audit "
            + "--output a.json --force --sign key.json"
        let outcome = try folder.bash(line)
        #expect(outcome.failed(3, "system"), "\(outcome)")
        #expect(try folder.read("a.json") == report && folder.read("a.json.jws") == signature)
        // A signature that cannot come back is said to be lost.
        try folder.write("a.json.jws", [UInt8](repeating: 0x41, count: 20_000))
        let lost = try folder.bash(line)
        #expect(lost.failed(3, "system"), "\(lost)")
        #expect(lost.advice?.contains("its signature is lost") == true, "\(lost)")
        #expect(try folder.read("a.json") == report && !folder.exists("a.json.jws"))
    }

    @Test("A name is signed as its bytes, and has room for the signature's")
    func names() throws {
        let folder = try Self.folder()
        let own = try folder.bash(
            #"""
            name=$'a\xef\xb7\x90x'; export SIGNET_TEST_VECTORS=.
            "$SIGNET" audit --output "$name" --sign key.json &&
            "$SIGNET" audit verify "$name" --key jwks.json
            """#)
        #expect(own.isGood, "\(own)")
        let before = try folder.names()
        for (count, options) in [(252, "--sign key.json --output"), (249, "--results")] {
            let name = String(repeating: "b", count: count)
            let outcome = try Self.audit("\(options) \(name)", in: folder)
            #expect(outcome.failed(2, "usage"), "\(outcome)")
            #expect(try folder.names() == before)
        }
        let longest = String(repeating: "b", count: 251)
        #expect(try Self.audit("--sign key.json --output \(longest)", in: folder).isGood)
    }

    @Test("The report does not say where the key is", arguments: ["--sign ", "--sign="])
    func keyPath(_ option: String) throws {
        let folder = try Self.folder()
        let environment = ["SIGNET_TEST_VECTORS": folder.url.path]
        let words = "audit --json \(option)key.json --output a.json".split(separator: " ")
        let outcome = try folder.signet(words.map(String.init), environment: environment)
        #expect(outcome.isGood, "\(outcome)")
        let text = try folder.text("a.json")
        #expect(text.contains("audit --json \(option)… --output a.json\""), "\(text)")
        #expect(!text.contains("key.json"))
    }

    @Test("The key is not replaced by what it signs")
    func ownKey() throws {
        let folder = try Self.folder()
        let key = try folder.read("key.json")
        for line in ["--output key.json", "--html key.json", "--results key.json"] {
            let outcome = try Self.audit("\(line) --force --sign key.json", in: folder)
            #expect(outcome.failed(2, "usage"), "\(outcome)")
        }
        try folder.write("a.jws", key)
        let outcome = try Self.audit("--output a --force --sign a.jws", in: folder)
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(try folder.read("key.json") == key && folder.read("a.jws") == key)
    }

    @Test("A key that may not sign is refused, before anything is written")
    func wrongKeys() throws {
        let folder = try Self.folder()
        let pair = String(try Keys.json("ES256").dropFirst())
        let own = pair.replacing(#""use":"sig","#, with: "").replacing(#""alg":"ES256","#, with: "")
        try folder.write("enc.json", #"{"use":"enc",\#(own)"#)
        try folder.write("ops.json", #"{"key_ops":["verify"],\#(own)"#)
        try folder.write("alg.json", #"{"alg":"ES384",\#(own)"#)
        try folder.write("none.json", #"{"alg":"none",\#(own)"#)
        try folder.write("secret.json", Keys.json("HS256"))
        try folder.write("two.json", #"{"keys":[{\#(pair),{\#(pair)]}"#)
        let before = try folder.names()
        for (name, code) in [
            ("enc.json", "operationNotAllowed"), ("ops.json", "operationNotAllowed"),
            ("secret.json", "wrongKeyClass"), ("jwks.json", "privateKeyRequired"),
        ] {
            let outcome = try Self.audit("--output a --sign \(name)", in: folder)
            #expect(outcome.failed(1, code), "\(outcome)")
        }
        for name in ["alg.json", "none.json"] {
            #expect(try Self.audit("--output a --sign \(name)", in: folder).status == 1, "\(name)")
        }
        #expect(try Self.audit("--output a --sign two.json", in: folder).failed(2, "usage"))
        #expect(try Self.audit("--output a --sign absent", in: folder).failed(3, "system"))
        #expect(
            try Self.audit("--output a --sign key.json --algorithm RS256", in: folder).failed(
                1, "algorithmMismatch"))
        let rsa = try Self.folder("PS256")
        let pem = CommandFolder.inProcess([
            "jwk", "convert", "--key", rsa.path("key.json"), "--to", "pem",
        ])
        try rsa.write("key.pem", pem.output)
        let unnamed = try Self.audit("--output a --sign key.pem", in: rsa)
        #expect(unnamed.failed(2, "algorithmRequired"), "\(unnamed)")
        #expect(unnamed.advice == "Name it: --algorithm NAME", "\(unnamed)")
        #expect(try Self.audit("--output a --sign key.pem --algorithm PS384", in: rsa).isGood)
        #expect(try folder.names() == before)
    }

    @Test("Without a file there is nothing to sign, and without a key no algorithm")
    func usage() throws {
        let folder = try Self.folder()
        for line in [
            "--sign key.json", "--json --sign key.json", "--output - --sign key.json",
            "--algorithm ES256", "--output a --algorithm ES256", "--output a --html a",
            "--output a.sha256 --results a", "--output a.jws --html a --sign key.json",
            "--output a --html a.jws --sign key.json", "--output a --sign key.json --json --junit",
        ] {
            let outcome = try Self.audit(line, in: folder)
            #expect(
                outcome.status == 2 && outcome.errors.contains("[usage]"), "\(line): \(outcome)")
        }
        let other = try folder.bash(
            "SIGNET_TEST_VECTORS=. \"$SIGNET\" audit --output $'a\\xff' --sign key.json")
        #expect(other.failed(2, "usage") && other.errors.contains("UTF-8"), "\(other)")
        #expect(try folder.names().count { $0.hasPrefix("a") } == 0)
    }

    @Test("A key is taken from a descriptor and from standard input")
    func descriptors() throws {
        let folder = try Self.folder()
        for source in ["/dev/fd/3 3< key.json", "- < key.json"] {
            let outcome = try folder.bash(
                "SIGNET_TEST_VECTORS=. \"$SIGNET\" audit --output a --force --sign \(source)")
            #expect(outcome.isGood, "\(outcome)")
        }
    }

    // MARK: A second implementation

    private static let python =
        ProcessInfo.processInfo.environment["SIGNET_INTEROP_PYTHON"]
        ?? FileManager.default.currentDirectoryPath + "/.cache/interop-venv/bin/python3"
    private static let isHere =
        Program.isRequired
        || (try? ChildProgram.run(python, ["-c", "import jwcrypto, joserfc"]))?.status == 0

    @Test(
        "jwcrypto verifies the signature, and Python finds the same digest in it",
        .tags(.interop), .enabled(if: isHere, "jwcrypto is not here: Scripts/interop-venv.sh"),
        arguments: ["ES256", "Ed25519", "PS256"])
    func jwcrypto(_ algorithm: String) throws {
        let folder = try Self.folder(algorithm)
        #expect(try Self.audit("--output a.txt --sign key.json", in: folder).isGood)
        let outcome = try ChildProgram.run(
            Self.python,
            [
                "-B", "-c",
                """
                import hashlib, json, sys
                from jwcrypto import jwk, jws
                keys = jwk.JWKSet.from_json(open(sys.argv[1] + "/jwks.json").read())
                token = jws.JWS()
                token.allowed_algs = ["ES256", "PS256", "EdDSA", "Ed25519"]
                token.deserialize(open(sys.argv[1] + "/a.txt.jws").read().strip())
                token.verify(list(keys["keys"])[0])
                report = open(sys.argv[1] + "/a.txt", "rb").read()
                assert token.jose_header["typ"] == "signet-audit+jws"
                assert json.loads(token.payload) == {
                    "name": "a.txt", "length": len(report),
                    "sha256": hashlib.sha256(report).hexdigest()}
                print("the same")
                """, folder.url.path,
            ])
        #expect(
            outcome.status == 0 && outcome.output == Array("the same\n".utf8),
            "\(outcome.complaint)")
    }
}
