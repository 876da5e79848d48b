// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import Testing

@Suite("signet audit diff")
struct AuditDiffTests {
    private static let head = "[\"signet-audit-results/1\"]\n"
    private static let suite = #"["suite","mac","RFC 1","00",2,true]"# + "\n"

    private static func diff(
        _ first: String, _ second: String, _ options: String...
    ) throws -> Outcome {
        let folder = try CommandFolder()
        try folder.write("a.results", head + suite + first)
        try folder.write("b.results", head + suite + second)
        return CommandFolder.inProcess(
            ["audit", "diff", folder.path("a.results"), folder.path("b.results")] + options)
    }

    @Test("The same results are status 0, and others 1, as text and as JSON")
    func statuses() throws {
        let (passed, failed) = (
            "[\"case\",\"1\",\"passed\",null]\n", "[\"case\",\"1\",\"failed\",null]\n"
        )
        let same = try Self.diff(passed, passed)
        #expect(same.isGood && same.line == "Same results: 1 case.", "\(same)")
        let other = try Self.diff(passed, failed + "[\"required\",\"scrypt\",true]\n")
        #expect(other.status == 1 && other.errors.isEmpty, "\(other)")
        let lines = other.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("--- ") && lines[0].hasSuffix("a.results"))
        #expect(lines[1].hasPrefix("+++ ") && lines[1].hasSuffix("b.results"))
        #expect(
            lines.dropFirst(2) == [
                "Cases:", "- mac#1: passed, null", "+ mac#1: failed, null", "Required:",
                "+ scrypt: true", "", "Different results: 2 differences.", "",
            ])
        let json = try Self.diff(passed, failed, "--json")
        #expect(try json.status == 1 && json.json["same"] == .bool(false))
        guard case .array(let differences)? = try json.json["differences"] else {
            Issue.record("\(json)")
            return
        }
        #expect(differences.map { $0["name"]?.text } == ["mac#1"])
        #expect(differences.first?["first"] == .array(["passed, null"]))
        let none = try Self.diff(passed, passed, "--json").json
        #expect(none["same"] == .bool(true) && none["deviations"] == .integer(0))
        #expect(none["cases"] == .integer(1) && none["undecided"] == .integer(0))
        #expect(try json.json["cases"] == nil)
    }

    @Test("What both reports lack is counted where they are the same")
    func open() throws {
        let lines = ["passed", "failed", "undecided", "failed", "not run"].enumerated().map {
            "[\"case\",\"\($0.offset)\",\"\($0.element)\",null]\n"
        }
        for (count, said) in [
            (1, "Same results: 1 case."),
            (2, "Same results: 2 cases, with 1 deviation in both."),
            (5, "Same results: 5 cases, with 2 deviations and 1 undecided in both."),
        ] {
            let text = lines.prefix(count).joined()
            let outcome = try Self.diff(text, text)
            #expect(outcome.isGood && outcome.line == said, "\(outcome)")
        }
        let missing = "[\"required\",\"scrypt\",false]\n"
        let outcome = try Self.diff(missing, missing)
        #expect(outcome.line == "Same results: 0 cases, with 1 deviation in both.", "\(outcome)")
        let one = try Self.diff(lines[0], lines[0] + missing)
        #expect(one.text.hasSuffix("\n\nDifferent results: 1 difference.\n"), "\(one)")
    }

    @Test("A long value is shown from its first difference, and a long name is refused")
    func long() throws {
        let same = String(repeating: "\u{e9}", count: 10_000)
        func line(_ end: String) -> String { "[\"case\",\"1\",\"\(same)\(end)\",null]\n" }
        let outcome = try Self.diff(line("x"), line("y"))
        #expect(outcome.status == 1 && outcome.output.count < 2_000, "\(outcome)")
        let lines = outcome.text.split(separator: "\n").filter { $0.contains(" mac#1: …") }
        #expect(lines.map { $0.suffix(7) } == ["x, null", "y, null"], "\(outcome)")
        #expect(!outcome.text.unicodeScalars.contains("\u{fffd}"))
        let (most, name) = (
            String(repeating: "x", count: 1_024), String(repeating: "x", count: 262_144)
        )
        #expect(try Self.diff("[\"required\",\"\(most)\",true]\n", "").status == 1)
        let cases = String(repeating: "[\"case\",\"i\",\"p\",null]\n", count: 3_000)
        for text in [
            "[\"suite\",\"\(name)\",\"a\",\"b\",1,true]\n" + cases,
            "[\"required\",\"\(most)x\",true]\n", "[\"case\",\"\(most)x\",\"p\",null]\n",
            "[\"not run\",\"a\",\"\(most)x\",1,\"r\"]\n",
        ] {
            #expect(try Self.diff(text, "").failed(1, "malformed"))
        }
    }

    @Test("Reports of two runs are the same, and their origin is shown beside that")
    func reports() throws {
        let folder = try CommandFolder()
        try Figures.copy("mac", breaking: nil, to: folder.url)
        try Figures.sign(folder.url)
        let environment = ["SIGNET_TEST_VECTORS": folder.url.path]
        for name in ["a.json", "b.json"] {
            let call = ["audit", "--json", "--output", name]
            #expect(try folder.signet(call, environment: environment).isGood)
        }
        let same = try folder.signet("audit diff a.json b.json")
        #expect(same.isGood && same.text.contains("\n+ commandLine: "), "\(same)")
        #expect(same.text.contains("\n\nSame results: "), "\(same)")
        #expect(same.text.contains(" cases. Their origins differ in "), "\(same)")
        try Figures.copy("mac", breaking: "tag", to: folder.url)
        try Figures.sign(folder.url)
        let call = ["audit", "--json", "--output", "c.json"]
        #expect(try folder.signet(call, environment: environment).status == 1)
        let other = try folder.signet("audit diff a.json c.json")
        #expect(other.status == 1 && other.errors.isEmpty, "\(other)")
        for line in ["\nDeviations:\n+ ", "\n- clean: true\n+ clean: false\n"] {
            #expect(other.text.contains(line), "\(other)")
        }
    }

    @Test("A report that lies is shown on its own lines, and nothing in it is obeyed")
    func hostile() throws {
        let evil = #"x\u001b[2J\u009b2J\nSame results.\u2028\r"#
        for options in [[], ["--json"]] {
            let folder = try CommandFolder()
            try folder.write("a", Self.head + Self.suite)
            try folder.write(
                "b", Self.head + Self.suite + "[\"required\",\"\(evil)\",\"\(evil)\"]\n")
            let outcome = CommandFolder.inProcess(
                ["audit", "diff", folder.path("a"), folder.path("b")] + options)
            #expect(outcome.status == 1 && !outcome.text.contains("\nSame results"), "\(outcome)")
            #expect(
                !outcome.text.unicodeScalars.contains {
                    $0 != "\n"
                        && ($0.value < 0x20 || (0x7f...0x9f).contains($0.value)
                            || $0.value == 0x2028)
                }, "\(outcome)")
        }
        let long = String(repeating: "e\u{301}", count: 100_000)
        let outcome = try Self.diff("", "[\"required\",\"x\",\"\(long)\"]\n")
        #expect(outcome.status == 1 && outcome.output.count < 2_000)
    }

    @Test("What is no report, or is too large or absent, is refused with its name")
    func refused() throws {
        let folder = try CommandFolder()
        try folder.write("good", Self.head + Self.suite)
        try folder.write("bad", "<html>")
        try folder.write("empty", Self.head)
        try folder.write("large", [UInt8](repeating: 0x20, count: (1 << 23) + 1))
        for (name, status, code) in [
            ("bad", 1, "malformed"), ("empty", 1, "malformed"), ("large", 1, "tooLarge"),
            ("absent", 3, "system"),
        ] as [(String, Int32, String)] {
            for names in [[name, "good"], ["good", name]] {
                let outcome = CommandFolder.inProcess(["audit", "diff"] + names.map(folder.path))
                #expect(outcome.failed(status, code), "\(outcome)")
                #expect(outcome.errors.contains("/\(name)'"), "\(outcome)")
            }
        }
        #expect(CommandFolder.inProcess("audit diff - -").failed(2, "usage"))
        #expect(CommandFolder.inProcess("audit diff a").failed(2, "usage"))
        let input = CommandFolder.inProcess(
            ["audit", "diff", "-", folder.path("good")], input: Array((Self.head + Self.suite).utf8)
        )
        #expect(input.isGood, "\(input)")
    }
}
