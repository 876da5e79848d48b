// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A single pass over a JSON text (RFC 8259), which checks all of it and writes an *entry*
/// (``JSONRecord``) for each value and each name: for `{"exp":7}` an object, the name `exp` and a
/// number, each with the offsets of its bytes. ``JSONDocument`` scans each text once, and
/// ``JSONIndex`` keeps the entries.
// No text is longer than 2^31 bytes (JSONDocument), so no offset overflows (`&+`), and offsets and
// counts fit into 32 bits. Not copyable, because a scan happens once.
struct JSONScanner: ~Copyable {
    let text: [UInt8]
    private let maximumDepth: Int
    private let maximumRecordCount: Int
    private(set) var records: ContiguousArray<JSONRecord> = []
    /// The next byte to read.
    var offset = 0

    init(_ text: [UInt8], limits: JSONDocument.Limits) {
        self.text = text
        maximumDepth = min(limits.maximumDepth, JSONDocument.depthCeiling)
        maximumRecordCount = limits.maximumNodeCount
        // In tokens, an entry takes about 20 bytes: this is enough at once, and bounded.
        records.reserveCapacity(min(text.count / 12 &+ 8, 65_536))
    }

    /// Scans the text, which must be a single value with white space around it.
    mutating func scan() throws(JSONFault) {
        skipWhiteSpace()
        try scanValue(depth: 0)
        skipWhiteSpace()
        guard offset == text.count else { throw malformed }
    }

    var malformed: JSONFault { JSONFault(.malformed, at: offset) }

    /// The current byte; after the end 0, which never occurs in JSON.
    var byte: UInt8 { offset < text.count ? text[offset] : 0 }

    // The recursion is no deeper than the limit.
    private mutating func scanValue(depth: Int) throws(JSONFault) {
        guard records.count < maximumRecordCount else { throw JSONFault(.tooLarge, at: offset) }
        switch byte {
        case UInt8(ascii: "\""): try scanString()
        case UInt8(ascii: "{"): try scanContainer(.object, closing: UInt8(ascii: "}"), depth: depth)
        case UInt8(ascii: "["): try scanContainer(.array, closing: UInt8(ascii: "]"), depth: depth)
        case UInt8(ascii: "t"): try scanLiteral("true", kind: .bool, flags: .isTrue)
        case UInt8(ascii: "f"): try scanLiteral("false", kind: .bool)
        case UInt8(ascii: "n"): try scanLiteral("null", kind: .null)
        default: try scanNumber()
        }
    }

    private mutating func scanContainer(
        _ kind: JSONKind, closing: UInt8, depth: Int
    ) throws(JSONFault) {
        guard depth < maximumDepth else { throw JSONFault(.tooDeep, at: offset) }
        let entry = records.count
        append(kind, from: offset)
        offset &+= 1
        skipWhiteSpace()
        while byte != closing {
            if kind == .object { try scanName() }
            try scanValue(depth: depth &+ 1)
            skipWhiteSpace()
            guard byte == UInt8(ascii: ",") else { break }
            offset &+= 1
            skipWhiteSpace()
            guard byte != closing else { throw malformed }
        }
        guard byte == closing else { throw malformed }
        offset &+= 1
        records[entry].end = UInt32(truncatingIfNeeded: offset)
        // The entry after the container and everything inside it.
        records[entry].next = UInt32(truncatingIfNeeded: records.count)
        // True for an object with many members.
        if kind == .object, try checkNames(of: entry) { records[entry].flags.insert(.large) }
    }

    /// Reads a member's name and the colon after it.
    private mutating func scanName() throws(JSONFault) {
        guard byte == UInt8(ascii: "\"") else { throw malformed }
        try scanString()
        skipWhiteSpace()
        guard byte == UInt8(ascii: ":") else { throw malformed }
        offset &+= 1
        skipWhiteSpace()
    }

    private mutating func scanString() throws(JSONFault) {
        offset &+= 1
        let start = offset
        let flags = try skipText()
        // For an empty text these are the quotation marks, so both bytes exist.
        append(
            .string, from: start, flags: flags,
            ends: UInt16(text[start]) | UInt16(text[offset &- 1]) << 8)
        offset &+= 1
    }

    private mutating func scanLiteral(
        _ literal: StaticString, kind: JSONKind, flags: JSONRecord.Flags = []
    ) throws(JSONFault) {
        let start = offset
        for scalar in literal.description.utf8 {
            guard byte == scalar else { throw malformed }
            offset &+= 1
        }
        append(kind, from: start, flags: flags)
    }

    /// Reads a number by the grammar of RFC 8259, section 6: no leading zero or plus, digits before
    /// and after the point.
    private mutating func scanNumber() throws(JSONFault) {
        let start = offset
        var flags: JSONRecord.Flags = .integer
        if byte == UInt8(ascii: "-") { offset &+= 1 }
        if byte == UInt8(ascii: "0") { offset &+= 1 } else { try skipDigits() }
        if byte == UInt8(ascii: ".") {
            flags = []
            offset &+= 1
            try skipDigits()
        }
        // `e` or `E`.
        if byte | 0x20 == UInt8(ascii: "e") {
            flags = []
            offset &+= 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset &+= 1 }
            try skipDigits()
        }
        append(.number, from: start, flags: flags)
    }

    /// Skips one digit or more.
    private mutating func skipDigits() throws(JSONFault) {
        let start = offset
        // A byte below "0" wraps around, to 208 or more.
        while byte &- UInt8(ascii: "0") < 10 { offset &+= 1 }
        guard offset > start else { throw malformed }
    }

    @inline(__always)
    private mutating func skipWhiteSpace() {
        while offset < text.count {
            switch text[offset] {
            case 0x20, 0x0a, 0x0d, 0x09: offset &+= 1
            default: return
            }
        }
    }

    /// Appends an entry that ends where the scan is. A container's end and `next` are set later.
    ///
    /// - Parameter ends: the first and the last byte of a string or name, which rule out most names
    ///   in a search.
    private mutating func append(
        _ kind: JSONKind, from start: Int, flags: JSONRecord.Flags = [], ends: UInt16 = 0
    ) {
        records.append(
            JSONRecord(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: offset),
                next: UInt32(truncatingIfNeeded: records.count &+ 1), kind: kind, flags: flags,
                ends: ends))
    }
}
