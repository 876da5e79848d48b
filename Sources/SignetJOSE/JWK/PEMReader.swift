// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Walks over the blocks of a PEM text, line by line (RFC 7468, section 3).
///
/// A line may also end in the two characters `\n`, as in a setting that holds a PEM on one line;
/// blocks contain no other backslash. A byte-order mark before a line is skipped, as concatenated
/// files have them.
struct PEMReader {
    struct Block {
        var label: String
        var contents: [UInt8]
    }

    private var text: [UInt8]
    private var position = 0

    init(_ text: Span<UInt8>) { self.text = text.copied() }

    /// The next block; nil at the end of the text.
    mutating func next() throws(KeyError) -> Block? {
        while let line = nextLine() {
            guard let label = Self.label(line, "-----BEGIN ") else { continue }
            var base64 = [UInt8]()
            // Reserved once: growing would leave a copy of a private key.
            base64.reserveCapacity(text.count)
            defer { cleanse(&base64) }
            while let body = nextLine() {
                if let end = Self.label(body, "-----END ") {
                    guard end == label else { break }
                    guard let contents = Base64Standard.decode(base64.span), !contents.isEmpty
                    else {
                        throw KeyError(
                            .malformed, "The PEM block \"\(label)\" is not strict base64.")
                    }
                    return Block(label: label, contents: contents)
                }
                // Encapsulated headers come from RFC 1421; OpenSSL writes them for its own
                // encryption.
                if body.contains(UInt8(ascii: ":")) { throw PEM.encrypted }
                base64.append(contentsOf: body)
            }
            throw KeyError(.malformed, "The PEM block \"\(label)\" has no matching END line.")
        }
        return nil
    }

    /// Wipes the reader's own copy of the text, which may hold a private key.
    mutating func wipe() {
        cleanse(&text)
        position = text.count
    }

    /// The next line without its end and without spaces around it.
    private mutating func nextLine() -> ArraySlice<UInt8>? {
        guard position < text.count else { return nil }
        let end = text[position...].indices.first(where: isLineEnd) ?? text.count
        var line = text[position..<end]
        position = end + (end < text.count && text[end] == Self.backslash ? 2 : 1)
        while let last = line.last, last == 0x20 || last == 0x09 { line.removeLast() }
        while let first = line.first, first == 0x20 || first == 0x09 { line.removeFirst() }
        return line.starts(with: Self.byteOrderMark) ? line.dropFirst(3) : line
    }

    private static let backslash = UInt8(ascii: "\\")
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    private func isLineEnd(_ index: Int) -> Bool {
        switch text[index] {
        case 0x0a, 0x0d: true
        case Self.backslash:
            index + 1 < text.count
                && (text[index + 1] == UInt8(ascii: "n") || text[index + 1] == UInt8(ascii: "r"))
        default: false
        }
    }

    /// The label between the marker and the closing dashes: printable ASCII, at most 64 characters.
    private static func label(_ line: ArraySlice<UInt8>, _ marker: String) -> String? {
        let dashes = "-----"
        guard line.count <= marker.utf8.count + dashes.utf8.count + 64,
            line.starts(with: marker.utf8),
            line.count > marker.utf8.count + dashes.utf8.count,
            line.suffix(5).elementsEqual(dashes.utf8)
        else { return nil }
        let label = line.dropFirst(marker.utf8.count).dropLast(5)
        guard label.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return nil }
        return String(decoding: label, as: UTF8.self)
    }
}
