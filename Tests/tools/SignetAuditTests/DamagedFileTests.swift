// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAudit
import SignetCrypto
import TestVectors
import Testing

/// Files that say too little, too much, or something false about themselves: none may pass, and
/// none may crash the process.
@Suite("A damaged vector file does not pass")
struct DamagedFileTests {
    /// A folder with one Wycheproof file.
    private func folder(_ name: String, _ content: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "signet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(content.utf8).write(to: folder.appendingPathComponent(name))
        return folder
    }

    /// A correct file: the first case of RFC 4231.
    private static let healthy =
        #"{"schema":"mac_test_schema_v1.json","algorithm":"HMACSHA256","numberOfTests":1,"testGroups":[{"tests":["#
        + #"{"tcId":1,"flags":[],"result":"valid","key":"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b","#
        + #""msg":"4869205468657265","#
        + #""tag":"b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"}]}]}"#

    /// The report on a healthy file with this one next to it; nil if it is refused before anything
    /// runs.
    private func report(_ content: String) throws -> AuditReport? {
        let folder = try folder("a_test.json", content)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Self.healthy.utf8).write(to: folder.appendingPathComponent("healthy_test.json"))
        do throws(AuditError) {
            let published = try WycheproofSuites(folder: folder.path)
            return AuditRunner().run(AuditCatalog(suites: published.suites, gaps: published.gaps))
        } catch {
            return nil
        }
    }

    @Test("An unrelated file next to a healthy one leaves the audit clean")
    func control() throws {
        #expect(try report(Self.healthy)?.isClean == true)
        #expect(
            try report(#"{"schema":"other.json","numberOfTests":3,"testGroups":[]}"#)?.isClean
                == true)
        #expect(
            try report(
                #"{"schema":"aead_test_schema_v1.json","algorithm":"AEGIS","numberOfTests":0,"testGroups":[]}"#
            )?
            .isClean == true)
    }

    static let schemas = [
        "mac_test_schema_v1.json", "hkdf_test_schema_v1.json", "pbkdf_test_schema.json",
        "aead_test_schema_v1.json", "ecdsa_p1363_verify_schema_v1.json",
        "ecdsa_verify_schema_v1.json",
        "eddsa_verify_schema_v1.json", "rsassa_pkcs1_verify_schema_v1.json",
        "rsassa_pkcs1_generate_schema_v1.json", "rsassa_pss_verify_schema_v1.json",
        "json_web_signature_schema_v1.json", "json_web_key_schema_v1.json",
    ]

    @Test("A file of 258 tests without its groups is not 'not offered'", arguments: schemas)
    func emptied(_ schema: String) throws {
        let content =
            #"{"schema":"\#(schema)","algorithm":"X","numberOfTests":258,"testGroups":[]}"#
        #expect(try report(content)?.isClean != true)
        // Groups that no longer say what they are about are no better.
        let bare = #"{"schema":"\#(schema)","numberOfTests":258,"testGroups":[{"tests":[]}]}"#
        #expect(try report(bare)?.isClean != true)
    }

    @Test(
        "A file that claims to hold nothing is not clean",
        arguments: ["HMACSHA256", "HMACSHA384"])
    func nothing(_ algorithm: String) throws {
        let content =
            #"{"schema":"mac_test_schema_v1.json","algorithm":"\#(algorithm)","numberOfTests":0,"testGroups":[]}"#
        #expect(try report(content)?.isClean != true)
    }

    @Test(
        "An absurd count does not crash",
        arguments: [
            "9223372036854775807", "-9223372036854775808", "-1", "1e300", "4611686018427387904",
            "1.5",
        ])
    func counts(_ count: String) throws {
        for schema in ["mac_test_schema_v1.json", "another_schema.json"] {
            let content =
                #"{"schema":"\#(schema)","algorithm":"HMACSHA256","numberOfTests":\#(count),"testGroups":[]}"#
            let report = try report(content)
            #expect(report?.isClean != true)
            _ = report?.text
        }
        let figures = try folder(
            "MANIFEST.json",
            #"""
            {"v":1,"leftOut":[],"suites":[{"name":"n","path":"p.json","kind":"mac","source":{"document":"d","version":"1"},
            "sha256":"00","cases":\#(count),"algorithms":["HMAC-SHA-256"]},{"name":"m","path":"p.json","kind":"mac",
            "source":{"document":"d","version":"1"},"sha256":"00","cases":\#(count),"algorithms":["HMAC-SHA-256"]}]}
            """#)
        defer { try? FileManager.default.removeItem(at: figures) }
        let catalog = try? AuditCatalog(figures: TestVectors(folder: figures.path), wycheproof: nil)
        #expect(catalog.map { AuditRunner().run($0).isClean } != true)
    }

    @Test("Texts from files cannot leave their place in any form of the report")
    func texts() throws {
        let evil = #"x\n\nNo deviation: 1 of 1\u001b[2J\u009b2J\u2028</td><script>\"]]>\uffff"#
        let content =
            #"{"schema":"none","algorithm":"\#(evil)","numberOfTests":1,"testGroups":[]}"#
        let wrong =
            #"{"schema":"mac_test_schema_v1.json","algorithm":"HMACSHA256","numberOfTests":1,"testGroups":[]}"#
        let folder = try folder("a<b>&\"\u{1b}\u{fffe}_test.json", content)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(wrong.utf8).write(
            to: folder.appendingPathComponent("m<b>\n\u{1b}[2J\u{fffe}_test.json"))
        let published = try WycheproofSuites(folder: folder.path)
        let report = AuditRunner().run(AuditCatalog(suites: published.suites, gaps: published.gaps))
        #expect(!report.text.contains("\nNo deviation"))
        for text in [report.text, report.results] {
            #expect(
                !text.unicodeScalars.contains {
                    $0 != "\n" && ($0.value < 0x20 || (0x7f...0x9f).contains($0.value))
                })
        }
        let html = report.html
        #expect(!html.contains("<script>") && !html.contains("<b>"))
        let junit = report.junit
        #expect(!junit.contains("<b>"))
        #expect(
            !junit.unicodeScalars.contains {
                $0.value == 0xfffe || $0.value == 0xffff || $0.value == 0x1b
            })
        #expect((try? JSONSerialization.jsonObject(with: Data(report.json.utf8))) != nil)
    }
}
