// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// The report as one page of HTML that needs nothing else: no script, no font, no image.
    public var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '\(PageStyle.pin)'">
        <title>signet audit</title>
        <style>\(PageStyle.sheet)</style>
        </head>
        <body>
        <h1>signet audit</h1>
        <p class="\(isClean ? "verdict clean" : "verdict")">\(Markup.escaped(verdict))</p>
        <dl>\(summary.map(Self.line).joined(separator: "\n"))</dl>
        <p>SHA-256 of the results: <span class="code">\(Markup.escaped(resultsDigest))</span></p>
        \(evidence.sections.map(Self.facts).joined(separator: "\n"))
        \(tables.filter { !$0.rows.isEmpty }.map(\.html).joined(separator: "\n"))
        </body>
        </html>

        """
    }

    private static func line(_ line: SummaryLine) -> String {
        "<dt>\(Markup.escaped(line.label))</dt>"
            + "<dd\(line.isOpen ? " class=\"open\"" : "")>\(Markup.escaped(line.text))</dd>"
    }

    private static func facts(_ section: AuditEvidence.Section) -> String {
        let facts = section.facts.map {
            "<dt>\(Markup.escaped($0.label))</dt><dd>\(Markup.escaped($0.value))</dd>"
        }
        return
            "<h2>\(Markup.escaped(section.title))</h2>\n<dl>\(facts.joined(separator: "\n"))</dl>"
    }
}

extension ReportTable {
    fileprivate var html: String {
        let head = columns.map {
            "<th\($0.isNumber ? " class=\"n\"" : "")>\(Markup.escaped($0.title))</th>"
        }
        .joined()
        var lines = rows.map { row($0, isTotal: false) }
        if let total { lines.append(row(total, isTotal: true)) }
        return """
            <h2>\(Markup.escaped(title))</h2>
            <table>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(lines.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }

    private func row(_ values: [ReportJSON], isTotal: Bool) -> String {
        let cells = zip(columns, values).map { column, value in
            let label = Markup.escaped(column.title)
            return
                "<td\(classes(column)) data-label=\"\(label)\">\(Markup.escaped(value.text))</td>"
        }
        return "<tr\(isTotal ? " class=\"total\"" : "")>\(cells.joined())</tr>"
    }

    private func classes(_ column: Column) -> String {
        if column.isNumber { return " class=\"n\"" }
        return column.key == "sha256" ? " class=\"code\"" : ""
    }
}
