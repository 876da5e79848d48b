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
        /// What is not compared.
        var explanations: [String] = []

        var columns: [String] { names + values + explanations }
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
        Table(
            part: .notRun, names: ["source", "subject"], values: ["cases", "reason"],
            explanations: ["detail"]),
    ]

    /// The members with one value each.
    private static let single = ["clean", "verdict", "resultsSHA256"]
    private static let lists = [AuditPart.deviations, .undecided]
    private static let origins = AuditPart.allCases.filter(\.isOrigin)

    /// All members. The summary repeats others, and is not compared.
    private static let members =
        ["format", "summary", AuditPart.total.rawValue] + single
        + (lists + origins + tables.map(\.part)).map(\.rawValue)

    /// Reads the report of `--json`.
    mutating func addReport() throws(AuditError) {
        let root = try report.document(report.bytes, maximumDepth: 8)
        guard root.member("format")?.text?.isEqual(to: "signet-audit/1") ?? false else {
            throw report.malformed("is not of the format \"signet-audit/1\"")
        }
        try report.check(root, hasOnly: Self.members)
        for part in Self.origins { try addMembers(of: root, in: part) }
        for name in Self.single {
            let value = try report.member(name, of: root) { !$0.isArray && !$0.isObject }
            try add(.verdict, name: [ReceivedText(name)], value: [AuditText(value)])
        }
        try addMembers(of: root, in: .total)
        let cases = try report.member("cases", of: report.member("total", of: root))
        guard let count = cases.int64Value else {
            throw report.malformed("has no number of cases")
        }
        caseCount = Int(clamping: count)
        for part in Self.lists {
            let lines = try report.member(part.rawValue, of: root, isRight: \.isArray)
            for line in lines.elements { try add(part, line: line) }
        }
        deviationCount = root.member(AuditPart.deviations.rawValue)?.count ?? 0
        undecidedCount = root.member(AuditPart.undecided.rawValue)?.count ?? 0
        for table in Self.tables { try add(table, of: root) }
    }

    private mutating func addMembers(
        of root: JSONNode, in part: AuditPart
    ) throws(AuditError) {
        let object = try report.member(part.rawValue, of: root, isRight: \.isObject)
        for member in object.members {
            try add(part, name: [member.name], value: [AuditText(member.value)])
        }
    }

    /// Adds a line such as `suite#id: expected …; …`, of which the first part is the name.
    private mutating func add(_ part: AuditPart, line: JSONNode) throws(AuditError) {
        guard let text = line.text?.utf8 else {
            throw report.malformed("has no text where 'signet audit' writes one")
        }
        guard let end = text.firstRange(of: ": ".utf8) else {
            return try add(part, name: [ReceivedText(utf8: text)], value: [])
        }
        try add(
            part, name: [ReceivedText(utf8: text[..<end.lowerBound])],
            value: [AuditText(ReceivedText(utf8: text[end.upperBound...]))])
    }

    private mutating func add(_ table: Table, of root: JSONNode) throws(AuditError) {
        let rows = try report.member(table.part.rawValue, of: root, isRight: \.isArray)
        for row in rows.elements {
            try report.check(row, hasOnly: table.columns)
            var name: [ReceivedText] = []
            for column in table.names {
                name.append(try report.text(column, of: row))
            }
            var value: [AuditText] = []
            for column in table.values {
                let node = try report.member(column, of: row) {
                    $0.isArray == (table.part == .overrides)
                }
                value +=
                    node.isArray
                    ? node.elements.map { AuditText($0) }
                    : [AuditText(node, label: table.values.count == 1 ? "" : column)]
            }
            try add(table.part, name: name, value: value)
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

    fileprivate func text(_ name: String, of node: JSONNode) throws(AuditError) -> ReceivedText {
        guard let text = try member(name, of: node).text else {
            throw malformed("has no text as \(shown: name) where 'signet audit' writes one")
        }
        return text
    }

    /// Refuses members that a later version may have: they would not be compared.
    fileprivate func check(_ node: JSONNode, hasOnly names: [String]) throws(AuditError) {
        guard node.members.allSatisfy({ $0.name.isOne(of: names) }) else {
            throw malformed("has members that this version of 'signet audit' does not compare")
        }
    }
}
