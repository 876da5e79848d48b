// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The name in a rule of a suffix list, as labels in lower-case ASCII to compare domains with.
enum SuffixName {
    /// Turns a name into ASCII.
    static func ascii(_ octets: ArraySlice<UInt8>, line: Int) throws(EmailListError) -> ArraySlice<
        UInt8
    > {
        guard octets.count <= 4 * EmailDomain.maximumByteCount else { throw notARule(line) }
        var name: [UInt8] = []
        for label in octets.split(separator: ASCII.dot, omittingEmptySubsequences: false) {
            if !name.isEmpty { name.append(ASCII.dot) }
            name += try ascii(label: label, line: line)
        }
        guard name.count <= EmailDomain.maximumByteCount else { throw notARule(line) }
        return name[...]
    }

    private static func ascii(
        label: ArraySlice<UInt8>, line: Int
    ) throws(EmailListError) -> [UInt8] {
        var label = Array(label)
        if label.contains(where: { $0 >= 0x80 }) {
            guard let text = String(validating: label, as: UTF8.self) else {
                throw EmailListError(.encoding, line: line, "It is no UTF-8.")
            }
            guard let encoded = Punycode.encode(text.unicodeScalars) else { throw notARule(line) }
            label = Array("xn--".utf8) + encoded
        }
        do throws(MailboxError) {
            try DomainParser.check(label[...])
        } catch {
            throw notARule(line)
        }
        return label.map(\.lowercased)
    }

    private static func notARule(_ line: Int) -> EmailListError {
        EmailListError(
            .line, line: line,
            "It is not a rule: labels, with '*.' or '!' in front, or a comment (//).")
    }
}
