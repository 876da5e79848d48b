// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

// The strings and names of a JSON text: each must be well-formed, and an object must not name a
// member twice. `{"exp":1,"\u0065xp":2}` is refused: unescaped, the two names are equal.

extension JSONScanner {
    /// Skips the inside of a string, up to the closing quotation mark. Checked: no control
    /// characters, escapes by RFC 8259, section 7, surrogate escapes only in pairs, strict UTF-8
    /// (RFC 3629, section 4).
    ///
    /// - Returns: whether the string has escapes, and whether it has non-ASCII bytes.
    mutating func skipText() throws(JSONFault) -> JSONRecord.Flags {
        var flags: JSONRecord.Flags = []
        while true {
            offset = text.span.endOfPlainText(from: offset, stopsAtNonASCII: true)
            switch byte {
            case UInt8(ascii: "\""): return flags
            case UInt8(ascii: "\\"):
                flags.insert(.escaped)
                try skipEscape()
            case 0x80...:
                flags.insert(.beyondASCII)
                try skipCharacters()
            // A control character, or the end of the text.
            default: throw malformed
            }
        }
    }

    /// Skips an escape, such as `\n` or `\u00e9`. A character beyond U+FFFF takes two:
    /// `\ud83d\ude00` is a high surrogate and the low surrogate that belongs to it.
    private mutating func skipEscape() throws(JSONFault) {
        guard offset &+ 1 < text.count else { throw malformed }
        switch text[offset &+ 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset &+= 2
        case UInt8(ascii: "u"):
            guard let unit = JSONText.codeUnit(text.span, at: offset &+ 2),
                !UTF16.isTrailSurrogate(unit)
            else { throw malformed }
            guard UTF16.isLeadSurrogate(unit) else {
                offset &+= 6
                return
            }
            guard offset &+ 7 < text.count, text[offset &+ 6] == UInt8(ascii: "\\"),
                text[offset &+ 7] == UInt8(ascii: "u"),
                let low = JSONText.codeUnit(text.span, at: offset &+ 8),
                UTF16.isTrailSurrogate(low)
            else { throw malformed }
            offset &+= 12
        default: throw malformed
        }
    }

    /// Skips non-ASCII characters, up to the next ASCII byte, and checks that they are UTF-8.
    private mutating func skipCharacters() throws(JSONFault) {
        var end = offset
        while end < text.count, text[end] >= 0x80 { end &+= 1 }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.span.extracting(offset..<end))
        } catch {
            throw JSONFault(.invalidUTF8, at: offset &+ error.byteOffsets.lowerBound)
        }
        offset = end
    }

    /// Checks that an object names no member twice. Names are compared unescaped and as Swift
    /// compares strings: canonically equivalent names ("é" in either form) would be one key of a
    /// dictionary.
    ///
    /// - Parameter object: the object's entry, the last container that was scanned: all entries
    ///   after it are its own.
    /// - Returns: whether the object is large.
    func checkNames(of object: Int) throws(JSONFault) -> Bool {
        var count = 0
        var flags: JSONRecord.Flags = []
        // Each name sets a bit of 64, chosen by a hash of its first and last byte. A name that sets
        // a new bit is new. Only a name whose bit is set is compared with the names before it.
        var bits: UInt64 = 0
        var entry = object &+ 1
        while entry < records.count {
            count &+= 1
            guard count <= JSONRecord.smallMemberCount else {
                try checkNamesByHash(of: object)
                return true
            }
            let name = records[entry]
            flags.formUnion(name.flags)
            // The multiplier (2^16 by the golden ratio) mixes both bytes into the highest six bits.
            let bit: UInt64 = 1 &<< UInt64((name.ends &* 0x9e37) >> 10)
            guard bits & bit == 0 || !isRepeated(entry, in: object) else {
                throw JSONFault(.duplicateMember, at: Int(name.start))
            }
            bits |= bit
            entry = entryOfNextName(after: entry)
        }
        if !flags.isDisjoint(with: [.escaped, .beyondASCII]) { try checkNamesByHash(of: object) }
        return false
    }

    /// The entry of the name after a name and its value.
    @inline(__always)
    private func entryOfNextName(after name: Int) -> Int { Int(records[name &+ 1].next) }

    /// Whether an earlier name has the same bytes.
    private func isRepeated(_ entry: Int, in object: Int) -> Bool {
        let name = records[entry]
        let length = name.end &- name.start
        var earlier = object &+ 1
        while earlier < entry {
            let other = records[earlier]
            if other.end &- other.start == length,
                bytesAreEqual(
                    text.span.extracting(Int(other.start)..<Int(other.end)),
                    text.span.extracting(Int(name.start)..<Int(name.end)))
            {
                return true
            }
            earlier = entryOfNextName(after: earlier)
        }
        return false
    }

    /// For many or non-ASCII names: a set of strings. Swift seeds its hash per process, so no
    /// document can force collisions.
    private func checkNamesByHash(of object: Int) throws(JSONFault) {
        var names: Set<String> = []
        var entry = object &+ 1
        while entry < records.count {
            let record = records[entry]
            let bytes = JSONText.unescape(text.span.extracting(Int(record.start)..<Int(record.end)))
            // Swift's comparison takes quadratic time in a run of combining characters, so a name
            // with more than 30 in a row (not stream-safe, by UAX #15) is refused first.
            let name = ReceivedText(utf8: bytes[...]).swiftString()
            guard name.isStreamSafe else { throw JSONFault(.tooLarge, at: Int(record.start)) }
            guard names.insert(name).inserted else {
                throw JSONFault(.duplicateMember, at: Int(record.start))
            }
            entry = entryOfNextName(after: entry)
        }
    }
}

extension Span<UInt8> {
    /// The index of the first byte that needs a closer look: a quotation mark, a reverse solidus
    /// (`\`), a control character or, if wanted, a non-ASCII byte; the end if there is none. Looks
    /// at eight bytes at a time, as a word whose lowest byte comes first.
    func endOfPlainText(from start: Int, stopsAtNonASCII: Bool) -> Int {
        // Non-ASCII bytes have the highest bit set.
        let beyond: UInt64 = stopsAtNonASCII ? 0x8080_8080_8080_8080 : 0
        var index = start
        while index <= count &- 8 {
            let word = word(at: index)
            let marks = Self.marks(word) | word & beyond
            if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
            index &+= 8
        }
        // Fewer than eight bytes are left: looks at the last eight, of which the first are known to
        // have no mark.
        if index < count, count &- 8 >= start {
            let word = word(at: count &- 8)
            let marks = Self.marks(word) | word & beyond
            return marks == 0 ? count : count &- 8 &+ marks.trailingZeroBitCount / 8
        }
        // The whole text has fewer than eight bytes from `start` on.
        while index < count, self[index] >= 0x20, self[index] != UInt8(ascii: "\""),
            self[index] != UInt8(ascii: "\\"), !stopsAtNonASCII || self[index] < 0x80
        { index &+= 1 }
        return index
    }

    /// Sets the highest bit of each of the eight bytes that is a quotation mark, a reverse solidus
    /// or a control character. Only the lowest mark is reliable: subtraction borrows from higher
    /// bytes.
    private static func marks(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // The bytes that are zero now were quotation marks, or reverse solidi.
        let quotation = word ^ ones &* UInt64(UInt8(ascii: "\""))
        let solidus = word ^ ones &* UInt64(UInt8(ascii: "\\"))
        // For bytes below 0x80, (byte - n) & ~byte has the highest bit exactly if byte < n.
        let controls = (word &- ones &* 0x20) & ~word
        let quotations = (quotation &- ones) & ~quotation
        let solidi = (solidus &- ones) & ~solidus
        return (controls | quotations | solidi) & (ones &* 0x80)
    }
}
