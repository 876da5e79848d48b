// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

extension AuditReport {
    /// The report as one page of HTML that needs nothing else: no script, no font, no image.
    /// - Parameter date: when the audit ran, as the caller wants it written; nil leaves it out.
    public func html(date: String? = nil) -> String {
        let when = date.map { " · \(Markup.escaped($0))" } ?? ""
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '\(Self.stylePin)'">
            <title>signet audit</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <h1>signet audit</h1>
            <p>\(Markup.escaped(library.version)), \(Markup.escaped(libraryDetail))\(when)</p>
            <p class="\(isClean ? "clean" : "deviation")">\(Markup.escaped(verdict))</p>
            \(deviationSection)\(Self.table(Self.columns, rows.map(Self.cells) + [Self.cells(total)], numbersFrom: 2))
            \(gapSection)</body>
            </html>

            """
    }

    private var deviationSection: String {
        guard !deviations.isEmpty else { return "" }
        let items = deviations.map { "<li>\(Markup.escaped($0))</li>" }.joined(separator: "\n")
        return "<h2>Deviations</h2>\n<ul>\n\(items)\n</ul>\n"
    }

    private var gapSection: String {
        guard !gaps.isEmpty else { return "" }
        let cells = gaps.map {
            [$0.source, $0.subject, $0.count.map(String.init) ?? "", $0.reason.rawValue, $0.detail]
        }
        return "<h2>Not run</h2>\n"
            + Self.table(["source", "subject", "cases", "reason", "detail"], cells, numbersFrom: 5) + "\n"
    }

    private static func table(_ head: [String], _ body: [[String]], numbersFrom: Int) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            let content = cells.enumerated().map { index, cell in
                "<\(tag)\(index >= numbersFrom ? " class=\"n\"" : "")>\(Markup.escaped(cell))</\(tag)>"
            }
            return "<tr>\(content.joined())</tr>"
        }
        let rows = body.map { row($0, "td") }.joined(separator: "\n")
        return "<table>\n<thead>\(row(head, "th"))</thead>\n<tbody>\n\(rows)\n</tbody>\n</table>"
    }

    /// What the page allows itself: this style sheet by its hash, and nothing that a vector's text could bring along.
    private static let stylePin: String = {
        let digest = try? MessageDigest.digest(style.utf8, using: .sha256)
        return digest.map { "sha256-" + Base64Standard.encode($0) } ?? "none"
    }()

    private static let style = """
        :root { color-scheme: light dark }
        body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
        table { border-collapse: collapse; width: 100% }
        th, td { text-align: left; padding: .2rem .6rem; border-bottom: 1px solid #8884; vertical-align: top }
        .n { text-align: right; font-variant-numeric: tabular-nums }
        tbody tr:last-child { font-weight: 600 }
        h2 + table tbody tr:last-child { font-weight: inherit }
        .clean { color: #17803d; font-weight: 600 }
        .deviation { color: #c22; font-weight: 600 }
        """
}
