// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A path as a Swift string, whatever its bytes are.
///
/// A path of Linux is bytes, and making a string of them replaces those that are not UTF-8: two
/// paths become one, and the file of neither is opened. Here each byte that is not UTF-8 is written
/// as two noncharacters, U+FDD0 and its upper half, U+FDE0 and its lower half. Unicode keeps
/// noncharacters for use inside a program. Bytes that spell one of these noncharacters are written
/// in the same way, so every path has a text of its own, and ``bytes(of:)`` gives its bytes back.
/// Texts may be cut and joined at a slash, or at any other ASCII character.
///
/// No pair stands for an ASCII character: a text that someone chose hides no slash and no `..`.
package enum PathText {
    /// The text of a path.
    package static func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: isReserved)
        {
            return text
        }
        var text = ""
        var rest = bytes[...]
        while !rest.isEmpty {
            let (scalar, count) = scalar(at: rest)
            if let scalar, !isReserved(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                for byte in rest.prefix(count) {
                    text.unicodeScalars.append(contentsOf: pair(byte))
                }
            }
            rest = rest.dropFirst(count)
        }
        return text
    }

    /// The bytes of the path that a text of ``text(of:)`` stands for. Any other text gives its
    /// UTF-8.
    package static func bytes(of text: String) -> [UInt8] {
        guard hasPairs(text) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        var upper: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if let first = upper {
                upper = nil
                if let byte = byte(upper: first, lower: scalar) {
                    bytes.append(byte)
                    continue
                }
                bytes.append(contentsOf: String(first).utf8)
            }
            if isUpper(scalar) {
                upper = scalar
            } else {
                bytes.append(contentsOf: String(scalar).utf8)
            }
        }
        if let upper { bytes.append(contentsOf: String(upper).utf8) }
        return bytes
    }

    /// How many bytes a path has.
    package static func byteCount(of text: String) -> Int { bytes(of: text).count }

    /// The text of a name that is not a path; nil if its bytes are not UTF-8.
    package static func name(_ text: String) -> String? {
        hasPairs(text) ? String(validating: bytes(of: text), as: UTF8.self) : text
    }

    /// Whether a text has pairs of noncharacters, which stand for bytes that are not UTF-8.
    package static func hasPairs(_ text: String) -> Bool {
        var upper: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if let upper, byte(upper: upper, lower: scalar) != nil { return true }
            upper = isUpper(scalar) ? scalar : nil
        }
        return false
    }

    // MARK: Scalars

    /// The first scalar of some bytes, nil if they do not begin with UTF-8, and the number of bytes
    /// to step over: at least one.
    static func scalar(at bytes: ArraySlice<UInt8>) -> (Unicode.Scalar?, Int) {
        var decoder = UTF8.ForwardParser()
        var source = bytes.makeIterator()
        switch decoder.parseScalar(from: &source) {
        case .valid(let encoded): return (UTF8.decode(encoded), max(1, encoded.count))
        case .error(let length): return (nil, max(1, length))
        case .emptyInput: return (nil, 1)
        }
    }

    private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
        isUpper(scalar) || isLower(scalar)
    }

    private static func isUpper(_ scalar: Unicode.Scalar) -> Bool {
        (0xfdd0...0xfddf).contains(scalar.value)
    }

    private static func isLower(_ scalar: Unicode.Scalar) -> Bool {
        (0xfde0...0xfdef).contains(scalar.value)
    }

    private static func pair(_ byte: UInt8) -> [Unicode.Scalar] {
        [0xfdd0 + UInt32(byte >> 4), 0xfde0 + UInt32(byte & 0x0f)].compactMap { Unicode.Scalar($0) }
    }

    /// The byte of a pair; nil if the scalars are no pair, and for an ASCII character, which has no
    /// pair.
    private static func byte(upper: Unicode.Scalar, lower: Unicode.Scalar) -> UInt8? {
        guard isUpper(upper), isLower(lower) else { return nil }
        return UInt8(exactly: (upper.value & 0x0f) << 4 | lower.value & 0x0f).flatMap {
            $0 >= 0x80 ? $0 : nil
        }
    }
}
