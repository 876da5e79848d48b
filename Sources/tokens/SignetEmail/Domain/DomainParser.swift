// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Reads the domain of an e-mail address from octets, and gives it as lower-case ASCII:
/// `Company.EXAMPLE` becomes `company.example`. Its parts are *labels*. The checks are in the order
/// of ``MailboxError``'s codes.
struct DomainParser {
    /// Whether `company.example.` is accepted, as DNS writes names. The dot is removed then.
    let trailingDot: TrailingDotRule
    /// Converts a domain beyond ASCII, such as `bücher.example`, into its form with `xn--`. Without
    /// a converter, such a domain is refused.
    let converter: (any DomainConverter)?

    /// The longest input for a converter, in octets.
    private static let maximumInputByteCount = 1024

    func parse(_ input: ArraySlice<UInt8>) throws(MailboxError) -> [UInt8] {
        guard !input.isEmpty else { throw MailboxError(.emptyDomain, "There is no domain.") }
        guard input.first != ASCII.bracket else {
            throw MailboxError(
                .addressLiteral, "An address literal ('[…]') stands in place of a domain.")
        }
        let octets = try withoutTrailingDot(converted(input))
        guard octets.count <= EmailDomain.maximumByteCount else {
            throw MailboxError(
                .domainTooLong,
                "The domain has \(octets.count) octets; it may have \(EmailDomain.maximumByteCount)."
            )
        }
        let labels = octets.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        for label in labels { try Self.check(label) }
        guard let last = labels.last, labels.count > 1 else {
            throw MailboxError(
                .singleLabel, "The domain has one label only; company.example has two.")
        }
        guard !last.allSatisfy(\.isDigit) else {
            throw MailboxError(.numericTopLabel, "The last label of the domain is all digits.")
        }
        return octets.map(\.lowercased)
    }

    /// The domain in ASCII: the input itself, or what the converter makes of it.
    private func converted(_ input: ArraySlice<UInt8>) throws(MailboxError) -> ArraySlice<UInt8> {
        guard input.contains(where: { $0 >= 0x80 }) else { return input }
        guard let converter else { throw Self.nonASCII }
        guard input.count <= Self.maximumInputByteCount else {
            throw MailboxError(
                .domainTooLong,
                "The domain has \(input.count) octets before its conversion; it may have \(Self.maximumInputByteCount)."
            )
        }
        guard let text = String(validating: input, as: UTF8.self) else { throw Self.nonASCII }
        guard let ascii = converter.asciiDomain(text) else {
            throw MailboxError(.unconvertibleDomain, "The domain has no form in ASCII.")
        }
        let octets = Array(ascii.utf8)
        guard octets.allSatisfy({ $0 < 0x80 }) else { throw Self.nonASCII }
        return octets[...]
    }

    private static var nonASCII: MailboxError {
        MailboxError(.nonASCII, "The domain has a character outside ASCII.")
    }

    private func withoutTrailingDot(
        _ octets: ArraySlice<UInt8>
    ) throws(MailboxError) -> ArraySlice<UInt8> {
        let withoutDot = octets.dropLast()
        // Two dots at the end mean an empty label, which is refused later.
        guard octets.last == ASCII.dot, let before = withoutDot.last, before != ASCII.dot else {
            return octets
        }
        switch trailingDot {
        case .dns: return withoutDot
        case .strict: throw MailboxError(.trailingDot, "The domain ends with a dot.")
        }
    }

    /// Checks a label: 1 to 63 letters, digits and hyphens, without a hyphen at an end.
    static func check(_ label: ArraySlice<UInt8>) throws(MailboxError) {
        guard !label.isEmpty else {
            throw MailboxError(.emptyLabel, "The domain begins with a dot, or has two in a row.")
        }
        for octet in label where !(octet.isLetter || octet.isDigit || octet == ASCII.hyphen) {
            if ASCII.isParenthesis(octet) {
                throw MailboxError(
                    .comment, "The domain has a parenthesis: comments are not accepted.")
            }
            throw MailboxError(
                .domainCharacter, "The domain has a character other than a letter, digit or hyphen."
            )
        }
        guard label.count <= EmailDomain.maximumLabelByteCount else {
            throw MailboxError(
                .labelTooLong,
                "A label of the domain has \(label.count) octets; it may have \(EmailDomain.maximumLabelByteCount)."
            )
        }
        guard label.first != ASCII.hyphen, label.last != ASCII.hyphen else {
            throw MailboxError(.labelHyphen, "A label of the domain begins or ends with a hyphen.")
        }
    }
}
