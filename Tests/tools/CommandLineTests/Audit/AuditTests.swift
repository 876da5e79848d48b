// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

@Suite("signet audit")
struct AuditTests {
    @Test("The audit is clean here, as a table, JSON, JUnit and HTML", .tags(.commandLine))
    func clean() throws {
        let folder = try CommandFolder()
        let text = try folder.signet("audit --html audit.html")
        #expect(
            text.isGood && text.text.contains("No deviation:") && text.text.contains("OpenSSL 3."),
            "\(text)")
        #expect(
            try folder.permissions("audit.html") == 0o644
                && folder.text("audit.html").hasPrefix("<!DOCTYPE html>"))
        #expect(try folder.signet("audit --html audit.html").failed(3, "exists"))
        #expect(try folder.signet("audit --html audit.html --force").status == 0)
        let json = try folder.signet("audit --json").output
        let report = try JSONValue(
            JSONDocument(json, limits: .init(maximumByteCount: 1 << 24)).root)
        #expect(report["format"]?.text == "signet-audit/1" && report["clean"] == .bool(true))
        #expect(report["total"]?["failed"] == .integer(0))
        let junit = try folder.signet("audit --junit").text
        #expect(
            junit.hasPrefix("<?xml") && junit.contains("failures=\"0\"")
                && junit.hasSuffix("</testsuites>\n")
        )
    }

    @Test("The report names its command line and commit, and how to check the results")
    func evidence() throws {
        let folder = try CommandFolder()
        try Figures.copy("mac", breaking: nil, to: folder.url)
        try Figures.sign(folder.url)
        let environment = ["SIGNET_TEST_VECTORS": folder.url.path, "OPENSSL_CONF": "/dev/null"]
        let call = ["audit", "--json", "--html", "a.html", "--results", "a.results"]
        let outcome = try folder.signet(call, environment: environment)
        #expect(outcome.isGood, "\(outcome)")
        let json = try outcome.json
        #expect(json["run"]?["commandLine"]?.text?.hasSuffix(call.joined(separator: " ")) == true)
        #expect(json["run"]?["environment"]?.text?.contains("OPENSSL_CONF=/dev/null") == true)
        let commit: String = try #require(json["signet"]?["commit"]?.text)
        #expect(!commit.isEmpty && (commit == "unknown" || commit.utf8.count >= 40))
        #expect(json["signet"]?["program"]?.text?.hasSuffix("/signet") == true)
        let program = try folder.bash("sha256sum < \"$SIGNET\"").text.prefix(64)
        #expect(json["signet"]?["sha256"]?.text == String(program))
        // The digest that the report prints is that of the file, which sha256sum can check.
        #expect(try folder.bash("sha256sum --check a.results.sha256").isGood)
        #expect(try folder.text("a.results.sha256").hasPrefix(json["resultsSHA256"]?.text ?? "?"))
        #expect(try folder.text("a.html").contains(json["resultsSHA256"]?.text ?? "?"))
        #expect(try folder.permissions("a.results") == 0o644)
        let again = try folder.signet(
            ["audit", "--results", "a.results"], environment: environment)
        #expect(again.failed(3, "exists"))
    }

    @Test(
        "--vectors runs a checkout of Wycheproof; an undecided case neither passes nor deviates"
    )
    func undecided() throws {
        let folder = try CommandFolder()
        let checkout = folder.url.appendingPathComponent("checkout/testvectors_v1")
        try FileManager.default.createDirectory(at: checkout, withIntermediateDirectories: true)
        func write(_ label: String) throws {
            try folder.write(
                "checkout/testvectors_v1/hmac_new_test.json",
                #"""
                {"schema":"mac_test_schema_v1.json","algorithm":"HMACSHA256","numberOfTests":1,"testGroups":[{"tests":[
                {"tcId":7,"flags":[],"result":"\#(label)","key":"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
                "msg":"4869205468657265",
                "tag":"b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"}]}]}
                """#)
        }
        try Figures.copy("mac", breaking: nil, to: folder.url)
        try Figures.sign(folder.url)
        let call = ["audit", "--vectors", "checkout", "--json"]
        let environment = [
            "SIGNET_TEST_VECTORS": folder.url.path, "SIGNET_WYCHEPROOF": CommandFolder.nowhere,
        ]
        try write("valid")
        #expect(try folder.signet(call, environment: environment).isGood)
        try write("acceptable")
        let outcome = try folder.signet(call, environment: environment)
        #expect(outcome.status == 1 && outcome.errors.isEmpty, "\(outcome)")
        let json = try outcome.json
        #expect(
            json["total"]?["undecided"] == .integer(1) && json["total"]?["failed"] == .integer(0))
        #expect(json["deviations"] == .array([]) && json["clean"] == .bool(false))
        #expect(json["verdict"]?.text?.hasPrefix("UNDECIDED: 1 of ") == true)
        let text = try folder.signet(["audit", "--vectors", "checkout"], environment: environment)
            .text
        #expect(text.contains("hmac_new#7: ") && !text.contains("DEVIATION"))
    }

    @Test(
        "Options that contradict each other are a usage mistake",
        arguments: [
            "--json --junit", "--html -", "--results -", "--html a --results a",
            "--html a.sha256 --results a", "extra",
        ])
    func usage(_ options: String) {
        let outcome = CommandFolder.inProcess("audit \(options)")
        #expect(outcome.status == 2 && outcome.errors.contains("[usage]"), "\(outcome)")
    }

    @Test("--require fails the audit where libcrypto lacks what it names")
    func required() throws {
        let folder = try CommandFolder()
        try Figures.copy("mac", breaking: nil, to: folder.url)
        try Figures.sign(folder.url)
        let environment = ["SIGNET_TEST_VECTORS": folder.url.path]
        // The default provider has scrypt, and Argon2id from OpenSSL 3.2.
        for (name, isOffered) in [
            ("scrypt", KeyDerivation.isScryptAvailable),
            ("argon2id", KeyDerivation.isArgon2idAvailable),
        ] {
            let call = ["audit", "--require", "x25519", "--require", name]
            let outcome = try folder.signet(call, environment: environment)
            #expect(outcome.status == (isOffered ? 0 : 1) && outcome.errors.isEmpty, "\(outcome)")
            #expect(
                outcome.text.contains("DEVIATION: required, and not offered by this provider: ")
                    != isOffered)
            #expect(outcome.text.contains("offers \(name): \(isOffered ? "yes" : "no")\n"))
        }
    }

    @Test("--require lists the names that it knows")
    func unknownRequirement() {
        let outcome = CommandFolder.inProcess("audit --require Scrypt")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        for name in ["scrypt", "argon2id", "x25519", "short-keys"] {
            #expect(outcome.errors.contains(name), "\(outcome)")
        }
    }

    static let kinds = [
        "mac": "tag", "aead": "tag", "xaes": "ct", "xaes-accumulated": "hash", "hkdf": "okm",
        "pbkdf2": "dk",
        "scrypt": "dk", "rsa-verify": "sig", "ecdsa-verify": "sig", "ec-public-key": "y",
        "ec-key-pair": "x",
        "key-wrap": "ct", "content": "tag", "agreement": "z", "concat-kdf": "dk",
        "ed25519": "sig", "base64url": "text", "jws": "jws", "jwe": "jwe", "jwt": "jws",
        "jwk": "private", "jwk-set": "verifiable",
        "thumbprint": "thumbprint", "mailbox": "domain", "business-domain": "verdict",
    ]
    /// The audit lists them and does not run them: the numbers hold for the list of one day.
    static let notRun: Set = ["public-suffix"]

    @Test("Every kind of vector has a family here")
    func kindsAreComplete() throws {
        let manifest = try Figures.object(Program.figures + "/MANIFEST.json")
        let suites = manifest["suites"] as? [[String: Any]] ?? []
        #expect(
            Set(suites.compactMap { $0["kind"] as? String }) == Self.notRun.union(Self.kinds.keys))
    }

    @Test("One file of good vectors is clean")
    func good() throws {
        let folder = try CommandFolder()
        try Figures.copy("mac", breaking: nil, to: folder.url)
        try Figures.sign(folder.url)
        let outcome = try folder.signet(
            ["audit"], environment: ["SIGNET_TEST_VECTORS": folder.url.path])
        #expect(outcome.isGood && outcome.text.contains("No deviation:"), "\(outcome)")
    }

    @Test("One wrong vector is a deviation, with status 1")
    func wrong() throws {
        let folder = try CommandFolder()
        let id = try Figures.copy("mac", breaking: "tag", to: folder.url)
        try Figures.sign(folder.url)
        let outcome = try folder.signet(
            ["audit"], environment: ["SIGNET_TEST_VECTORS": folder.url.path])
        #expect(outcome.status == 1 && outcome.text.contains("DEVIATION"), "\(outcome)")
        #expect(outcome.text.contains("#\(id): "), "\(outcome)")
    }

    @Test(
        "One wrong vector of a family: status 1 for the file's digest and for the vector itself",
        .tags(.commandLine),
        arguments: kinds.keys.sorted())
    func broken(_ kind: String) throws {
        let folder = try CommandFolder()
        let column: String = try #require(Self.kinds[kind])
        let id = try Figures.copy(kind, breaking: column, to: folder.url)
        for isSigned in [false, true] {
            if isSigned { try Figures.sign(folder.url) }
            let environment = ["SIGNET_TEST_VECTORS": folder.url.path]
            let text = try folder.signet(["audit"], environment: environment)
            #expect(
                text.status == 1 && !text.wasKilled && text.text.contains("DEVIATION"), "\(text)")
            let sign = isSigned ? "#\(id): " : "is not the file that MANIFEST.json names"
            #expect(text.text.contains(sign), "\(text)")
            let json = try folder.signet(["audit", "--json"], environment: environment)
            #expect(json.status == 1)
            #expect(try JSONValue(JSONDocument(json.output).root)["clean"] == .bool(false))
            let junit = try folder.signet(["audit", "--junit"], environment: environment)
            #expect(junit.status == 1 && junit.text.contains("<failure message="))
        }
    }

    @Test(
        "Missing vectors: status 3 with advice; a malformed manifest: status 1",
        .tags(.commandLine))
    func absent() throws {
        let folder = try CommandFolder()
        let nowhere = ["SIGNET_TEST_VECTORS": folder.url.path + "/nowhere"]
        let outcome = try folder.signet(["audit"], environment: nowhere)
        #expect(
            outcome.failed(3, "vectors_not_found")
                && outcome.errors.contains("Set SIGNET_TEST_VECTORS"),
            "\(outcome)")
        let json = try folder.signet(["audit", "--json"], environment: nowhere)
        #expect(try json.status == 3 && json.json["error"]?["code"]?.text == "vectors_not_found")
        let wycheproof = try folder.signet(
            ["audit"], environment: ["SIGNET_WYCHEPROOF": folder.url.path + "/nowhere"])
        #expect(
            wycheproof.failed(3, "unreadable") && wycheproof.errors.contains("SIGNET_WYCHEPROOF"),
            "\(wycheproof)")
        for manifest in ["", "{}", "{\"v\":2,\"suites\":[]}", "{\"v\":1,\"v\":1}"] {
            try folder.write("MANIFEST.json", manifest)
            #expect(
                try folder.signet(["audit"], environment: ["SIGNET_TEST_VECTORS": folder.url.path])
                    .failed(
                        1, "malformed"))
        }
        try folder.write("MANIFEST.json", "{\"v\":1,\"suites\":[],\"leftOut\":[]}")
        let empty = try folder.signet(
            ["audit"], environment: ["SIGNET_TEST_VECTORS": folder.url.path])
        #expect(empty.status == 1, "nothing run is not clean: \(empty)")
    }
}

/// Copies of the figures with one that is wrong.
enum Figures {
    struct NothingToBreak: Error {}

    static func object(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw NothingToBreak()
        }
        return object
    }

    /// Copies the smallest suite of the kind, with its first good vector made wrong in this column.
    ///
    /// - Returns: the id of that vector; with no column to break, an empty text.
    @discardableResult
    static func copy(_ kind: String, breaking column: String?, to folder: URL) throws -> String {
        var manifest = try object(Program.figures + "/MANIFEST.json")
        let suites = (manifest["suites"] as? [[String: Any]] ?? []).filter {
            $0["kind"] as? String == kind && $0["valid"] as? Int != 0
        }
        guard
            let suite = suites.min(by: { ($0["cases"] as? Int ?? 0) < ($1["cases"] as? Int ?? 0) }),
            let path = suite["path"] as? String
        else { throw NothingToBreak() }
        manifest["suites"] = [suite]
        manifest["leftOut"] = [Any]()
        try JSONSerialization.data(withJSONObject: manifest).write(
            to: folder.appendingPathComponent("MANIFEST.json"))
        let target = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        var file = try object(Program.figures + "/" + path)
        guard let column else {
            try JSONSerialization.data(withJSONObject: file).write(to: target)
            return ""
        }
        let columns = file["cols"] as? [String] ?? []
        let overrides = file["ovr"] as? [String: Any] ?? [:]
        guard var rows = file["rows"] as? [[Any]], let output = columns.firstIndex(of: column),
            let label = columns.firstIndex(of: "r"),
            let index = rows.firstIndex(where: {
                $0[label] as? Int == 1 && overrides["\($0[0])"] == nil
                    && $0[output] as? String != ""
            })
        else { throw NothingToBreak() }
        rows[index][output] = other(rows[index][output])
        file["rows"] = rows
        try JSONSerialization.data(withJSONObject: file).write(to: target)
        return "\(rows[index][0])"
    }

    /// Makes the manifest name the digest of the file as it is, so that the vector itself is reached.
    static func sign(_ folder: URL) throws {
        let place = folder.appendingPathComponent("MANIFEST.json")
        var manifest = try object(place.path)
        guard var suite = (manifest["suites"] as? [[String: Any]])?.first,
            let path = suite["path"] as? String
        else { throw NothingToBreak() }
        let content = try Data(contentsOf: folder.appendingPathComponent(path))
        let digest = try MessageDigest.digest([UInt8](content), using: .sha256)
        suite["sha256"] = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
        manifest["suites"] = [suite]
        try JSONSerialization.data(withJSONObject: manifest).write(to: place)
    }

    /// Another value in the same form.
    private static func other(_ value: Any) -> Any {
        guard let text = value as? String else {
            return (value as? Int).map { 1 - $0 } ?? ["nobody"]
        }
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if let last = parts.popLast() {
            parts.append((last.hasPrefix("A") ? "B" : "A") + last.dropFirst())
        }
        return parts.joined(separator: ".")
    }
}
