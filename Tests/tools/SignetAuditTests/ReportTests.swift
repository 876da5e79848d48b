// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAudit
import SignetJOSE
import TestVectors
import Testing

@Suite("Audit report")
struct ReportTests {
    /// A small audit: some figures, among them an override and a slow case.
    static func report(broken: Bool) throws -> AuditReport {
        let names = ["rfc4648-base64url", "rfc7914-scrypt", "rfc8032-ed25519"]
        var suites = Vectors.figureSuites.filter { names.contains($0.name) }
        if broken {
            // The suite outlives its folder: the file is then absent.
            let copy = try BrokenCopy(figures: Vectors.figures.get(), suite: "rfc4231-hmac")
            suites += try AuditSuite.figures(in: .init(folder: copy.folder.path))
        }
        let gap = AuditGap(
            source: "Nobody", subject: "<none> & \"more\"", count: 3, reason: .notOffered,
            detail: "why")
        return AuditRunner().run(AuditCatalog(suites: suites, gaps: [gap]))
    }

    @Test("Cases are counted by source and algorithm")
    func counts() throws {
        let report = try Self.report(broken: false)
        #expect(report.isClean)
        let rows = Dictionary(uniqueKeysWithValues: report.rows.map { ($0.algorithm, $0) })
        #expect(rows["base64url"]?.cases == 11)
        #expect(rows["base64url"]?.overridden == 4)
        #expect(rows["base64url"]?.passed == 11)
        #expect(rows["scrypt"]?.notRun == 2)
        #expect(rows["scrypt"]?.passed == 3)
        #expect(rows["Ed25519"]?.source == "RFC 8032")
        #expect(
            report.total.cases == report.total.passed + report.total.failed + report.total.notRun)
        #expect(report.gaps.filter { $0.reason == .slow }.count == 2)
    }

    @Test("Text names the library, the sum and the verdict", arguments: [false, true])
    func text(broken: Bool) throws {
        let report = try Self.report(broken: broken)
        let text = report.text
        #expect(text.contains(report.library.version))
        #expect(text.contains("fetches with fips=yes: \(report.library.isFIPS ? "yes" : "no")\n"))
        #expect(text.contains("<none> & \"more\""))
        #expect(text.contains("rfc7914-scrypt#12-4"))
        // At the top and at the end, each with the summary below it.
        let passed = "\n\n\(report.verdict)\n  Passed: \(report.total.passed) of "
        #expect(text.split(separator: passed, omittingEmptySubsequences: false).count == 3)
        #expect(text.split(separator: "\n").last?.hasPrefix("  System: OpenSSL ") == true)
        #expect(text.contains("\n  Deviations: \(broken ? "1" : "none")\n"))
        #expect(text.contains(" 3 not offered by Signet, 2 slow; the reasons"))
        // The cases of a file that could not be read did not run.
        #expect(text.contains("\n  Not run: 3 not offered by Signet") != broken)
        #expect(
            text.contains(" in files that could not be read, 3 not offered by Signet") == broken)
        #expect(text.contains("  Passed: \(report.total.passed) of \(report.total.passed) cases"))
        let verdict = "DEVIATION: 1 of \(report.total.passed) cases or files did not do"
        #expect(report.verdict.hasPrefix(verdict) == broken)
        #expect(text.contains(broken ? "DEVIATION" : "No deviation"))
        #expect(text.contains("\nDeviations:\n") == broken)
        #expect(report.isClean != broken)
    }

    @Test("JSON is strict JSON with the counts", arguments: [false, true])
    func json(broken: Bool) throws {
        let report = try Self.report(broken: broken)
        let root = try JSONDocument(Array(report.json.utf8)).root
        #expect(root.member("format")?.stringValue == "signet-audit/1")
        #expect(root.member("verdict")?.stringValue == report.verdict)
        #expect(root.member("clean")?.boolValue == !broken)
        let summary = try #require(root.member("summary"))
        #expect(summary.member("deviations")?.stringValue == (broken ? "1" : "none"))
        #expect(summary.member("notRun")?.stringValue?.contains("2 slow") == true)
        #expect(root.member("total")?.member("cases")?.int64Value == Int64(report.total.cases))
        #expect(root.member("rows")?.count == report.rows.count)
        #expect(root.member("deviations")?.count == report.deviations.count)
        #expect(
            root.member("notRun")?.elements.first { _ in true }?.member("subject")?.stringValue
                == "<none> & \"more\"")
    }

    @Test("JUnit XML is well formed and counts failures", arguments: [false, true])
    func junit(broken: Bool) throws {
        let report = try Self.report(broken: broken)
        let xml = report.junit
        #expect(xml.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "))
        #expect(xml.contains(" failures=\"\(broken ? 1 : 0)\" time="))
        #expect(xml.split(separator: "<testsuite ").count - 1 == report.suites.count)
        #expect(xml.split(separator: "<skipped/>").count - 1 == report.total.notRun)
        #expect(xml.contains("<failure ") == broken)
        #expect(xml.hasSuffix("</testsuites>\n"))
    }

    @Test("HTML is one self-contained page", arguments: [false, true])
    func html(broken: Bool) throws {
        let html = try Self.report(broken: broken).html
        #expect(html.hasPrefix("<!DOCTYPE html>\n"))
        #expect(html.contains("&lt;none&gt; &amp; &quot;more&quot;"))
        for foreign in ["<script", "http://", "https://", "<img", "<link", "url("] {
            #expect(!html.contains(foreign))
        }
        #expect(html.contains("<h2>Deviations</h2>") == broken)
        // What was not run stands in a line of its own, not in the green sentence.
        #expect(html.contains("<p class=\"verdict clean\">No deviation: every case") != broken)
        #expect(html.contains("<dt>Deviations</dt><dd>none</dd>") != broken)
        #expect(html.contains("<dt>Not run</dt><dd class=\"open\">"))
        #expect(html.contains("3 not offered by Signet"))
    }
}
