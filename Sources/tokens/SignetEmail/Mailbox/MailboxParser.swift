// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Reads a mailbox, an address without a name, from octets: `Ann.Lee@Company.example` has the local
/// part `Ann.Lee` and the domain `company.example`. The checks are in the order of
/// ``MailboxError``'s codes.
///
/// The local part (RFC 5321, section 4.1.2) is of *atoms* with dots between them, as here, or, if
/// the options allow it, a *quoted string*, such as `"Ann Lee"@…`, whose content is returned. A `%`
/// or `!` is refused by default, because old servers take it for a *route* to a different server,
/// and an *encoded word* (`=?utf-8?q?ann?=`, RFC 2047) always, because some programs decode it.
struct MailboxParser {
    let options: Mailbox.Options

    /// No accepted address is longer before its domain is converted: UTF-8 has at most four octets
    /// a scalar.
    private static let maximumInputByteCount = 4 * (Mailbox.maximumByteCount + 1)

    func parse(_ octets: [UInt8]) throws(MailboxError) -> (local: [UInt8], domain: EmailDomain) {
        guard !octets.isEmpty else { throw Self.noAddress }
        try checkLength(octets)
        try checkCharacters(octets)
        let (local, domainText) = try split(octets)
        let domain = try EmailDomain(
            octets: domainText, trailingDot: options.trailingDot, converter: options.domainConverter
        )
        // Checked again, as it is written in the end: a converted domain may be longer. The local
        // part gets quotation marks if it needs them.
        let count = QuotedString.written(local).utf8.count + 1 + domain.octets.count
        guard count <= Mailbox.maximumByteCount else { throw Self.tooLong(count) }
        return (local, domain)
    }

    static var noAddress: MailboxError { MailboxError(.empty, "There is no address.") }

    private func checkLength(_ octets: [UInt8]) throws(MailboxError) {
        var maximum = Mailbox.maximumByteCount
        // The dot at the end of the domain is removed later.
        if options.trailingDot == .dns, octets.last == ASCII.dot { maximum += 1 }
        // A domain beyond ASCII may become shorter by its conversion.
        if options.domainConverter != nil { maximum = Self.maximumInputByteCount }
        guard octets.count <= maximum else { throw Self.tooLong(octets.count, maximum: maximum) }
    }

    private static func tooLong(
        _ byteCount: Int, maximum: Int = Mailbox.maximumByteCount
    ) -> MailboxError {
        MailboxError(
            .tooLong,
            "The address has \(byteCount) octets; it may have \(maximum).")
    }

    private func checkCharacters(_ octets: [UInt8]) throws(MailboxError) {
        let allowsUnicode = options.allowsUnicodeLocalPart || options.domainConverter != nil
        for octet in octets {
            if ASCII.isControl(octet) {
                throw MailboxError(.controlCharacter, "The address has a control character.")
            }
            if octet >= 0x80, !allowsUnicode { throw Self.nonASCII }
        }
    }

    private static var nonASCII: MailboxError {
        MailboxError(.nonASCII, "The address has a character outside ASCII.")
    }

    /// Splits an address at its '@' and checks the local part. The domain must not be empty, and is
    /// not checked any further here.
    private func split(_ octets: [UInt8]) throws(MailboxError) -> (
        local: [UInt8], domain: ArraySlice<UInt8>
    ) {
        if octets.first == ASCII.quote { return try splitQuoted(octets) }
        try checkSpaces(octets[...])
        let parts = octets.split(separator: ASCII.at, omittingEmptySubsequences: false)
        guard let local = parts.first, let domain = parts.last, parts.count > 1 else {
            throw MailboxError(.missingAtSign, "The address has no '@'.")
        }
        guard parts.count == 2 else { throw Self.severalAtSigns }
        guard !local.isEmpty else {
            throw MailboxError(.emptyLocalPart, "There is nothing before the '@'.")
        }
        try checkDomainIsThere(domain)
        try checkLocalLength(local.count)
        try checkAtoms(local)
        try checkContent(local)
        return (Array(local), domain)
    }

    /// Splits an address whose local part begins with a quotation mark, as ``split(_:)`` does.
    private func splitQuoted(
        _ octets: [UInt8]
    ) throws(MailboxError) -> (local: [UInt8], domain: ArraySlice<UInt8>) {
        guard options.allowsQuotedLocalPart else {
            throw MailboxError(
                .quotedLocalPart, "The local part is a quoted string, which is not accepted.")
        }
        guard let quoted = QuotedString(readingFrom: octets) else {
            throw MailboxError(
                .malformedQuotedString, "The quoted string does not end before an '@'.")
        }
        // After the quoted string comes the '@'.
        let domain = octets.dropFirst(quoted.byteCount + 1)
        try checkSpaces(domain)
        guard !domain.contains(ASCII.at) else { throw Self.severalAtSigns }
        try checkDomainIsThere(domain)
        try checkLocalLength(quoted.byteCount)
        guard options.allowsRouting || !quoted.content.contains(where: ASCII.isRouting) else {
            throw Self.routing
        }
        try checkContent(quoted.content[...])
        return (quoted.content, domain)
    }

    private func checkSpaces(_ octets: ArraySlice<UInt8>) throws(MailboxError) {
        guard !octets.contains(ASCII.space) else {
            throw MailboxError(.space, "The address has a space.")
        }
    }

    private func checkDomainIsThere(_ domain: ArraySlice<UInt8>) throws(MailboxError) {
        guard !domain.isEmpty else {
            throw MailboxError(.emptyDomain, "Nothing stands behind the '@'.")
        }
    }

    private func checkLocalLength(_ count: Int) throws(MailboxError) {
        guard count <= Mailbox.maximumLocalPartByteCount else {
            throw MailboxError(
                .localPartTooLong,
                "The local part has \(count) octets; it may have \(Mailbox.maximumLocalPartByteCount)."
            )
        }
    }

    /// Checks a local part that is not quoted: only characters of atoms, and dots between them.
    private func checkAtoms(_ local: ArraySlice<UInt8>) throws(MailboxError) {
        for octet in local where octet != ASCII.dot {
            if ASCII.isParenthesis(octet) {
                throw MailboxError(
                    .comment, "The local part has a parenthesis: comments are not accepted.")
            }
            if ASCII.isRouting(octet), !options.allowsRouting { throw Self.routing }
            // Characters beyond ASCII are looked at in `checkContent`.
            guard octet >= 0x80 || ASCII.isAtomText(octet) else {
                throw MailboxError(
                    .localPartCharacter, "The local part has a character that is not allowed.")
            }
        }
        let atoms = local.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        guard !atoms.contains(where: \.isEmpty) else {
            throw MailboxError(
                .localPartDot, "The local part has a dot at an end, or two in a row.")
        }
    }

    /// Checks a local part without its quotes: it must be no encoded word, and may have non-ASCII
    /// characters only if the option allows them.
    private func checkContent(_ local: ArraySlice<UInt8>) throws(MailboxError) {
        guard !EncodedWord.isIn(local) else {
            throw MailboxError(
                .encodedWord, "The local part has the form of an encoded word ('=?…?=').")
        }
        guard local.contains(where: { $0 >= 0x80 }) else { return }
        guard options.allowsUnicodeLocalPart, let text = String(validating: local, as: UTF8.self),
            text.unicodeScalars.allSatisfy(\.isWordCharacter)
        else { throw Self.nonASCII }
    }

    private static var severalAtSigns: MailboxError {
        MailboxError(.severalAtSigns, "The address has more than one '@'.")
    }

    private static var routing: MailboxError {
        MailboxError(
            .routing, "The local part has a '%' or a '!', which some servers take for a route.")
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is ASCII, or a visible letter, mark or number. Invisible scalars
    /// (variation selectors are marks, fillers are letters) and the Kelvin sign, which Unicode
    /// takes for a K, would make two addresses that look alike.
    fileprivate var isWordCharacter: Bool {
        if isASCII { return true }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
            .otherNumber:
            return value != 0x212a && !properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }
}
