// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAudit
import SignetCrypto
import TestVectors
import Testing

/// What makes a report evidence is in each of its forms.
@Suite("Audit evidence")
struct EvidenceTests {
    /// All figures: what was published, and Signet's own.
    static let report: AuditReport? =
        (try? AuditCatalog(figures: Vectors.figures.get(), wycheproof: nil)).map {
            AuditRunner(commit: "c0ffee", commandLine: ["signet", "audit", "<&>"]).run($0)
        }

    /// Its forms.
    private static let texts: [(name: String, text: String)] = {
        guard let report else { return [] }
        return [("text", report.text), ("JSON", report.json), ("HTML", report.html)]
    }()

    private func expect(_ value: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(Self.texts.count == 3)
        for (name, text) in Self.texts {
            let wanted =
                switch name {
                case "HTML":
                    value.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                        .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
                case "JSON": value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                default: value
                }
            #expect(
                text.utf8.firstRange(of: wanted.utf8) != nil, "\(name) lacks \(value)",
                sourceLocation: sourceLocation)
        }
    }

    @Test(
        "The report names the Signet, the machine and the run",
        arguments: [
            ("signet", "version"), ("signet", "commit"), ("signet", "program"),
            ("signet", "sha256"),
            ("machine", "host"), ("machine", "system"), ("machine", "kernel"),
            ("machine", "processor"),
            ("run", "started"), ("run", "seconds"), ("run", "commandLine"), ("run", "environment"),
            ("run", "figures"), ("run", "manifest"),
            ("libcrypto", "version"), ("libcrypto", "file"), ("libcrypto", "sha256"),
            ("libcrypto", "provider"),
            ("libcrypto", "providers"), ("libcrypto", "fips"), ("libcrypto", "package"),
        ])
    func facts(_ fact: (section: String, key: String)) throws {
        let value = try #require(Self.report?.evidence.value(section: fact.section, fact: fact.key))
        // Without dpkg the package is unknown; everything else is known on every machine that runs
        // these tests.
        if FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-query")
            || fact.key != "package"
        {
            #expect(value != "unknown")
        }
        try expect(value)
    }

    @Test("libcrypto's file is the one mapped into the process, with its digest")
    func libcrypto() throws {
        let evidence = try #require(Self.report).evidence
        let file = try #require(evidence.value(section: "libcrypto", fact: "file"))
        // Not Data(contentsOf:), which gives the first page of such a file.
        let handle = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
        let maps = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
        #expect(maps.contains(file + "\n"))
        let digest = try MessageDigest.digest(
            Data(contentsOf: URL(fileURLWithPath: file)), using: .sha256)
        let text = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(evidence.value(section: "libcrypto", fact: "sha256") == text)
    }

    @Test("Each file of vectors has its publisher, version and digest; Signet's own are marked")
    func vectors() throws {
        let report = try #require(Self.report)
        for suite in report.suites {
            try expect(suite.origin.version)
            try expect(suite.origin.sha256)
            #expect(
                suite.origin.sha256.utf8.count == 64 && suite.origin.version != "unknown",
                "\(suite.name)")
        }
        #expect(report.suites.filter(\.origin.isOwn).map(\.name) == ["business-domain"])
        try expect("published, \(report.ownCount) of Signet's own")
    }

    @Test("Every override is listed with its reason and its cases")
    func overrides() throws {
        let report = try #require(Self.report)
        #expect(report.overrides.map(\.cases.count).reduce(0, +) == report.total.overridden)
        #expect(report.total.overridden > 100)
        for override in report.overrides {
            try expect(override.reason)
            try expect(override.cases.first ?? "none")
        }
        let html = report.html
        #expect(
            report.overrides.allSatisfy {
                html.contains("<td data-label=\"cases\">\($0.cases.joined(separator: ", "))</td>")
            })
    }

    @Test("What was not run has a line beside what passed, and the gaps say why")
    func notRun() throws {
        let report = try #require(Self.report)
        let sum = report.gaps.filter { $0.reason == .notOffered }.compactMap(\.count).reduce(0, +)
        #expect(report.verdict == "No deviation: every case that ran did what is expected of it.")
        try expect(report.verdict)
        let lines = report.text.split(separator: "\n").suffix(6)
        let labels = lines.map { $0.prefix { $0 != ":" } }
        #expect(
            labels == [
                "  Passed", "  Deviations", "  Undecided",
                "  Cases not offered by this provider",
                "  Not run", "  System",
            ])
        for line in lines where !line.hasPrefix("  Not run: ") {
            #expect(!line.contains("not run") && !line.contains("slow"), "\(line)")
        }
        let notRun = try #require(lines.dropFirst(4).first)
        #expect(notRun.hasPrefix("  Not run: \(sum) not offered by Signet, "))
        #expect(notRun.contains("families of unknown size without their files or figures here"))
        #expect(notRun.contains(" slow;"))
        try expect(String(notRun.dropFirst("  Not run: ".count)))
        #expect(
            report.html.contains("<dt>Not run</dt><dd class=\"open\">\(sum) not offered by Signet"))
        for gap in report.gaps { try expect(gap.detail) }
    }

    @Test("What Signet offers and did not run is not said to be missing from Signet")
    func offered() throws {
        let gaps = try #require(Self.report).gaps
        for (subject, reason, count) in [
            ("RFC 9106, section 5.3: Argon2id", .notRun, 1), ("Argon2d, Argon2i", .notOffered, 2),
            ("C2SP CCTV Ed25519", .notRun, 915), ("nine of ten keys of 4096 bits", .notRun, 540),
            ("other curves", .notOffered, 2_114),
        ] as [(String, AuditGap.Reason, Int)] {
            let found = gaps.filter { $0.subject.contains(subject) }
            #expect(Set(found.map(\.reason)) == [reason], "\(subject)")
            #expect(found.compactMap(\.count).reduce(0, +) == count, "\(subject)")
        }
    }

    @Test("The digest covers the results, is stable, and changes with any outcome")
    func digest() throws {
        let report = try #require(Self.report)
        try expect(report.resultsDigest)
        #expect(report.resultsDigest.utf8.count == 64)
        let names = ["rfc4648-base64url", "rfc8032-ed25519"]
        let suites = Vectors.figureSuites.filter { names.contains($0.name) }
        let first = AuditRunner().run(AuditCatalog(suites: suites, gaps: []))
        let second = AuditRunner(commit: "other").run(AuditCatalog(suites: suites, gaps: []))
        #expect(first.resultsDigest == second.resultsDigest && first.results == second.results)
        let fewer = AuditRunner().run(AuditCatalog(suites: Array(suites.prefix(1)), gaps: []))
        #expect(fewer.resultsDigest != first.resultsDigest)
        let lines = first.results.split(separator: "\n")
        #expect(lines.count == 1 + suites.count + first.total.cases)
        for line in lines {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [Any])
        }
    }

    @Test("README counts published vectors and Signet's own as the audit does")
    func readme() throws {
        let report = try #require(Self.report)
        let run = report.total.passed + report.total.failed
        // swift test runs in the package's root.
        let readme = try String(
            contentsOfFile: FileManager.default.currentDirectoryPath + "/README.md", encoding: .utf8
        )
        let words = readme.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let published = run - report.ownCount
        let thousands = "\(published / 1000),\(String(published % 1000 + 1000).dropFirst())"
        #expect(words.contains("runs \(thousands) published vectors"), "\(thousands)")
        #expect(words.contains("and \(report.ownCount) of our own"))
    }
}
