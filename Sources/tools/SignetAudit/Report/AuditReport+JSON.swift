// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// The report as one line of JSON. The passing cases are counted, not listed; members have a
    /// fixed order.
    public var json: String {
        let total = total
        let counts: [(String, ReportJSON)] = [
            ("cases", .integer(total.cases)), ("passed", .integer(total.passed)),
            ("failed", .integer(total.failed)), ("undecided", .integer(total.undecided)),
            ("overridden", .integer(total.overridden)), ("own", .integer(ownCount)),
            ("notOffered", .integer(total.notOffered)), ("notRun", .integer(total.notRun)),
        ]
        let head: [(String, ReportJSON)] = [
            ("format", .string("signet-audit/1")), ("clean", .bool(isClean)),
            ("verdict", .string(verdict)),
            ("summary", .object(summary.map { ($0.key, .string($0.text)) })),
            ("resultsSHA256", .string(resultsDigest)),
        ]
        let sections = evidence.sections.map { section in
            (section.key, ReportJSON.object(section.facts.map { ($0.key, .string($0.value)) }))
        }
        let members =
            head + sections + [("total", .object(counts))] + tables.map { ($0.key, $0.json) }
        return ReportJSON.object(members).description + "\n"
    }
}

extension ReportTable {
    /// A list of objects, or of plain values if there is only one column.
    fileprivate var json: ReportJSON {
        .array(
            rows.map { row in
                if columns.count == 1, let only = row.first { return only }
                return .object(zip(columns, row).map { ($0.key, $1) })
            })
    }
}
