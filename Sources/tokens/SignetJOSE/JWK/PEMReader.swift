// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetMemory

/// Walks over the blocks of a PEM text (RFC 7468, section 3): `next()` gives the label `PUBLIC KEY`
/// and the 44 bytes that are in base64 here.
///
/// ```
/// -----BEGIN PUBLIC KEY-----
/// MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
/// -----END PUBLIC KEY-----
/// ```
///
/// Line ends inside of a block may have become blanks or the two characters `\n`, or be lost, as in
/// a setting on a single line. So a block begins at the beginning of a line, after a quotation mark
/// or a byte-order mark there, or in a line that a block has ended in.
struct PEMReader {
    struct Block {
        /// `PUBLIC KEY`, for example.
        var label: String
        /// The decoded base64.
        var contents: [UInt8]
    }

    private var text: [UInt8]
    private var position = 0
    /// Whether the line has only blanks and quotation marks so far, so that a block may begin here.
    private var isAtStart = true
    /// Whether a block has ended in this line.
    private var isAfterBlock = false

    init(_ text: Span<UInt8>) { self.text = text.copied() }

    /// The next block; nil at the end of the text.
    mutating func next() throws(KeyError) -> Block? {
        while position < text.count {
            if let label = labelHere(after: Self.beginMarker) {
                if isAtStart || isAfterBlock { return try readBlock(label) }
                try refuseBlockWithinLine(label)
            }
            skipCharacter()
        }
        return nil
    }

    /// Refuses a whole block after text in its line: it may be the key that is meant, or a second
    /// key. A mention of its marker, or a block that is commented out, is ignored.
    private func refuseBlockWithinLine(_ label: String) throws(KeyError) {
        let start = position + lineByteCount(Self.beginMarker, label: label)
        var index = start
        // Stops at the next marker, so that a text with many markers is not read once for each.
        while index < text.count, let count = bodyByteCount(at: index) { index += count }
        // The shortest key, Ed25519's, has 60 characters; a word between two markers has fewer.
        guard index - start >= 60, text[index...].starts(with: Self.endMarker) else { return }
        throw KeyError(
            .malformed,
            "There is a \"-----BEGIN ...-----\", but other text stands before it in its line: take "
                + "that away.")
    }

    /// Wipes the reader's own copy of the text, which may hold a private key.
    mutating func wipe() {
        cleanse(&text)
        position = text.count
    }

    private static let beginMarker = Array("-----BEGIN ".utf8)
    private static let endMarker = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Skips a character or a line end outside of blocks.
    private mutating func skipCharacter() {
        let byte = text[position]
        let count = lineEndByteCount(at: position)
        if count > 0 {
            isAtStart = true
            isAfterBlock = false
        } else if starts(with: Self.byteOrderMark) {
            position += Self.byteOrderMark.count
            return
        } else if !isBlank(byte), !isQuote(byte) {
            isAtStart = false
        }
        position += max(count, 1)
    }

    /// Reads the block whose BEGIN line, with this label, starts at this position.
    private mutating func readBlock(_ label: String) throws(KeyError) -> Block {
        position += lineByteCount(Self.beginMarker, label: label)
        let start = position
        while position < text.count, !starts(with: Self.endMarker) { position += 1 }
        let body = start..<position
        try refuseHeaders(in: body, of: label)
        guard labelHere(after: Self.endMarker) == label, isEnd(of: label) else {
            throw KeyError(
                .malformed, "The PEM block \"\(shown: label)\" has no matching END line.")
        }
        position += lineByteCount(Self.endMarker, label: label)
        isAfterBlock = true
        isAtStart = false
        return Block(label: label, contents: try decode(body, of: label))
    }

    /// The contents of a block, which are in strict base64 but for blanks and line ends.
    private func decode(_ body: Range<Int>, of label: String) throws(KeyError) -> [UInt8] {
        var base64 = [UInt8]()
        // Reserved once: growing would leave a copy of a private key.
        base64.reserveCapacity(body.count)
        defer { cleanse(&base64) }
        appendCharacters(of: body, to: &base64)
        guard let contents = Base64Standard.decode(base64.span), !contents.isEmpty else {
            throw KeyError(.malformed, "The PEM block \"\(shown: label)\" is not strict base64.")
        }
        return contents
    }

    /// The characters of a body without white space and line ends.
    private func appendCharacters(of body: Range<Int>, to base64: inout [UInt8]) {
        var index = body.lowerBound
        while index < body.upperBound {
            let count = lineEndByteCount(at: index)
            if count == 0, !isBlank(text[index]) { base64.append(text[index]) }
            index += max(count, 1)
        }
    }

    /// Rejects headers before the base64, which come from RFC 1421. OpenSSL writes them for its own
    /// encryption: `Proc-Type: 4,ENCRYPTED`.
    private func refuseHeaders(in body: Range<Int>, of label: String) throws(KeyError) {
        guard text[body].contains(UInt8(ascii: ":")) else { return }
        let mark = Array("ENCRYPTED".utf8)
        let isEncrypted = body.contains { text[$0] == mark[0] && text[$0...].starts(with: mark) }
        throw isEncrypted
            ? PEM.encrypted
            : KeyError(
                .malformed,
                "The PEM block \"\(shown: label)\" has headers (RFC 1421): take them away, up to the base64."
            )
    }

    /// Whether the block ends here. Text after the closing dashes is outside the block, if it
    /// cannot be taken for a part of them.
    private func isEnd(of label: String) -> Bool {
        let after = position + lineByteCount(Self.endMarker, label: label)
        guard after < text.count else { return true }
        return isBlank(text[after]) || isQuote(text[after]) || lineEndByteCount(at: after) > 0
            || text[after...].starts(with: Self.beginMarker)
    }

    /// The length of `-----BEGIN LABEL-----` or of `-----END LABEL-----`.
    private func lineByteCount(_ marker: [UInt8], label: String) -> Int {
        marker.count + label.utf8.count + Self.dashes.count
    }

    /// The label between a marker at this position and the dashes that close it: printable ASCII,
    /// at most 64 characters. Nil if there is none.
    private func labelHere(after marker: [UInt8]) -> String? {
        guard starts(with: marker) else { return nil }
        let rest = text[(position + marker.count)...].prefix(64 + Self.dashes.count)
        var end = rest.startIndex
        while end < rest.endIndex, !rest[end...].starts(with: Self.dashes) { end += 1 }
        let label = rest[..<end]
        guard end < rest.endIndex, !label.isEmpty,
            label.allSatisfy({ $0 >= 0x20 && $0 < 0x7f })
        else { return nil }
        return String(decoding: label, as: UTF8.self)
    }

    /// Whether a marker stands at this position. The first byte is compared alone first, which is
    /// faster: nearly all positions differ there.
    private func starts(with marker: [UInt8]) -> Bool {
        position < text.count && text[position] == marker[0]
            && text[position...].starts(with: marker)
    }

    /// The length of a character of base64, blank or line end; nil for anything else.
    private func bodyByteCount(at index: Int) -> Int? {
        let byte = text[index]
        if byte.isDigit || byte.isLetter || "+/=".utf8.contains(byte) || isBlank(byte) { return 1 }
        let count = lineEndByteCount(at: index)
        return count > 0 ? count : nil
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    /// The length of a line end: 1, or 2 for `\n` and `\r` in two characters; 0 for anything else.
    private func lineEndByteCount(at index: Int) -> Int {
        switch text[index] {
        case 0x0a, 0x0d: return 1
        case UInt8(ascii: "\\") where index + 1 < text.count:
            let next = text[index + 1]
            return next == UInt8(ascii: "n") || next == UInt8(ascii: "r") ? 2 : 0
        default: return 0
        }
    }
}
