// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

extension JSONScanner {
    /// Skips the inside of a string, up to the closing quotation mark. Checked: no control
    /// characters, escapes by RFC 8259, section 7, surrogate escapes only in pairs, strict UTF-8
    /// (RFC 3629, section 4).
    mutating func skipText() throws(JSONFault) -> JSONRecord.Flags {
        var flags: JSONRecord.Flags = []
        while true {
            i = text.span.endOfPlainText(from: i, isASCII: true)
            switch byte {
            case UInt8(ascii: "\""): return flags
            case UInt8(ascii: "\\"):
                flags.insert(.escaped)
                try skipEscape()
            case 0x80...:
                flags.insert(.beyondASCII)
                try skipCharacters()
            default: throw malformed
            }
        }
    }

    private mutating func skipEscape() throws(JSONFault) {
        guard i &+ 1 < text.count else { throw malformed }
        switch text[i &+ 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            i &+= 2
        case UInt8(ascii: "u"):
            guard let unit = JSONText.codeUnit(text.span, at: i &+ 2) else { throw malformed }
            guard unit & 0xf800 == 0xd800 else {
                i &+= 6
                return
            }
            // A surrogate: only a high surrogate, and only with a low surrogate after it.
            guard unit < 0xdc00, i &+ 7 < text.count, text[i &+ 6] == UInt8(ascii: "\\"),
                text[i &+ 7] == UInt8(ascii: "u"),
                let low = JSONText.codeUnit(text.span, at: i &+ 8),
                low & 0xfc00 == 0xdc00
            else { throw malformed }
            i &+= 12
        default: throw malformed
        }
    }

    /// Skips non-ASCII characters, up to the next ASCII byte.
    private mutating func skipCharacters() throws(JSONFault) {
        var end = i
        while end < text.count, text[end] >= 0x80 { end &+= 1 }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.span.extracting(i..<end))
        } catch {
            throw JSONFault(.invalidUTF8, at: i &+ error.byteOffsets.lowerBound)
        }
        i = end
    }

    /// Checks that an object names no member twice. Names are compared unescaped and as Swift
    /// compares strings: canonically equivalent names ("é" in either form) would be one key of a
    /// dictionary.
    /// - Returns: whether the object is large.
    func checkNames(of object: Int) throws(JSONFault) -> Bool {
        var count = 0
        var flags: JSONRecord.Flags = []
        // One of 64 bits for each name, chosen by a hash of its ends. A name that sets a new bit is
        // new. Only a name whose bit is set is compared with those before it.
        var bits: UInt64 = 0
        var i = object &+ 1
        while i < records.count {
            count &+= 1
            guard count <= JSONRecord.smallMemberCount else {
                try checkNamesByHash(of: object)
                return true
            }
            flags.formUnion(records[i].flags)
            let bit: UInt64 = 1 &<< UInt64((records[i].ends &* 0x9e37) >> 10)
            guard bits & bit == 0 || !isRepeated(i, in: object) else {
                throw JSONFault(.duplicateMember, at: Int(records[i].start))
            }
            bits |= bit
            i = Int(records[i &+ 1].next)
        }
        if !flags.isDisjoint(with: [.escaped, .beyondASCII]) { try checkNamesByHash(of: object) }
        return false
    }

    /// Whether an earlier name has the same bytes.
    private func isRepeated(_ position: Int, in object: Int) -> Bool {
        let name = records[position]
        let length = name.end &- name.start
        var i = object &+ 1
        while i < position {
            let other = records[i]
            if other.end &- other.start == length,
                bytesAreEqual(
                    text.span.extracting(Int(other.start)..<Int(other.end)),
                    text.span.extracting(Int(name.start)..<Int(name.end)))
            {
                return true
            }
            i = Int(records[i &+ 1].next)
        }
        return false
    }

    /// For many or non-ASCII names: a set of strings. Swift seeds its hash per process, so no
    /// document can force collisions.
    private func checkNamesByHash(of object: Int) throws(JSONFault) {
        var names: Set<String> = []
        var i = object &+ 1
        while i < records.count {
            let record = records[i]
            let bytes = JSONText.unescape(text.span.extracting(Int(record.start)..<Int(record.end)))
            // Hashing and comparing this is safe only after the next line.
            let name = ReceivedText(utf8: bytes[...]).swiftString()
            guard name.isStreamSafe else { throw JSONFault(.tooLarge, at: Int(record.start)) }
            guard names.insert(name).inserted else {
                throw JSONFault(.duplicateMember, at: Int(record.start))
            }
            i = Int(records[i &+ 1].next)
        }
    }
}

extension Span<UInt8> {
    /// The index of the first byte in a string that needs a closer look.
    ///
    /// - Parameter isASCII: whether non-ASCII bytes need a closer look too.
    func endOfPlainText(from start: Int, isASCII: Bool) -> Int {
        let beyond: UInt64 = isASCII ? 0x8080_8080_8080_8080 : 0
        var i = start
        while i <= count &- 8 {
            let word = word(at: i)
            let marks = Self.marks(word) | word & beyond
            if marks != 0 { return i &+ marks.trailingZeroBitCount / 8 }
            i &+= 8
        }
        // What is left belongs to the last eight bytes, and nothing before it is marked.
        if i < count, count &- 8 >= start {
            let word = word(at: count &- 8)
            let marks = Self.marks(word) | word & beyond
            return marks == 0 ? count : count &- 8 &+ marks.trailingZeroBitCount / 8
        }
        while i < count, self[i] >= 0x20, self[i] != UInt8(ascii: "\""),
            self[i] != UInt8(ascii: "\\"), !isASCII || self[i] < 0x80
        { i &+= 1 }
        return i
    }

    /// Sets the highest bit of each of the eight bytes that is a quotation mark, a reverse solidus
    /// or a control character. Only the lowest mark is reliable: subtraction borrows from higher
    /// bytes.
    private static func marks(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotation = word ^ ones &* UInt64(UInt8(ascii: "\""))
        let solidus = word ^ ones &* UInt64(UInt8(ascii: "\\"))
        let found =
            (word &- ones &* 0x20) & ~word | (quotation &- ones) & ~quotation
            | (solidus &- ones) & ~solidus
        return found & (ones &* 0x80)
    }
}
