// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// Columns of text for people. The text may come from anyone, so a terminal obeys nothing in it,
/// and a row stays on one line.
struct Table {
    private struct Row {
        let cells: [String]
        var lastMeaning: TerminalStyle.Meaning?
    }

    private var rows: [Row]

    init(_ titles: [String]? = nil) { rows = titles.map { [Row(cells: $0)] } ?? [] }

    var isEmpty: Bool { rows.isEmpty }

    /// - Parameter meaning: the colour of the last cell, which then is Signet's words alone.
    mutating func add(_ cells: [String], lastAs meaning: TerminalStyle.Meaning? = nil) {
        rows.append(Row(cells: cells.map(\.onOneLine), lastMeaning: meaning))
    }

    /// The table without colours.
    var text: String { text(nil) }

    /// The table, without spaces at the ends of lines.
    func text(_ style: TerminalStyle?) -> String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.cells.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row.cells.dropLast(), widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            let last = row.cells.last ?? ""
            if !last.isEmpty, let style, let meaning = row.lastMeaning {
                return line + style.marked(last, as: meaning)
            }
            line += last
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}

extension String {
    /// The text with a replacement character for each character that a terminal would obey.
    var onOneLine: String { shown() }

    /// The same text, with `kept` as it is. Paths are written as `PathText` shows them.
    func shown(keeping kept: Unicode.Scalar? = nil) -> String {
        String(
            UnicodeScalarView(
                PathText.shown(self).unicodeScalars.map {
                    $0.isObeyed && $0 != kept ? "\u{fffd}" : $0
                }))
    }
}
