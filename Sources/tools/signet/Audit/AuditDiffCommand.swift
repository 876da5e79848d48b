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
            report. Where the reports come from (Signet, the machine, libcrypto, the run) is \
            compared and shown too, and does not decide: the same results on another libcrypto \
            are the same. A line with - is of the first report alone, one with + of the second. \
            Not checked: whether they are true; 'signet audit verify' shows who signed one.

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
        let origins =
            comparison.origin.isEmpty
            ? "" : " Their origins differ in \(comparison.origin.count) points."
        lines.append(
            (comparison.isSame
                ? "Same results."
                : "Different results: \(comparison.differences.count) differences.") + origins)
        return lines.joined(separator: "\n")
    }
}

extension AuditComparison.Difference {
    /// How much of a text a line shows, in bytes: a report may come from anyone.
    private static let maximumByteCount = 400

    /// The lines for people: what the first report says, and what the second says.
    fileprivate var lines: [String] {
        first.map { "- \(line($0))" } + second.map { "+ \(line($0))" }
    }

    private func line(_ value: [UInt8]) -> String {
        Self.shown(name) + (value.isEmpty ? "" : ": \(Self.shown(value))")
    }

    private static func shown(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(maximumByteCount), as: UTF8.self).onOneLine
        return bytes.count > maximumByteCount ? text + "…" : text
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
