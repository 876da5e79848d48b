// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// `Quoted-string` of RFC 5321, section 4.1.2.
struct QuotedString {
    /// The value of the string, without quotes and backslashes.
    let content: [UInt8]
    /// The number of octets as written, quotes included.
    let byteCount: Int

    /// Reads a quoted string before an '@'; nil if there is none. Control characters are already
    /// rejected.
    init?(readingFrom octets: [UInt8]) {
        var content: [UInt8] = []
        var isEscaped = false
        for (index, octet) in octets.enumerated().dropFirst() {
            if isEscaped {
                guard octet < 0x80 else { return nil }
                content.append(octet)
                isEscaped = false
            } else if octet == ASCII.backslash {
                isEscaped = true
            } else if octet == ASCII.quote {
                guard octets.dropFirst(index + 1).first == ASCII.at else { return nil }
                self.content = content
                byteCount = index + 1
                return
            } else {
                content.append(octet)
            }
        }
        return nil
    }

    /// A local part as written: quoted only if a dot-atom cannot express it.
    static func written(_ content: [UInt8]) -> String {
        let atoms = content.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        if atoms.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 >= 0x80 || ASCII.isAtomText($0) } })
        {
            return String(decoding: content, as: UTF8.self)
        }
        var written: [UInt8] = [ASCII.quote]
        for octet in content {
            if octet == ASCII.quote || octet == ASCII.backslash { written.append(ASCII.backslash) }
            written.append(octet)
        }
        written.append(ASCII.quote)
        return String(decoding: written, as: UTF8.self)
    }
}
