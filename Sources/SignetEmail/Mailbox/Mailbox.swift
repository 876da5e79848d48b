// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An e-mail address as RFC 5321 (section 4.1.2, `Mailbox`) has it: `Local-part "@" Domain`, and
/// nothing else.
///
/// ```swift
/// let mailbox = try Mailbox("Ada@Company.example")
/// print(mailbox.domain, mailbox.localPart)
/// ```
///
/// Accepted: a dot-atom of 1 to 64 octets, exactly one '@', a domain as ``EmailDomain`` reads it,
/// 254 octets in all. Refused: whatever only RFC 5322 allows (white space, comments, display names,
/// groups, lists, encoded words), address literals, control characters, and, unless an option says
/// otherwise, quoted local parts, '%' and '!', everything outside ASCII. Each has a reason of its
/// own in ``MailboxError``.
///
/// **Not** checked: whether the domain exists, takes mail, or knows the address; whose it is (see
/// ``EmailClaims``). Two mailboxes are equal when their local parts are, octet by octet (case
/// counts there: only the domain's owner knows whether `Ann` and `ann` are one person), and their
/// domains are, without case. An address is not a key for an account: it can be reassigned to
/// another person.
public struct Mailbox: Sendable, Hashable, CustomStringConvertible {
    /// What else is accepted. Everything is off by itself.
    public struct Options: Sendable {
        /// Whether `"john doe"@company.example` is accepted (RFC 5321, `Quoted-string`). Many
        /// programs read such addresses wrongly: what looks like the domain may stand inside the
        /// quotes.
        public var allowsQuotedLocalPart: Bool
        /// Whether the local part may have '%' and '!', which some servers take for a route to
        /// another host.
        public var allowsRouting: Bool
        /// Whether the local part may have letters, marks and numbers outside ASCII (RFC 6531,
        /// which has more: symbols, punctuation and invisible characters are refused). They are
        /// compared as they are written: one text may have several spellings (Unicode normalisation
        /// is not applied).
        public var allowsUnicodeLocalPart: Bool
        /// What a dot at the end of the domain is.
        public var trailingDot: TrailingDotRule
        /// Turns a domain outside ASCII into its ASCII form; without one such domains are refused.
        /// Read its documentation before setting one.
        public var domainConverter: (any DomainConverter)?

        /// Options; without arguments the strict ones.
        public init(
            allowsQuotedLocalPart: Bool = false, allowsRouting: Bool = false,
            allowsUnicodeLocalPart: Bool = false, trailingDot: TrailingDotRule = .strict,
            domainConverter: (any DomainConverter)? = nil
        ) {
            self.allowsQuotedLocalPart = allowsQuotedLocalPart
            self.allowsRouting = allowsRouting
            self.allowsUnicodeLocalPart = allowsUnicodeLocalPart
            self.trailingDot = trailingDot
            self.domainConverter = domainConverter
        }
    }

    /// The most octets that an address may have.
    public static let maximumByteCount = 254
    /// The most octets that a local part may have, quotes included.
    public static let maximumLocalPartByteCount = 64

    /// What stands behind the '@'.
    public let domain: EmailDomain
    let localOctets: [UInt8]

    /// Reads an address.
    ///
    /// - Throws: ``MailboxError`` with the rule that the text breaks.
    public init(_ text: String, options: Options = Options()) throws(MailboxError) {
        try self.init(octets: Array(text.utf8), options: options)
    }

    /// Reads an address from octets of whatever origin.
    ///
    /// - Throws: ``MailboxError``; `nonASCII` also for octets that are no UTF-8.
    public init(octets: [UInt8], options: Options = Options()) throws(MailboxError) {
        let parts = try MailboxParser(options: options).parse(octets)
        localOctets = parts.local
        domain = parts.domain
    }

    /// What stands in front of the '@', without the quotes and backslashes of a quoted string.
    public var localPart: String { String(decoding: localOctets, as: UTF8.self) }

    /// The address: the local part quoted only if it must be, the domain in lower case. It parses
    /// to an equal mailbox under the same options.
    public var text: String { QuotedString.written(localOctets) + "@" + domain.text }

    /// The same as ``text``.
    public var description: String { text }
}
