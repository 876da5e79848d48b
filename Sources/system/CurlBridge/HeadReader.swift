// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Reads the head of a response line by line, more strictly than libcurl. ``EasyTransfer`` gives it
/// each line that libcurl has received: a status line, fields, an empty line, and perhaps trailers
/// after the body. Hints (1xx) come with a head of their own before the response's.
///
/// libcurl decodes every transfer coding that it was built with, some with 128 MB of working
/// memory, before its caller is asked, and in some releases does not limit the number of lines. No
/// content coding is accepted: none was requested, and octets that stay coded are no bomb.
package struct HeadReader {
    /// The limit for all lines: hints, the response's own head, and trailers.
    package static var maximumByteCount: Int { 65_536 }

    /// The status of the head that is read; nil before its first line.
    package private(set) var status: Int?
    package private(set) var fields: [(name: String, value: String)] = []
    /// Whether the head of the response itself has ended.
    package private(set) var isComplete = false
    /// Whether the response was refused because its body is compressed.
    private(set) var isCompressed = false
    private var byteCount = 0
    private let isEncrypted: Bool
    private var isHTTP10 = false
    /// The digits of Content-Length; nil without that field.
    private var length: [UInt8]?
    private var isChunked = false

    /// RFC 9112, section 6.3: 204 and 304 have no body. Nor has 205 (RFC 9110, section 15.3.6),
    /// which some servers end with the connection.
    package var hasNoBody: Bool {
        status == 204 || status == 304 || (status == 205 && !isChunked && length == nil)
    }

    /// - Parameter isEncrypted: whether a body must state its end, by a length or chunks. The end
    ///   of the connection does not count then: anyone in between can cause it.
    package init(isEncrypted: Bool) { self.isEncrypted = isEncrypted }

    /// Takes a line with its end; false if the response is not acceptable.
    package mutating func take(_ line: some RandomAccessCollection<UInt8>) -> Bool {
        guard line.count <= Self.maximumByteCount - byteCount else { return false }
        byteCount += line.count
        // Trailers are only counted.
        guard !isComplete else { return true }
        var text = Array(line)
        while let last = text.last, last == 0x0d || last == 0x0a { text.removeLast() }
        guard text.allSatisfy({ ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }) else { return false }
        guard let status else { return takeStatus(text) }
        guard !text.isEmpty else { return endHead(status: status) }
        return takeField(text, status: status)
    }

    /// Reads the status line (RFC 9112, section 4).
    private mutating func takeStatus(_ text: [UInt8]) -> Bool {
        // HTTP/1.1 STATUS REASON, of which " REASON" may be missing
        guard text.starts(with: "HTTP/1.1 ".utf8) || text.starts(with: "HTTP/1.0 ".utf8) else {
            return false
        }
        isHTTP10 = text.dropFirst(7).first == 0x30
        let rest = text.dropFirst(9)
        let digits = rest.prefix(3)
        guard digits.count == 3, digits.allSatisfy(\.isDigit),
            rest.count == 3 || rest.dropFirst(3).first == 0x20
        else { return false }
        let number = digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
        guard number >= 100 else { return false }
        status = number
        return true
    }

    /// Ends a head at its empty line. After a hint (1xx), the next head begins.
    private mutating func endHead(status: Int) -> Bool {
        if status >= 200 {
            isComplete = !isEncrypted || isChunked || length != nil || hasNoBody
            return isComplete
        }
        // Switching protocols was not requested.
        guard status != 101 else { return false }
        self.status = nil
        fields = []
        return true
    }

    /// Reads a field (RFC 9112, section 5): no folding (5.2), no space before the colon (5.1).
    private mutating func takeField(_ text: [UInt8], status: Int) -> Bool {
        // NAME: VALUE
        guard let colon = text.firstIndex(of: 0x3a), colon > 0 else { return false }
        let name = text[..<colon]
        guard name.allSatisfy(FieldText.isToken) else { return false }
        let value = text[text.index(after: colon)...].withoutOuterBlanks
        let framing = FramingField.allCases.first { Self.matches(name, word: $0.rawValue) }
        if let framing {
            // A hint has no body (RFC 9110, section 15.2), and its length is not the response's.
            guard status >= 200, takeFraming(framing, value: value) else { return false }
        }
        fields.append(
            (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        return true
    }

    /// The fields that say where a body ends and how it is coded.
    private enum FramingField: String, CaseIterable {
        case length = "content-length"
        case transferCoding = "transfer-encoding"
        case contentCoding = "content-encoding"
    }

    /// Notes how the body ends; false if that is unclear, or the body is compressed.
    private mutating func takeFraming(_ field: FramingField, value: ArraySlice<UInt8>) -> Bool {
        switch field {
        case .length:
            // RFC 9112, section 6.3: differing or non-numeric lengths are unrecoverable errors.
            guard !value.isEmpty, value.allSatisfy(\.isDigit), !isChunked else { return false }
            guard length == nil || length == Array(value) else { return false }
            length = Array(value)
        case .transferCoding:
            guard Self.matches(value, word: "chunked"), !isChunked else { return false }
            // RFC 9112, section 6.1: with a length beside it, or in HTTP/1.0, two readers may see
            // different ends.
            guard length == nil, !isHTTP10 else { return false }
            isChunked = true
        case .contentCoding:
            isCompressed = !value.isEmpty && !Self.matches(value, word: "identity")
            return !isCompressed
        }
        return true
    }

    /// Whether a text is this word, given in lower case. Case does not count.
    private static func matches(_ text: ArraySlice<UInt8>, word: String) -> Bool {
        text.lazy.map(\.lowercased).elementsEqual(word.utf8)
    }
}
