// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An e-mail address by RFC 5321 (section 4.1.2, `Mailbox`): `Local-part "@" Domain`, and nothing
/// else.
///
/// ```swift
/// let mailbox = try Mailbox("Ada@Company.example")
/// print(mailbox.domain, mailbox.localPart)
/// ```
///
/// Accepted: a dot-atom of 1 to 64 octets, exactly one '@', a domain as ``EmailDomain`` reads it,
/// 254 octets in all. Rejected: what only RFC 5322 allows (white space, comments, display names,
/// groups, lists, encoded words), address literals, control characters and, unless an option allows
/// them, quoted local parts, '%' and '!', and non-ASCII characters. ``MailboxError`` has a code for
/// each.
///
/// **Not** checked: whether the domain exists, takes mail, or knows the address; whose it is (see
/// ``EmailClaims``). Two mailboxes are equal when their local parts are, octet by octet, and their
/// domains are, ignoring case. Case counts in the local part: only the domain's owner knows whether
/// `Ann` and `ann` are the same person. Do not key accounts by an address: it can be reassigned to
/// a new owner.
public struct Mailbox: Sendable, Hashable, CustomStringConvertible {
    /// Which further forms to accept. Everything is off by default.
    public struct Options: Sendable {
        /// Whether `"john doe"@company.example` is accepted (RFC 5321, `Quoted-string`). Many
        /// programs misread quoted addresses: what looks like the domain may be inside the quotes.
        public var allowsQuotedLocalPart: Bool
        /// Whether the local part may have '%' and '!', which some servers take for a route to a
        /// different host.
        public var allowsRouting: Bool
        /// Whether the local part may have non-ASCII letters, marks and numbers. (RFC 6531 allows
        /// more; symbols, punctuation and invisible characters are rejected.) They are compared as
        /// written: Unicode normalisation is not applied, so a text may have several spellings.
        public var allowsUnicodeLocalPart: Bool
        /// How to treat a trailing dot of the domain.
        public var trailingDot: TrailingDotRule
        /// Converts a non-ASCII domain to its ASCII form; nil rejects non-ASCII domains. Read
        /// ``DomainConverter`` before setting a converter.
        public var domainConverter: (any DomainConverter)?

        /// Makes options; the defaults are strict.
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

    /// The longest address, in octets.
    public static let maximumByteCount = 254
    /// The longest local part, in octets, quotes included.
    public static let maximumLocalPartByteCount = 64

    /// The text after the '@'.
    public let domain: EmailDomain
    let localOctets: [UInt8]

    /// Reads an address.
    ///
    /// - Throws: ``MailboxError`` with the rule that the text breaks.
    public init(_ text: String, options: Options = Options()) throws(MailboxError) {
        try self.init(octets: Array(text.utf8), options: options)
    }

    /// Reads an address from octets of any origin.
    ///
    /// - Throws: ``MailboxError``; `nonASCII` also for octets that are not UTF-8.
    public init(octets: [UInt8], options: Options = Options()) throws(MailboxError) {
        let parts = try MailboxParser(options: options).parse(octets)
        localOctets = parts.local
        domain = parts.domain
    }

    /// The text before the '@', without the quotes and backslashes of a quoted string.
    public var localPart: String { String(decoding: localOctets, as: UTF8.self) }

    /// The address: the local part quoted only if it must be, the domain in lower case. It parses
    /// to an equal mailbox under the same options.
    public var text: String { QuotedString.written(localOctets) + "@" + domain.text }

    /// The address as text.
    public var description: String { text }
}
