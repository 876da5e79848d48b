// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A part of the report, as data. Text, JSON and HTML show the same tables.
struct ReportTable {
    struct Column {
        /// The name in JSON.
        let key: String
        /// The name for people.
        let title: String
        let isNumber: Bool

        init(_ key: String, title: String? = nil, isNumber: Bool = false) {
            self.key = key
            self.title = title ?? key
            self.isNumber = isNumber
        }
    }

    /// The name in JSON.
    let key: String
    let title: String
    let columns: [Column]
    let rows: [[ReportJSON]]
    /// A last row with the sums of the rows above it.
    var total: [ReportJSON]?
}

extension AuditReport {
    /// All tables, the most urgent first. Only JSON shows empty tables.
    var tables: [ReportTable] {
        [
            ReportTable(
                key: "deviations", title: "Deviations", columns: [.init("deviation")],
                rows: deviations.map { [.string($0)] }),
            ReportTable(
                key: "undecided",
                title: "Undecided: the publisher allows both, and no decision is recorded",
                columns: [.init("case")], rows: undecided.map { [.string($0)] }),
            lackTable, countTable, overrideTable, suiteTable, gapTable,
        ]
    }

    private var lackTable: ReportTable {
        ReportTable(
            key: "notOffered", title: "Not offered by this provider",
            columns: [.init("case"), .init("needs")],
            rows: suites.flatMap { suite in
                suite.cases.compactMap {
                    guard case .notOffered(let need) = $0.state else { return nil }
                    return [.string("\(suite.name)#\($0.id)"), .string(need)]
                }
            })
    }

    private var countTable: ReportTable {
        ReportTable(
            key: "rows", title: "Cases by source and algorithm",
            columns: [
                .init("source"), .init("algorithm"), .init("cases", isNumber: true),
                .init("passed", isNumber: true), .init("failed", isNumber: true),
                .init("undecided", isNumber: true),
                .init("overridden", title: "override", isNumber: true),
                .init("notOffered", title: "not offered", isNumber: true),
                .init("notRun", title: "not run", isNumber: true),
            ], rows: rows.map(Self.cells), total: Self.cells(total))
    }

    private static func cells(_ row: Row) -> [ReportJSON] {
        [
            .string(row.source == AuditOrigin.own ? "\(row.source) (its own)" : row.source),
            .string(row.algorithm),
        ]
            + [
                row.cases, row.passed, row.failed, row.undecided, row.overridden, row.notOffered,
                row.notRun,
            ].map { ReportJSON.integer($0) }
    }

    private var overrideTable: ReportTable {
        ReportTable(
            key: "overrides",
            title:
                "Overrides: what is expected is a decision of Signet's, not the publisher's label",
            columns: [.init("suite"), .init("reason"), .init("cases")],
            rows: overrides.map {
                [.string($0.suite), .string($0.reason), .array($0.cases.map(ReportJSON.string))]
            })
    }

    private var suiteTable: ReportTable {
        ReportTable(
            key: "suites", title: "Vectors: each file that was run",
            columns: [
                .init("name", title: "suite"), .init("source"), .init("version"),
                .init("own", title: "Signet's own"),
                .init("cases", isNumber: true), .init("sha256", title: "SHA-256"),
            ],
            rows: suites.map {
                [
                    .string($0.name), .string($0.source), .string($0.origin.version),
                    .bool($0.origin.isOwn), .integer($0.declaredCount), .string($0.origin.sha256),
                ]
            })
    }

    private var gapTable: ReportTable {
        ReportTable(
            key: "notRun", title: "Not run",
            columns: [
                .init("source"), .init("subject"), .init("cases", isNumber: true), .init("reason"),
                .init("detail"),
            ],
            rows: gaps.map { gap in
                [
                    .string(gap.source), .string(gap.subject),
                    gap.count.map(ReportJSON.integer) ?? .null,
                    .string(gap.reason.rawValue), .string(gap.detail),
                ]
            })
    }
}

extension ReportJSON {
    /// The value for people.
    var text: String {
        switch self {
        case .string(let text): text
        case .bool(let value): value ? "yes" : "no"
        case .null: "unknown"
        case .array(let values): values.map(\.text).joined(separator: ", ")
        case .integer, .object: description
        }
    }
}
