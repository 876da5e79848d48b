// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import VectorBridge

/// A text that is being written: an array that is longer than what has been written, so that few steps have to look
/// after its memory.
struct JSONTextBuffer {
    private var bytes: [UInt8]
    private(set) var count = 0

    init(capacity: Int) { bytes = .zeros(capacity) }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == bytes.count { makeRoom(1) }
        bytes[count] = byte
        count &+= 1
    }

    mutating func append(_ text: Span<UInt8>) {
        let start = count
        if bytes.count &- start < text.count { makeRoom(text.count) }
        count = start &+ text.count
        var target = bytes.mutableSpan
        target.copy(text, at: start)
    }

    mutating func append(_ text: String) { append(text.utf8.span) }

    /// Appends a string with its quotation marks.
    /// - Parameters:
    ///   - comma: whether a comma goes before it.
    ///   - colon: whether a colon goes behind it.
    /// - Returns: what a scanner would note of it.
    mutating func append(
        quoted text: Span<UInt8>, comma: Bool = false, colon: Bool = false
    ) -> JSONRecord.Flags {
        var o = count
        // Comma, two quotation marks, colon, and the rest of a last word.
        if bytes.count &- o < text.count &+ 12 { makeRoom(text.count &+ 12) }
        var target = bytes.mutableSpan
        if comma {
            target[o] = UInt8(ascii: ",")
            o &+= 1
        }
        target[o] = UInt8(ascii: "\"")
        o &+= 1
        var i = 0
        while i <= text.count &- 8 {
            let word = text.word(at: i)
            guard JSONScanner.specialBits(word) == 0 else { break }
            target.store(word, at: o)
            i &+= 8
            o &+= 8
        }
        while i < text.count, JSONScanner.isPlain(text[i]) {
            target[o] = text[i]
            i &+= 1
            o &+= 1
        }
        guard i == text.count else {
            count = o
            return finishQuoted(text.extracting(i..<text.count), colon: colon)
        }
        target[o] = UInt8(ascii: "\"")
        o &+= 1
        if colon {
            target[o] = UInt8(ascii: ":")
            o &+= 1
        }
        count = o
        return []
    }

    /// The rest of a string from a character on that does not stand for itself.
    @inline(never)
    private mutating func finishQuoted(_ rest: Span<UInt8>, colon: Bool) -> JSONRecord.Flags {
        var flags: JSONRecord.Flags = []
        for i in rest.indices { flags.formUnion(JSONText.appendEscaped(rest[i], to: &self)) }
        append(UInt8(ascii: "\""))
        if colon { append(UInt8(ascii: ":")) }
        return flags
    }

    @inline(never)
    private mutating func makeRoom(_ more: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(more, bytes.count)))
    }

    /// A part of what has been written.
    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// Calls `body` with what has been written.
    func withWritten<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(bytes.span.extracting(0..<count))
    }

    /// What has been written, without what was kept in reserve. The end: nothing can be appended after it.
    mutating func finish() -> [UInt8] {
        bytes.removeLast(bytes.count &- count)
        let written = bytes
        bytes = []
        count = 0
        return written
    }
}
