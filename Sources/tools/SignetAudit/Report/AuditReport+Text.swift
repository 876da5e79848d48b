// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// The report for a terminal. The verdict and the summary are at the top and again at the end,
    /// because there are hundreds of lines.
    public var text: String {
        let closing = [verdict] + summary.map { "  \($0.label): \($0.text)" }
        var lines = ["signet audit", ""] + closing
        for section in evidence.sections {
            lines += ["", "\(section.title):"] + section.facts.map { "  \($0.label): \($0.value)" }
        }
        for table in tables where !table.rows.isEmpty {
            lines += ["", "\(table.title):"] + table.lines.map { "  \($0)" }
        }
        lines += ["", "SHA-256 of the results: \(resultsDigest)", ""] + closing + [""]
        return lines.map(Self.printable).joined(separator: "\n")
    }

    /// Replaces control characters. The report quotes names and texts of vector files, which must
    /// not look like lines of the report, or move the terminal's cursor.
    private static func printable(_ line: String) -> String {
        var shown = ""
        for scalar in line.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
            let isSeparator = scalar.value == 0x2028 || scalar.value == 0x2029
            shown.unicodeScalars.append(isControl || isSeparator ? "\u{fffd}" : scalar)
        }
        return shown
    }
}

extension ReportTable {
    fileprivate var lines: [String] {
        guard columns.count > 1 else { return rows.compactMap(\.first?.text) }
        let body =
            [columns.map(\.title)] + (rows + (total.map { [$0] } ?? [])).map { $0.map(\.text) }
        let widths = columns.indices.map { column in body.map { $0[column].count }.max() ?? 0 }
        var lines = body.map { cells in
            let padded = cells.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                return columns[column].isNumber ? space + cells[column] : cells[column] + space
            }
            // No spaces after the last column.
            var line = padded.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
        let rule = String(repeating: "-", count: min(lines.map(\.count).max() ?? 0, 100))
        lines.insert(rule, at: 1)
        if total != nil { lines.insert(rule, at: lines.count - 1) }
        return lines
    }
}
