// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// A table for a terminal, the deviations, and what was not run.
    /// - Parameter isVerbose: whether each file that was not run has a line, or each source.
    public func text(isVerbose: Bool = false) -> String {
        var lines = ["signet audit: \(library.version), \(libraryDetail)", ""]
        lines += table
        if !deviations.isEmpty { lines += ["", "Deviations:"] + deviations.map { "  \($0)" } }
        let missing = isVerbose ? gaps.map(Self.line) : gapSummary
        if !missing.isEmpty { lines += ["", "Not run:"] + missing.map { "  \($0)" } }
        return (lines + ["", verdict, ""]).map(Self.printable).joined(separator: "\n")
    }

    /// Names and texts of vector files are shown; none of them is to look like a line of this report, or to move the
    /// terminal's cursor.
    private static func printable(_ line: String) -> String {
        var shown = ""
        for scalar in line.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
            let isSeparator = scalar.value == 0x2028 || scalar.value == 0x2029
            shown.unicodeScalars.append(isControl || isSeparator ? "\u{fffd}" : scalar)
        }
        return shown
    }

    /// The conclusion in one line.
    public var verdict: String {
        let total = total
        let run = total.passed + total.failed
        return isClean
            ? "No deviation: \(total.passed) of \(run) vectors did what is expected of them"
                + " (\(total.overridden) by a recorded decision of Signet's instead of the publisher's label)."
            : "DEVIATION: \(deviations.count) of \(run) vectors or files did not do what is expected of them."
    }

    var libraryDetail: String { "provider \(library.provider)\(library.isFIPS ? ", FIPS" : ", not FIPS")" }

    static let columns = ["source", "algorithm", "cases", "passed", "failed", "override", "not run"]

    static func cells(_ row: Row) -> [String] {
        [row.source, row.algorithm]
            + [row.cases, row.passed, row.failed, row.overridden, row.notRun].map(String.init)
    }

    private var table: [String] {
        let body = [Self.columns] + (rows + [total]).map(Self.cells)
        let widths = Self.columns.indices.map { column in body.map { $0[column].count }.max() ?? 0 }
        var lines = body.map { cells in
            let padded = cells.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column < 2 ? cell + space : space + cell
            }
            return padded.joined(separator: "  ")
        }
        let rule = String(repeating: "-", count: lines.first?.count ?? 0)
        lines.insert(rule, at: 1)
        lines.insert(rule, at: lines.count - 1)
        return lines
    }

    private var gapSummary: [String] {
        var order: [[String]] = []
        var sums: [[String]: (groups: Int, cases: Int, isCounted: Bool)] = [:]
        for gap in gaps {
            let key = [gap.source, gap.reason.rawValue, gap.reason == .notRun ? gap.detail : ""]
            if sums[key] == nil { order.append(key) }
            let sum = sums[key] ?? (0, 0, true)
            sums[key] = (sum.groups + 1, sum.cases + (gap.count ?? 0), sum.isCounted && gap.count != nil)
        }
        return order.map { key in
            let sum = sums[key] ?? (0, 0, false)
            let count =
                sum.isCounted
                ? "\(sum.cases) cases in \(sum.groups) group\(sum.groups == 1 ? "" : "s")"
                : "\(sum.groups) families"
            return "\(key[0]): \(count) \(key[1])" + (key[2].isEmpty ? "" : " (\(key[2]))")
        }
    }

    private static func line(_ gap: AuditGap) -> String {
        let count = gap.count.map { " (\($0))" } ?? ""
        return "\(gap.source), \(gap.subject)\(count): \(gap.reason.rawValue): \(gap.detail)"
    }
}
