// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import VectorBridge

/// What the scanner throws: small and trivial, so that the hot path carries no strings. ``JSONDocument`` makes a
/// ``JSONError`` of it.
struct JSONFault: Error {
    enum Kind {
        case malformed
        case duplicateMember
        case tooDeep
        case tooLarge
        case invalidUTF8
        /// The store has no more room: nothing is wrong with the text.
        case full
    }

    let kind: Kind
    let offset: Int
}

/// One pass over a JSON text (RFC 8259): checks all of it and writes the index. A loop, not a recursion: while a
/// container is open its `link` holds the entry of the container around it, so the index is the stack.
enum JSONScanner {
    /// "No container is open"; no entry has this number, for ``JSONDocument`` bounds the text.
    private static let none = UInt32.max

    static func scan<Store: JSONRecordStore>(
        _ text: Span<UInt8>, into records: inout Store, maximumDepth: Int, maximumRecordCount: Int
    ) throws(JSONFault) {
        var open = none
        var isObject = false
        var depth = 0
        var marks = JSONMarks()
        var i = skipWhiteSpace(text, 0)
        while true {
            if isObject {
                guard i < text.count, text[i] == UInt8(ascii: "\"") else {
                    throw JSONFault(kind: .malformed, offset: i)
                }
                let first = i &+ 1
                var flags: JSONRecord.Flags = []
                let end = try scanText(text, from: first, &marks, &flags)
                try appendName(text, first, end, flags, to: &records)
                i = try skipColon(text, end &+ 1)
            }
            guard i < text.count else { throw JSONFault(kind: .malformed, offset: i) }
            guard records.count < maximumRecordCount else { throw JSONFault(kind: .tooLarge, offset: i) }
            let byte = text[i]
            if byte == UInt8(ascii: "\"") {
                i = try scanString(text, from: i &+ 1, &marks, into: &records)
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                guard depth < maximumDepth else { throw JSONFault(kind: .tooDeep, offset: i) }
                depth &+= 1
                isObject = byte == UInt8(ascii: "{")
                let start = UInt32(truncatingIfNeeded: i)
                let container = JSONRecord(
                    start: start, end: start, link: open, kind: isObject ? .object : .array, flags: [])
                guard records.append(container) else { throw JSONFault(kind: .full, offset: i) }
                open = UInt32(truncatingIfNeeded: records.count &- 1)
                i = skipWhiteSpace(text, i &+ 1)
                if i < text.count, text[i] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    // An empty container is closed below, where every container is.
                } else {
                    continue
                }
            } else {
                i = try scanPrimitive(text, from: i, into: &records)
            }

            // Behind a value: a comma and the next one, or the end of one or more containers.
            while true {
                i = skipWhiteSpace(text, i)
                guard open != none else {
                    guard i == text.count else { throw JSONFault(kind: .malformed, offset: i) }
                    return
                }
                guard i < text.count else { throw JSONFault(kind: .malformed, offset: i) }
                let byte = text[i]
                if byte == UInt8(ascii: ",") {
                    i = skipWhiteSpace(text, i &+ 1)
                    break
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw JSONFault(kind: .malformed, offset: i)
                }
                i &+= 1
                let container = Int(open)
                open = records[container].link
                records[container].end = UInt32(truncatingIfNeeded: i)
                records[container].link = UInt32(truncatingIfNeeded: records.count)
                if isObject, try JSONNames.check(text, object: container, in: &records) {
                    records[container].flags.insert(.large)
                }
                depth &-= 1
                if open != none { isObject = records[Int(open)].kind == .object }
            }
        }
    }

    @inline(__always)
    static func skipWhiteSpace(_ text: Span<UInt8>, _ start: Int) -> Int {
        var i = start
        while i < text.count {
            let byte = text[i]
            if byte > 0x20 { return i }
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return i }
            i &+= 1
        }
        return i
    }

    /// The entry of a member's name.
    @inline(__always)
    private static func appendName(
        _ text: Span<UInt8>, _ start: Int, _ end: Int, _ flags: JSONRecord.Flags,
        to records: inout some JSONRecordStore
    ) throws(JSONFault) {
        let bytes = text.extracting(start..<end)
        let fingerprint =
            flags.contains(.escaped) ? escapedFingerprint(bytes) : JSONRecord.fingerprint(bytes)
        let name = JSONRecord(
            start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), link: fingerprint,
            kind: .string, flags: flags)
        guard records.append(name) else { throw JSONFault(kind: .full, offset: start) }
    }

    /// - Returns: the position of the value behind the colon.
    @inline(__always)
    private static func skipColon(_ text: Span<UInt8>, _ start: Int) throws(JSONFault) -> Int {
        let colon = skipWhiteSpace(text, start)
        guard colon < text.count, text[colon] == UInt8(ascii: ":") else {
            throw JSONFault(kind: .malformed, offset: colon)
        }
        return skipWhiteSpace(text, colon &+ 1)
    }

    @inline(never)
    private static func escapedFingerprint(_ name: Span<UInt8>) -> UInt32 {
        JSONRecord.fingerprint(JSONText.unescape(name).span)
    }

    /// A string value, from behind its quotation mark.
    /// - Returns: the position behind the closing one.
    @inline(__always)
    private static func scanString(
        _ text: Span<UInt8>, from start: Int, _ marks: inout JSONMarks,
        into records: inout some JSONRecordStore
    ) throws(JSONFault) -> Int {
        var flags: JSONRecord.Flags = []
        let end = try scanText(text, from: start, &marks, &flags)
        try append(.string, start, end, flags, to: &records)
        return end &+ 1
    }

    /// A number, `true`, `false` or `null`.
    @inline(__always)
    private static func scanPrimitive(
        _ text: Span<UInt8>, from start: Int, into records: inout some JSONRecordStore
    ) throws(JSONFault) -> Int {
        var flags: JSONRecord.Flags = []
        let end: Int
        let kind: JSONKind
        switch text[start] {
        case UInt8(ascii: "t"):
            end = try scanLiteral(text, from: start, ["r", "u", "e"])
            kind = .bool
            flags = .isTrue
        case UInt8(ascii: "f"):
            end = try scanLiteral(text, from: start, ["a", "l", "s", "e"])
            kind = .bool
        case UInt8(ascii: "n"):
            end = try scanLiteral(text, from: start, ["u", "l", "l"])
            kind = .null
        default:
            end = try scanNumber(text, from: start, &flags)
            kind = .number
        }
        try append(kind, start, end, flags, to: &records)
        return end
    }

    @inline(__always)
    private static func append(
        _ kind: JSONKind, _ start: Int, _ end: Int, _ flags: JSONRecord.Flags,
        to records: inout some JSONRecordStore
    ) throws(JSONFault) {
        let value = JSONRecord(
            start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
            link: UInt32(truncatingIfNeeded: records.count &+ 1), kind: kind, flags: flags)
        guard records.append(value) else { throw JSONFault(kind: .full, offset: start) }
    }
}
