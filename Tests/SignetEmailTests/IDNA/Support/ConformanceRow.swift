// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import ICUBridge

/// A row of IdnaTestV2.txt: what ToASCII (non-transitional) makes of a name.
struct ConformanceRow {
    let line: Int
    let source: String
    let unicodeForm: String
    /// Nil when the name must be refused.
    let ascii: String?

    /// A lone surrogate, of which no string can be made.
    let isExpressible: Bool

    /// Reads a line; nil for one without a row.
    ///
    /// Columns: source, toUnicode, its status, toAsciiN, its status, two more. A blank one is the
    /// one before it (a status: the status before it), `""` is the empty string, a status without a
    /// code `[]`.
    init?(_ text: Substring, line: Int) {
        guard let row = text.split(separator: "#", omittingEmptySubsequences: false).first else {
            return nil
        }
        let columns = row.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        guard columns.count == 7 else { return nil }
        let unicode = columns[1].isEmpty ? columns[0] : columns[1]
        let ascii = columns[3].isEmpty ? unicode : columns[3]
        let status = columns[4].isEmpty ? columns[2] : columns[4]
        let source = Self.unescaped(columns[0])
        self.line = line
        self.isExpressible = source != nil
        self.source = source ?? ""
        self.unicodeForm = Self.unescaped(unicode) ?? ""
        self.ascii = status.isEmpty || status == "[]" ? Self.unescaped(ascii) : nil
    }

    /// The first code point that the loaded ICU does not know, in the name or in what it stands
    /// for.
    var unassigned: Unicode.Scalar? {
        (source + unicodeForm).unicodeScalars.first { !ICUInformation.isAssigned($0) }
    }

    /// Whether its name has a character that UTS #46 treats otherwise since a version later than
    /// the loaded ICU's.
    var hasLaterMapping: Bool {
        (source + unicodeForm).unicodeScalars.contains {
            LaterMappings.version(of: $0) > ICUInformation.unicode
        }
    }

    private static func trimmed(_ column: Substring) -> Substring {
        var rest = column.unicodeScalars
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return Substring(rest)
    }

    private static func unescaped(_ column: Substring) -> String? {
        guard column != "\"\"" else { return "" }
        var result = String.UnicodeScalarView()
        var rest = column.unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            let digits: Substring.UnicodeScalarView
            if rest.first == "x", let end = rest.firstIndex(of: "}") {
                digits = rest[..<end].dropFirst(2)
                rest = rest[end...].dropFirst()
            } else {
                digits = rest.dropFirst().prefix(4)
                rest = rest.dropFirst(5)
            }
            guard let value = UInt32(String(digits), radix: 16),
                let unescaped = Unicode.Scalar(value)
            else { return nil }
            result.append(unescaped)
        }
        return String(result)
    }
}
