// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// The report as JSON. The passing cases are counted, not listed; object members have a fixed order.
    /// - Parameter date: when the audit ran, as the caller wants it written; nil leaves it out.
    public func json(date: String? = nil) -> String {
        var members: [(String, ReportJSON)] = [("format", .string("signet-audit/1"))]
        if let date { members.append(("date", .string(date))) }
        members += [
            (
                "library",
                .object([
                    ("version", .string(library.version)), ("provider", .string(library.provider)),
                    ("fips", .bool(library.isFIPS)),
                ])
            ),
            ("clean", .bool(isClean)),
            ("milliseconds", .integer(Int(exactly: (seconds * 1000).rounded()) ?? 0)),
            ("total", Self.json(total, named: false)),
            ("rows", .array(rows.map { Self.json($0, named: true) })),
            ("suites", .array(suites.map(Self.json))),
            ("deviations", .array(deviations.map(ReportJSON.string))),
            ("notRun", .array(gaps.map(Self.json))),
        ]
        return ReportJSON.object(members).description + "\n"
    }

    private static func json(_ row: Row, named: Bool) -> ReportJSON {
        let name: [(String, ReportJSON)] =
            named ? [("source", .string(row.source)), ("algorithm", .string(row.algorithm))] : []
        return .object(
            name + [
                ("cases", .integer(row.cases)), ("passed", .integer(row.passed)),
                ("failed", .integer(row.failed)),
                ("overridden", .integer(row.overridden)), ("notRun", .integer(row.notRun)),
            ])
    }

    private static func json(_ suite: SuiteResult) -> ReportJSON {
        var members: [(String, ReportJSON)] = [
            ("name", .string(suite.name)), ("source", .string(suite.source)),
            ("declared", .integer(suite.declaredCount)), ("cases", .integer(suite.cases.count)),
        ]
        if let problem = suite.problem { members.append(("problem", .string(problem))) }
        return .object(members)
    }

    private static func json(_ gap: AuditGap) -> ReportJSON {
        var members: [(String, ReportJSON)] = [
            ("source", .string(gap.source)), ("subject", .string(gap.subject)),
        ]
        if let count = gap.count { members.append(("cases", .integer(count))) }
        members += [("reason", .string(gap.reason.rawValue)), ("detail", .string(gap.detail))]
        return .object(members)
    }
}
