// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension AuditRecord {
    /// A table of the report: which columns name a row, and which are compared. What only explains
    /// a value is not compared, as in ``AuditReport/results``.
    private struct Table {
        let part: AuditPart
        let names: [String]
        let values: [String]
    }

    private static let tables = [
        Table(part: .notOffered, names: ["case"], values: ["needs"]),
        Table(
            part: .rows, names: ["source", "algorithm"],
            values: [
                "cases", "passed", "failed", "undecided", "overridden", "notOffered", "notRun",
            ]),
        Table(part: .overrides, names: ["suite", "reason"], values: ["cases"]),
        Table(
            part: .suites, names: ["name"],
            values: ["source", "version", "own", "cases", "sha256"]),
        Table(part: .notRun, names: ["source", "subject"], values: ["cases", "reason"]),
    ]

    /// Reads the report of `--json`.
    mutating func add(report: ReceivedReport) throws(AuditError) {
        let root = try report.document(report.bytes, maximumDepth: 8)
        guard root.member("format")?.text?.isEqual(to: "signet-audit/1") ?? false else {
            throw report.malformed("is not of the format \"signet-audit/1\"")
        }
        for part in AuditPart.allCases where part.isOrigin {
            for member in try report.member(part.rawValue, of: root, isRight: \.isObject).members {
                add(part, name: member.name.utf8, value: member.value.comparedText)
            }
        }
        for name in ["clean", "resultsSHA256"] {
            let value = try report.member(name, of: root) { !$0.isArray && !$0.isObject }
            add(.verdict, name: name.utf8, value: value.comparedText)
        }
        for part in [AuditPart.deviations, .undecided] {
            for line in try report.member(part.rawValue, of: root, isRight: \.isArray).elements {
                add(part, line: line.comparedText)
            }
        }
        for table in Self.tables { try add(table, of: root, in: report) }
    }

    /// Adds a line such as `suite#id: expected …; …`, of which the first part is the name.
    private mutating func add(_ part: AuditPart, line: [UInt8]) {
        let end = line.firstRange(of: ": ".utf8)
        let name = line[..<(end?.lowerBound ?? line.endIndex)]
        add(part, name: name, value: line[(end?.upperBound ?? line.endIndex)...])
    }

    private mutating func add(
        _ table: Table, of root: JSONNode, in report: ReceivedReport
    ) throws(AuditError) {
        let rows = try report.member(table.part.rawValue, of: root, isRight: \.isArray)
        for row in rows.elements {
            var name: [[UInt8]] = []
            for column in table.names {
                name.append(try report.member(column, of: row).comparedText)
            }
            var values: [[UInt8]] = []
            for column in table.values {
                let value = try report.member(column, of: row).comparedText
                values.append(table.values.count == 1 ? value : Array("\(column) ".utf8) + value)
            }
            add(
                table.part, name: name.joined(separator: " / ".utf8),
                value: values.joined(separator: ", ".utf8))
        }
    }
}

extension ReceivedReport {
    /// A member that every report has.
    fileprivate func member(
        _ name: String, of node: JSONNode, isRight: (JSONNode) -> Bool = { _ in true }
    ) throws(AuditError) -> JSONNode {
        guard let member = node.member(name), isRight(member) else {
            throw malformed("has no \(shown: name) where 'signet audit' writes one")
        }
        return member
    }
}
