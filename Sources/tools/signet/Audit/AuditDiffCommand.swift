// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetAudit
internal import SignetJOSE
internal import SignetPlatform

/// `signet audit diff`
struct AuditDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare the results of two reports.",
        discussion: """
            Both are reports of --json, or both of --results; the latter show each case. Exit \
            status 0 if the results are the same, 1 if a result differs or a file is no such \
            report. Results with the same deviations are the same: the last line counts them. \
            Where the reports come from (Signet, the machine, libcrypto, the run) is compared and \
            shown too, and does not decide: the same results on another libcrypto are the same. \
            Files of --results do not say where they come from. A line with - is of the first \
            report alone, one with + of the second. Not compared: the summary, which repeats the \
            rest, and explanations. Not checked: whether they are true; 'signet audit verify' \
            shows who signed one.

            EXAMPLES
              signet audit --json --output before.json
              signet audit diff before.json after.json
              signet audit diff monday.results tuesday.results --json
            """)

    @Argument(file: "The first report.")
    var first: String

    @Argument(file: "The second report.")
    var second: String

    @OptionGroup var form: AuditFormOption
    @OptionGroup(visibility: .private) var others: AuditOptions
    @OptionGroup(visibility: .private) var algorithm: ReportAlgorithmOption

    func run() throws {
        try others.refuse(for: "audit diff")
        try algorithm.refuse("--algorithm means nothing for 'signet audit diff'.")
        try Input.checkStandardInput([first, second])
        let comparison = try AuditComparison(received(first), with: received(second))
        if form.json {
            try Output.shownJSON([
                "same": .bool(comparison.isSame),
                "differences": .array(comparison.differences.map(\.json)),
                "origin": .array(comparison.origin.map(\.json)),
                "cases": same(comparison.caseCount, in: comparison),
                "deviations": same(comparison.deviationCount, in: comparison),
                "undecided": same(comparison.undecidedCount, in: comparison),
            ])
        } else {
            try Output.line(text(comparison))
        }
        guard comparison.isSame else { throw ExitCode(CommandFailure.Status.refused.rawValue) }
    }

    private func received(_ path: String) throws -> ReceivedReport {
        ReceivedReport(
            try Input.bytes(path, maximumByteCount: ReceivedReport.maximumByteCount), name: path)
    }

    /// A number that both reports have; nil if they differ.
    private func same(_ count: Int, in comparison: AuditComparison) -> JSONValue? {
        comparison.isSame ? .integer(Int64(count)) : nil
    }

    private func text(_ comparison: AuditComparison) -> String {
        let all = comparison.origin + comparison.differences
        var lines = all.isEmpty ? [] : ["--- \(first.onOneLine)", "+++ \(second.onOneLine)"]
        var part: AuditPart?
        for difference in all {
            if difference.part != part { lines.append("\(difference.part.title):") }
            part = difference.part
            lines += difference.lines
        }
        if !lines.isEmpty { lines.append("") }
        lines.append(Self.conclusion(comparison))
        return lines.joined(separator: "\n")
    }

    private static func conclusion(_ comparison: AuditComparison) -> String {
        let origins =
            comparison.origin.isEmpty
            ? "" : " Their origins differ in \(counted(comparison.origin.count, of: "point"))."
        guard comparison.isSame else {
            let differences = counted(comparison.differences.count, of: "difference")
            return "Different results: \(differences)." + origins
        }
        let open = [
            comparison.deviationCount == 0
                ? nil : counted(comparison.deviationCount, of: "deviation"),
            comparison.undecidedCount == 0 ? nil : "\(comparison.undecidedCount) undecided",
        ].compactMap(\.self)
        let both = open.isEmpty ? "" : ", with \(open.joined(separator: " and ")) in both"
        return "Same results: \(counted(comparison.caseCount, of: "case"))\(both)." + origins
    }

    private static func counted(_ count: Int, of word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}

extension AuditComparison.Difference {
    /// How much of a value a line shows, in bytes: a report may come from anyone.
    private static let maximumByteCount = 400
    /// How much of what the values share is shown before the first byte that differs, if they share
    /// more than a line shows.
    private static let sharedByteCount = 40

    /// The lines for people: what the first report says, and what the second says.
    fileprivate var lines: [String] {
        let start = start
        return first.map { "- \(line($0, from: start))" }
            + second.map { "+ \(line($0, from: start))" }
    }

    private func line(_ value: [UInt8], from start: Int) -> String {
        let rest = value.dropFirst(start)
        let shown =
            (start > 0 ? "…" : "") + Self.text(rest.prefix(Self.maximumByteCount))
            + (rest.count > Self.maximumByteCount ? "…" : "")
        return Self.text(name[...]) + (value.isEmpty ? "" : ": \(shown)")
    }

    /// Where in the values the lines begin: lines that are cut show the first difference.
    private var start: Int {
        let values = first + second
        guard let one = values.first, values.count > 1 else { return 0 }
        var shared = one.count
        for value in values.dropFirst() {
            shared = min(shared, value.count)
            shared =
                zip(one, value).prefix(shared).enumerated()
                .first { $0.element.0 != $0.element.1 }?.offset ?? shared
        }
        guard shared >= Self.maximumByteCount - Self.sharedByteCount else { return 0 }
        var start = shared - Self.sharedByteCount
        // Not within a character.
        while start > 0, let byte = one.dropFirst(start).first, byte & 0xc0 == 0x80 { start -= 1 }
        return start
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).onOneLine
    }

    fileprivate var json: JSONValue {
        func list(_ values: [[UInt8]]) -> JSONValue {
            .array(values.map { .string(String(decoding: $0, as: UTF8.self)) })
        }
        return .object([
            "part": .string(part.rawValue), "name": .string(String(decoding: name, as: UTF8.self)),
            "first": list(first), "second": list(second),
        ])
    }
}
