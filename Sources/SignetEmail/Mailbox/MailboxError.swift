// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a text is no mailbox that is accepted here. It carries nothing of the text.
///
/// The rules are looked at in the order of the list of codes, and a text that breaks several is refused for the first.
/// Of several wrong characters in the local part the first counts, and of several wrong labels.
public struct MailboxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable, machine-readable reason, one for each rule. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The stable reason.
    public let code: Code
    /// A sentence for a person, without anything of the text that was refused.
    public let message: String

    /// An error with a code and a sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Compares codes, not sentences.
    public static func == (a: MailboxError, b: MailboxError) -> Bool { a.code == b.code }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension MailboxError.Code {
    /// There is no address: the text is empty, or the token has none.
    public static let empty = Self(rawValue: "empty")
    /// More than 254 octets (RFC 5321, section 4.5.3.1.3, less the angle brackets).
    public static let tooLong = Self(rawValue: "tooLong")
    /// A control character: NUL, tab, line feed, carriage return, DEL …
    public static let controlCharacter = Self(rawValue: "controlCharacter")
    /// A character outside ASCII, where no option lets it in; or octets that are no UTF-8.
    public static let nonASCII = Self(rawValue: "nonASCII")
    /// The local part is a quoted string, and ``Mailbox/Options/allowsQuotedLocalPart`` is off.
    public static let quotedLocalPart = Self(rawValue: "quotedLocalPart")
    /// The local part begins as a quoted string and does not end as one, in front of the '@'.
    public static let malformedQuotedString = Self(rawValue: "malformedQuotedString")
    /// A space, outside a quoted string.
    public static let space = Self(rawValue: "space")
    /// No '@'.
    public static let missingAtSign = Self(rawValue: "missingAtSign")
    /// More than one '@' outside a quoted string.
    public static let severalAtSigns = Self(rawValue: "severalAtSigns")
    /// Nothing in front of the '@'.
    public static let emptyLocalPart = Self(rawValue: "emptyLocalPart")
    /// Nothing behind the '@'.
    public static let emptyDomain = Self(rawValue: "emptyDomain")
    /// The local part has more than 64 octets (RFC 5321, section 4.5.3.1.1).
    public static let localPartTooLong = Self(rawValue: "localPartTooLong")
    /// A parenthesis: comments are RFC 5322's, and no part of a mailbox.
    public static let comment = Self(rawValue: "comment")
    /// '%' or '!' in the local part, which some servers take for a route, and ``Mailbox/Options/allowsRouting`` is off.
    public static let routing = Self(rawValue: "routing")
    /// A character that the local part may not have outside a quoted string.
    public static let localPartCharacter = Self(rawValue: "localPartCharacter")
    /// The local part begins or ends with a dot, or has two in a row.
    public static let localPartDot = Self(rawValue: "localPartDot")
    /// The local part has the form `=?charset?q?text?=` (RFC 2047), which is text in its letters and another address to
    /// a program that decodes it.
    public static let encodedWord = Self(rawValue: "encodedWord")
    /// `[…]` instead of a domain (RFC 5321, section 4.1.3).
    public static let addressLiteral = Self(rawValue: "addressLiteral")
    /// The converter of internationalised domains does not take this one.
    public static let unconvertibleDomain = Self(rawValue: "unconvertibleDomain")
    /// One dot at the end, and ``TrailingDotRule/strict`` applies.
    public static let trailingDot = Self(rawValue: "trailingDot")
    /// The domain has more than 253 octets (RFC 1035, section 2.3.4: 255 as they are sent).
    public static let domainTooLong = Self(rawValue: "domainTooLong")
    /// The domain begins with a dot, or has two in a row.
    public static let emptyLabel = Self(rawValue: "emptyLabel")
    /// A character of the domain is no letter, digit or hyphen.
    public static let domainCharacter = Self(rawValue: "domainCharacter")
    /// A label has more than 63 octets (RFC 1035, section 2.3.4).
    public static let labelTooLong = Self(rawValue: "labelTooLong")
    /// A label begins or ends with a hyphen.
    public static let labelHyphen = Self(rawValue: "labelHyphen")
    /// The domain has one label only.
    public static let singleLabel = Self(rawValue: "singleLabel")
    /// The last label is all digits, as only an IP address has it (RFC 3696, section 2).
    public static let numericTopLabel = Self(rawValue: "numericTopLabel")
    /// The provider names an organisation, and what it names is no domain.
    public static let invalidOrganization = Self(rawValue: "invalidOrganization")
}
