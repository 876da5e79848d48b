// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAudit
import Testing

@Suite("Comparison of two reports")
struct ComparisonTests {
    private static let good = Result { try ReportTests.report(broken: false) }
    private static let broken = Result { try ReportTests.report(broken: true) }

    private static func compare(_ first: String, _ second: String) throws -> AuditComparison {
        try AuditComparison(
            ReceivedReport(Array(first.utf8), name: "a"),
            with: ReceivedReport(Array(second.utf8), name: "b"))
    }

    private static func text(_ values: [[UInt8]]) -> [String] {
        values.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The only difference in a part.
    private static func only(
        _ part: AuditPart, of comparison: AuditComparison
    ) throws -> (name: String, first: [String], second: [String]) {
        let found = comparison.differences.filter { $0.part == part }
        let difference = try #require(found.count == 1 ? found.first : nil)
        return (text([difference.name])[0], text(difference.first), text(difference.second))
    }

    @Test("A report is the same as itself, and as one of another run")
    func same() throws {
        let report = try Self.good.get()
        let other = AuditRunner(commit: "other").run(
            AuditCatalog(
                suites: Vectors.figureSuites.filter { suite in
                    report.suites.contains { $0.name == suite.name }
                }, gaps: report.gaps.filter { $0.reason != .slow }))
        for (one, two) in [(report.json, report.json), (report.results, report.results)] {
            let comparison = try Self.compare(one, two)
            #expect(comparison.isSame && comparison.origin.isEmpty)
        }
        #expect(try Self.compare(report.results, other.results).isSame)
        let comparison = try Self.compare(report.json, other.json)
        #expect(comparison.isSame, "\(comparison)")
        // Its origin is shown, and does not decide.
        let commit = try #require(comparison.origin.first { $0.part == .signet })
        #expect(Self.text([commit.name]) == ["commit"])
        #expect(
            Self.text(commit.first) == ["unknown"] && Self.text(commit.second) == ["other"])
    }

    @Test("What only one report has is a difference, in each form")
    func onlyInOne() throws {
        let (good, broken) = (try Self.good.get(), try Self.broken.get())
        let json = try Self.compare(good.json, broken.json)
        #expect(!json.isSame)
        #expect(try Self.only(.suites, of: json).name == "rfc4231-hmac")
        #expect(try Self.only(.suites, of: json).first.isEmpty)
        let deviation = try Self.only(.deviations, of: json)
        #expect(deviation.name == "rfc4231-hmac" && deviation.second.count == 1)
        #expect(json.differences.contains { $0.part == .rows })
        #expect(json.differences.contains { Self.text($0.first) == ["true"] })
        let results = try Self.compare(broken.results, good.results)
        #expect(try Self.only(.suites, of: results).second.isEmpty)
    }

    @Test("A case with another outcome is named, and so is a vanished one")
    func cases() throws {
        let results = try Self.good.get().results
        let ed25519 = try #require(results.firstRange(of: "[\"suite\",\"rfc8032-ed25519\""))
        let line = try #require(results[ed25519.upperBound...].firstRange(of: "\"passed\""))
        let failed = results.replacingCharacters(in: line, with: "\"failed\"")
        let difference = try Self.only(.cases, of: Self.compare(results, failed))
        #expect(difference.name.hasPrefix("rfc8032-ed25519#"))
        #expect(difference.first == ["passed, null"] && difference.second == ["failed, null"])
        var lines = results.split(separator: "\n").map(String.init)
        let place = try #require(lines.lastIndex { $0.hasPrefix("[\"case\",") })
        lines.remove(at: place)
        let fewer = try Self.only(
            .cases, of: Self.compare(results, lines.joined(separator: "\n") + "\n"))
        #expect(fewer.first.count == 1 && fewer.second.isEmpty)
    }

    @Test("Said twice is not said once")
    func twice() throws {
        let results = try Self.good.get().results
        let last = try #require(results.split(separator: "\n").last)
        let comparison = try Self.compare(results, results + last + "\n")
        #expect(try Self.only(.notRun, of: comparison).second.count == 2)
    }

    @Test("Canonically equivalent names are two")
    func bytes() throws {
        let head = Self.results + Self.suite("s")
        let comparison = try Self.compare(
            head + "[\"required\",\"\u{e9}\",true]\n", head + "[\"required\",\"e\u{301}\",true]\n")
        #expect(comparison.differences.count == 2)
    }

    private static func suite(_ name: String, _ more: String = #""a","b",1,true"#) -> String {
        #"["suite","\#(name)",\#(more)]"# + "\n"
    }

    @Test(
        "What would look alike when it is joined is not the same, and does not look alike",
        arguments: [
            (suite("s", #""a, b","c",1,true"#), suite("s", #""a","b, c",1,true"#)),
            (suite("s", "\"\",\"b\",1,true"), suite("s", #""\"\"","b",1,true"#)),
            (suite("s", #""a","b",1,true"#), suite("s", #""a","b","1","true""#)),
            (suite("s", #""a","b",1,null"#), suite("s", #""a","b",1,"null""#)),
            (suite("s", #""a","b",1,"\"x\"""#), suite("s", #""a","b",1,"\\\"x\\\"""#)),
            (
                suite("s") + #"["case","x#1","passed",null]"# + "\n" + suite("s#x"),
                suite("s") + suite("s#x") + #"["case","1","passed",null]"#
            ),
            (
                suite("s") + #"["not run","a / b","c",1,"r"]"#,
                suite("s") + #"["not run","a","b / c",1,"r"]"#
            ),
        ])
    func alike(_ one: String, _ other: String) throws {
        let comparison = try Self.compare(Self.results + one, Self.results + other)
        #expect(!comparison.isSame)
        let first = comparison.differences.flatMap { found in found.first.map { [found.name, $0] } }
        let second = comparison.differences.flatMap { found in
            found.second.map { [found.name, $0] }
        }
        #expect(!first.isEmpty && first.count == second.count && first != second)
    }

    @Test("The words of the verdict, the total and the types are compared in --json as well")
    func edited() throws {
        let json = try Self.good.get().json
        for (old, new) in [
            ("\"verdict\":\"No deviation", "\"verdict\":\"DEVIATION: 5 of 9"),
            ("\"total\":{\"cases\":", "\"total\":{\"cases\":9"),
            ("\"clean\":true", "\"clean\":\"true\""),
            ("\"overridden\":4", "\"overridden\":\"4\""),
        ] {
            let edited = json.replacing(old, with: new, maxReplacements: 1)
            #expect(edited != json && (try? Self.compare(json, edited).isSame) == false, "\(new)")
        }
        for (old, new) in [
            ("\"verdict\":", "\"new\":[],\"verdict\":"),
            ("\"needs\":", "\"new\":1,\"needs\":"), ("\"source\":", "\"new\":1,\"source\":"),
            ("\"detail\":", "\"new\":1,\"detail\":"),
            ("\"total\":{\"cases\":", "\"total\":{\"new\":"),
        ] where json.contains(old) {
            let edited = json.replacing(old, with: new, maxReplacements: 1)
            #expect(throws: AuditError(.malformed, "")) { try Self.compare(json, edited) }
        }
    }

    @Test("Each member of the JSON report is compared, or said not to be")
    func complete() throws {
        let json = try Self.broken.get().json
        let root = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        // The summary repeats the others, for people.
        let repeated: Set = ["format", "summary"]
        for (name, value) in root where !repeated.contains(name) {
            var changed = root
            switch value {
            case is Bool: changed[name] = false
            case is String: changed[name] = "other"
            case var section as [String: Any]:
                section["more"] = "x"
                changed[name] = section
            case let rows as [Any] where !rows.isEmpty: changed[name] = Array(rows.dropFirst())
            case let rows as [Any]: #expect(rows.isEmpty && name != "suites")
            default: Issue.record("\(name)")
            }
            let other = try JSONSerialization.data(withJSONObject: changed)
            let comparison = try Self.compare(json, String(decoding: other, as: UTF8.self))
            let isOther = !comparison.isSame || !comparison.origin.isEmpty
            let isEmpty = (value as? [Any])?.isEmpty == true || (value as? Bool) == false
            #expect(isOther != isEmpty, "\(name)")
            changed[name] = nil
            let less = try JSONSerialization.data(withJSONObject: changed)
            #expect(throws: AuditError(.malformed, "")) {
                try Self.compare(json, String(decoding: less, as: UTF8.self))
            }
        }
    }

    @Test("The two forms are not compared with each other")
    func forms() throws {
        let report = try Self.good.get()
        #expect(throws: AuditError(.malformed, "")) {
            try Self.compare(report.json, report.results)
        }
        for other in [report.text, report.html, report.junit, ""] {
            #expect(throws: AuditError(.malformed, "")) { try Self.compare(other, other) }
        }
    }

    private static let results = "[\"signet-audit-results/1\"]\n"

    @Test(
        "What no audit writes is refused",
        arguments: [
            "{", "{}", "[", "[]", "\u{feff}{}", " {}", #"{"format":"signet-audit/2"}"#,
            #"{"format":"signet-audit/1"}"#, #"{"format":"signet-audit/1","format":"x"}"#,
            #"{"format":["signet-audit/1"]}"#,
            #"{"format":"signet-audit/1","signet":{},"machine":{},"libcrypto":{},"run":[]}"#,
            #"["signet-audit-results/2"]"#, results + "{}", results + "[]", results + "[1]",
            results + #"["case","1","passed",null]"#, results + #"["suite","a"]"#,
            results + #"["required"]"#, results, results + #"["not run","a","b",1]"#,
            results + #"["new","a"]"#, results + #"["required","a",[[1]]]"#,
            results + #"["required","a",true"#, results + "[\"required\",\"\u{1}\",true]",
            results + String(repeating: "[", count: 100_000),
            #"{"format":"signet-audit/1","signet":"# + String(repeating: "[", count: 100_000),
            String(repeating: "{", count: 100_000),
        ])
    func hostile(_ text: String) throws {
        let report = try Self.good.get()
        let own = text.hasPrefix("[") ? report.results : report.json
        #expect(throws: AuditError(.malformed, "")) { try Self.compare(own, text) }
        #expect(throws: AuditError(.malformed, "")) { try Self.compare(text, own) }
    }

    @Test("A cut or changed report is compared or refused, and never more")
    func damaged() throws {
        let report = try Self.good.get()
        for text in [report.json, report.results] {
            let bytes = Array(text.utf8)
            let own = ReceivedReport(bytes, name: "a")
            for step in 0..<200 {
                let place = step * bytes.count / 200
                var other = bytes
                other[place] ^= UInt8(1 << (step % 8))
                for damaged in [other, Array(bytes[..<place]), [0xff] + bytes] {
                    do {
                        let comparison = try AuditComparison(
                            own, with: ReceivedReport(damaged, name: "b"))
                        // What only explains a value is not compared.
                        _ = comparison.differences.map { Self.text($0.second) }
                    } catch {
                        #expect(error.code == .malformed, "\(error)")
                    }
                }
            }
        }
    }
}
