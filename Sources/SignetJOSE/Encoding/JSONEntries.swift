// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A text and the entries of the index over it: of a document that was read, or of one that has just been written.
protocol JSONEntries {
    /// The text, and perhaps more behind it, where no entry points.
    var bytes: [UInt8] { get }
    /// An entry.
    subscript(position: Int) -> JSONRecord { get }
}

extension JSONEntries {
    /// Whether the second of the three bytes of a name, unescaped, is this one.
    func text(of record: JSONRecord, hasMiddle wanted: UInt8) -> Bool {
        let bytes = bytes
        if record.flags.contains(.escaped) {
            let text = JSONText.unescape(bytes.span.extracting(Int(record.start)..<Int(record.end)))
            return text.count == 3 && text[1] == wanted
        }
        return record.end &- record.start == 3 && bytes[Int(record.start) &+ 1] == wanted
    }
}
