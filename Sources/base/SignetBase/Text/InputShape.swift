// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The look of an input that a reader has refused, for a sentence that says what to do.
///
/// A reader asks only after it has refused the input, and nothing is ever read as what it looks
/// like. Neither a shape nor its sentence holds a byte of the input, which may be secret.
package enum InputShape: CaseIterable, Sendable {
    /// Nothing, or white space only.
    case empty
    case utf16, byteOrderMark, gzip, der, pkcs12
    /// HTML or XML.
    case markup
    case openSSHKey, sshPublicKey, encryptedPEM, pem
    case ageKey, hexadecimal, comment
    case json, jsonArray
    case quoted
    /// A header field, or its value.
    case bearer
    /// An HTTP response, with its header fields.
    case answer
    /// A compact JWE (RFC 7516), which has five parts.
    case encryptedToken
    /// Several compact JWS, with white space between them.
    case severalTokens
    /// A compact JWS, whole as far as its form tells.
    case token
    /// The beginning of a compact JWS.
    case cutToken
    /// Base64url with white space, with padding, or in the standard alphabet of RFC 4648, section
    /// 4.
    case whiteSpace, padding, otherBase64

    /// The shape of a whole input; nil for an unknown shape. It takes linear time.
    ///
    /// - Parameter ignoresMark: whether the reader takes a byte-order mark, which is no fault then.
    package init?(of bytes: Span<UInt8>, ignoresMark: Bool = false) {
        let isMarked = ignoresMark && Self.begins(bytes, with: Self.byteOrderMarkBytes)
        let bytes = bytes.extracting(droppingFirst: isMarked ? 3 : 0)
        guard let shape = Self.shapeOfBytes(bytes) ?? Self.shapeOfText(bytes) else { return nil }
        self = shape
    }

    /// Whether the input is JSON, as far as its first characters tell.
    package var isJSON: Bool { self == .json || self == .jsonArray }

    /// Whether the shape is known only by its alphabet, which says nothing about a document: a word
    /// has an alphabet as well.
    package var isAlphabet: Bool {
        self == .whiteSpace || self == .padding || self == .otherBase64
    }

    /// Whether the bytes begin as DER of a key or a certificate does. No text does.
    package static func beginsDER(_ bytes: Span<UInt8>) -> Bool {
        // 30 L 02        a SEQUENCE of L bytes that begins with a version
        // 30 L 30 L 06   one that begins with an algorithm's OBJECT IDENTIFIER
        // 30 80 to 82    a longer one, of which no more is looked at
        guard bytes.count >= 5, bytes[0] == 0x30 else { return false }
        return (0x80...0x82).contains(bytes[1]) || bytes[2] == 0x02
            || bytes[2] == 0x30 && bytes[4] == 0x06
    }

    // MARK: - What no text in UTF-8 is

    private static let byteOrderMarkBytes: [UInt8] = [0xef, 0xbb, 0xbf]

    private static func shapeOfBytes(_ bytes: Span<UInt8>) -> InputShape? {
        if begins(bytes, with: [0xff, 0xfe]) || begins(bytes, with: [0xfe, 0xff]) || isWide(bytes) {
            return .utf16
        }
        if begins(bytes, with: byteOrderMarkBytes) { return .byteOrderMark }
        if begins(bytes, with: [0x1f, 0x8b, 0x08]) { return .gzip }
        guard beginsDER(bytes) else { return nil }
        // Version 3 (RFC 7292, section 4), after a length of one octet or of several.
        let start = 2 + (bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7f))
        return begins(bytes, with: [0x02, 0x01, 0x03, 0x30], at: start) ? .pkcs12 : .der
    }

    /// Whether the bytes begin with two ASCII characters in UTF-16 without a mark.
    private static func isWide(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        let isZero = (0..<4).map { bytes[$0] == 0 }
        return isZero == [false, true, false, true] || isZero == [true, false, true, false]
    }

    // MARK: - Text

    private static func shapeOfText(_ bytes: Span<UInt8>) -> InputShape? {
        guard let first = bytes.indices.first(where: { !isSpace(bytes[$0]) }),
            let last = bytes.indices.last(where: { !isSpace(bytes[$0]) })
        else { return .empty }
        let text = bytes.extracting(first..<(last + 1))
        return shapeByBeginning(text) ?? shapeByAlphabet(text, hasSpace: text.count < bytes.count)
    }

    /// The shape of a text that its first characters name.
    private static func shapeByBeginning(_ text: Span<UInt8>) -> InputShape? {
        for (mark, shape) in marks where begins(text, with: Array(mark.utf8)) { return shape }
        switch text[0] {
        case UInt8(ascii: "#"):
            return text.indices.contains { begins(text, with: ageMark, at: $0) }
                ? .ageKey : .comment
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .quoted
        case UInt8(ascii: "{"): return .json
        case UInt8(ascii: "["):
            let next = text.indices.dropFirst().first { !isSpace(text[$0]) }
            return next.map { text[$0] } == UInt8(ascii: "{") ? .jsonArray : nil
        case UInt8(ascii: "<"):
            let isName = text.count > 1 && (text[1].isLetter || "!?".utf8.contains(text[1]))
            return isName ? .markup : nil
        default:
            let isKey = text.count >= 32 && text.count.isMultiple(of: 2)
            return isKey && text.indices.allSatisfy { text[$0].hexadecimalValue != nil }
                ? .hexadecimal : nil
        }
    }

    private static let ageMark = Array("age-secret-key-1".utf8)

    /// The first characters of shapes, in lower case. The longer of two marks comes first.
    private static let marks: [(String, InputShape)] = [
        ("-----begin openssh private key", .openSSHKey),
        ("-----begin encrypted private key", .encryptedPEM), ("-----begin ", .pem),
        ("---- begin ssh2 public key", .sshPublicKey), ("ssh-", .sshPublicKey),
        ("ecdsa-sha2-", .sshPublicKey), ("age-secret-key-1", .ageKey), ("age1", .ageKey),
        ("bearer ", .bearer), ("authorization:", .bearer), ("http/", .answer),
    ]

    /// The shape of base64 and of tokens, by the characters of the whole text.
    private static func shapeByAlphabet(_ text: Span<UInt8>, hasSpace: Bool) -> InputShape? {
        var hasSpace = hasSpace
        var hasOther = false
        var hasPadding = false
        var dotCount = 0
        var headerCount = 0
        // The characters after the last dot.
        var tail = 0
        for index in text.indices {
            let byte = text[index]
            tail += 1
            if index == 0 || isSpace(text[index - 1]), beginsHeader(text, at: index) {
                headerCount += 1
            }
            switch byte {
            case UInt8(ascii: "."):
                dotCount += 1
                tail = 0
            case UInt8(ascii: "+"), UInt8(ascii: "/"): hasOther = true
            case UInt8(ascii: "="): hasPadding = true
            case UInt8(ascii: "-"), UInt8(ascii: "_"): break
            case _ where isSpace(byte): hasSpace = true
            case _ where byte.isLetter || byte.isDigit: break
            default: return nil
            }
        }
        // A path may begin with a dot, and base64 does not.
        guard text[0] != UInt8(ascii: ".") else { return nil }
        if headerCount > 1, dotCount == 2 * headerCount { return .severalTokens }
        let isHeader = beginsHeader(text, at: 0)
        // A name may have four dots as well.
        if isHeader, dotCount == 4 { return .encryptedToken }
        // Checked first: in lines too, the standard alphabet stands for other bytes.
        if hasOther { return .otherBase64 }
        if hasSpace { return .whiteSpace }
        if hasPadding { return .padding }
        switch dotCount {
        // No base64 has one character more than whole groups of four.
        case 2: return tail % 4 == 1 ? .cutToken : .token
        case 0, 1: return isHeader ? .cutToken : nil
        // Four parts: an encrypted token whose last one was left out.
        case 3: return isHeader && tail == 0 ? .cutToken : nil
        default: return nil
        }
    }

    /// Whether the base64url of `{"`, as headers begin, is at `start`.
    private static func beginsHeader(_ text: Span<UInt8>, at start: Int) -> Bool {
        begins(text, with: Array("eyj".utf8), at: start)
            || begins(text, with: Array("eyi".utf8), at: start)
    }

    /// Whether `mark`, in lower case, is at `start`, in either case.
    private static func begins(_ text: Span<UInt8>, with mark: [UInt8], at start: Int = 0) -> Bool {
        guard text.count - start >= mark.count else { return false }
        return mark.indices.allSatisfy { text[start + $0].lowercased == mark[$0] }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == 0x0a || byte == 0x0d
    }
}
