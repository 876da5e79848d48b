// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The differences between two reports.
package struct AuditComparison: Sendable {
    /// An entry that the reports do not share.
    package struct Difference: Sendable {
        /// The part of the report.
        package let part: AuditPart
        /// What the values are about, for people: for example `suite#id`.
        package let name: [UInt8]
        /// The values in the first report: none, or one unless it says several.
        package let first: [[UInt8]]
        /// The values in the second report.
        package let second: [[UInt8]]
    }

    /// Where the reports come from, as far as that differs.
    package let origin: [Difference]
    /// Results that differ, and what only one of the reports has.
    package let differences: [Difference]

    /// How many cases the first report counts, and so both if the results are the same.
    package let caseCount: Int
    /// How many deviations the first report has.
    package let deviationCount: Int
    /// How many cases without a recorded decision the first report has.
    package let undecidedCount: Int

    /// Whether the results are the same, wherever the reports come from.
    package var isSame: Bool { differences.isEmpty }

    /// Compares two reports of one form, to the byte.
    /// - Throws: ``AuditError`` `malformed` for what is no report, and for two forms.
    package init(_ first: ReceivedReport, with second: ReceivedReport) throws(AuditError) {
        let one = try AuditRecord(first)
        let other = try AuditRecord(second)
        guard one.form == other.form else {
            throw second.malformed(
                "has another form than \(path: first.name): compare two of --json or of --results")
        }
        let all = one.keys + other.keys.filter { one.values[$0] == nil }
        let found = all.compactMap { key -> Difference? in
            let values = one.values[key] ?? []
            let others = other.values[key] ?? []
            guard values != others else { return nil }
            return Difference(
                part: key.part, name: key.name.name(separator: key.part.separator),
                first: values.map(\.value), second: others.map(\.value))
        }
        // Grouped by part, in the order of a report.
        let sorted = AuditPart.allCases.flatMap { part in found.filter { $0.part == part } }
        origin = sorted.filter(\.part.isOrigin)
        differences = sorted.filter { !$0.part.isOrigin }
        caseCount = one.caseCount
        deviationCount = one.deviationCount
        undecidedCount = one.undecidedCount
    }
}
