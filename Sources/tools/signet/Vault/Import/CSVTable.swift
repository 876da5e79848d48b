// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// The rows of a CSV file (RFC 4180): fields between commas, in quotation marks where they hold
/// one, a comma or a line end. Lines end with CR LF or LF.
struct CSVTable {
    /// A field, by its place in the file: no copy of a secret is made.
    struct Field {
        let range: Range<Int>
        let isQuoted: Bool
    }

    struct Row {
        /// The line in which it begins.
        let line: Int
        let fields: [Field]
    }

    private let bytes: [UInt8]
    private var place = 0
    private var line = 1

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func rows(in bytes: [UInt8]) throws -> [Row] {
        var table = CSVTable(bytes)
        var rows: [Row] = []
        while table.byte != nil { rows.append(try table.row()) }
        return rows
    }

    /// The content of a field.
    static func content(of field: Field, in bytes: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(field.range.count)
        var isMark = false
        for byte in bytes[field.range] {
            // Of two quotation marks one is left.
            isMark = field.isQuoted && byte == quotationMark && !isMark
            if !isMark { content.append(byte) }
        }
        return content
    }

    private mutating func row() throws -> Row {
        let start = line
        var fields = [try field()]
        while byte == UInt8(ascii: ",") {
            place += 1
            fields.append(try field())
        }
        if byte == 0x0d { place += 1 }
        if byte != nil {
            line += 1
            place += 1
        }
        return Row(line: start, fields: fields)
    }

    /// The next field, up to a comma or the end of the row.
    private mutating func field() throws -> Field {
        guard byte == Self.quotationMark else {
            let start = place
            while let byte, byte != UInt8(ascii: ","), !isAtLineEnd {
                guard byte != Self.quotationMark, byte >= 0x20 || byte == 0x09 else {
                    throw CommandFailure.refused(
                        line: line,
                        because:
                            "a field without quotation marks holds one, or a control character.")
                }
                place += 1
            }
            return Field(range: start..<place, isQuoted: false)
        }
        return try quotedField()
    }

    private mutating func quotedField() throws -> Field {
        let first = line
        place += 1
        let start = place
        while let byte {
            if byte == 0x0a { line += 1 }
            place += 1
            guard byte == Self.quotationMark else { continue }
            if self.byte == Self.quotationMark {
                place += 1
                continue
            }
            guard isAtLineEnd || self.byte == UInt8(ascii: ",") else {
                throw CommandFailure.refused(
                    line: line, because: "something follows a field's closing quotation mark.")
            }
            return Field(range: start..<place - 1, isQuoted: true)
        }
        throw CommandFailure.refused(
            line: first, because: "the quotation mark of a field is not closed.")
    }

    private static let quotationMark = UInt8(ascii: "\"")

    /// The next byte; nil at the end.
    private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

    private var isAtLineEnd: Bool {
        switch byte {
        case nil, 0x0a: true
        case 0x0d: place + 1 < bytes.count && bytes[place + 1] == 0x0a
        default: false
        }
    }
}
