// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// `Quoted-string` of RFC 5321, section 4.1.2.
struct QuotedString {
    /// What it stands for, without quotes and backslashes.
    let content: [UInt8]
    /// The octets that it takes, quotes included.
    let byteCount: Int

    /// Reads one in front of an '@'; nil when there is none. Control characters have been refused
    /// before.
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

    /// A local part as it is written: quoted only where a dot-atom cannot say it.
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
