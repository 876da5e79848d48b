// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a text is no mailbox that is accepted here. It carries nothing of the text.
///
/// The rules are looked at in the order of the list of codes, and a text that breaks several is
/// refused for the first. Of several wrong characters in the local part the first counts, and of
/// several wrong labels.
public typealias MailboxError = CodedError<MailboxErrorDomain>

/// The domain of ``MailboxError``.
public enum MailboxErrorDomain: ErrorDomain {}

extension MailboxError.Code {
    /// There is no address: the text is empty, or the token has none.
    public static var empty: Self { Self(rawValue: "empty") }
    /// More than 254 octets (RFC 5321, section 4.5.3.1.3, less the angle brackets).
    public static var tooLong: Self { Self(rawValue: "tooLong") }
    /// A control character: NUL, tab, line feed, carriage return, DEL …
    public static var controlCharacter: Self { Self(rawValue: "controlCharacter") }
    /// A character outside ASCII, where no option lets it in; or octets that are no UTF-8.
    public static var nonASCII: Self { Self(rawValue: "nonASCII") }
    /// The local part is a quoted string, and ``Mailbox/Options/allowsQuotedLocalPart`` is off.
    public static var quotedLocalPart: Self { Self(rawValue: "quotedLocalPart") }
    /// The local part begins as a quoted string and does not end as one, in front of the '@'.
    public static var malformedQuotedString: Self { Self(rawValue: "malformedQuotedString") }
    /// A space, outside a quoted string.
    public static var space: Self { Self(rawValue: "space") }
    /// No '@'.
    public static var missingAtSign: Self { Self(rawValue: "missingAtSign") }
    /// More than one '@' outside a quoted string.
    public static var severalAtSigns: Self { Self(rawValue: "severalAtSigns") }
    /// Nothing in front of the '@'.
    public static var emptyLocalPart: Self { Self(rawValue: "emptyLocalPart") }
    /// Nothing after the '@'.
    public static var emptyDomain: Self { Self(rawValue: "emptyDomain") }
    /// The local part has more than 64 octets (RFC 5321, section 4.5.3.1.1).
    public static var localPartTooLong: Self { Self(rawValue: "localPartTooLong") }
    /// A parenthesis: comments are RFC 5322's, and no part of a mailbox.
    public static var comment: Self { Self(rawValue: "comment") }
    /// '%' or '!' in the local part, which some servers take for a route, and
    /// ``Mailbox/Options/allowsRouting`` is off.
    public static var routing: Self { Self(rawValue: "routing") }
    /// A character that the local part may not have outside a quoted string.
    public static var localPartCharacter: Self { Self(rawValue: "localPartCharacter") }
    /// The local part begins or ends with a dot, or has two in a row.
    public static var localPartDot: Self { Self(rawValue: "localPartDot") }
    /// The local part has the form `=?charset?q?text?=` (RFC 2047), which is text in its letters
    /// and another address to a program that decodes it.
    public static var encodedWord: Self { Self(rawValue: "encodedWord") }
    /// `[…]` instead of a domain (RFC 5321, section 4.1.3).
    public static var addressLiteral: Self { Self(rawValue: "addressLiteral") }
    /// The converter of internationalised domains does not take this one.
    public static var unconvertibleDomain: Self { Self(rawValue: "unconvertibleDomain") }
    /// One dot at the end, and ``TrailingDotRule/strict`` applies.
    public static var trailingDot: Self { Self(rawValue: "trailingDot") }
    /// The domain has more than 253 octets (RFC 1035, section 2.3.4: 255 as they are sent).
    public static var domainTooLong: Self { Self(rawValue: "domainTooLong") }
    /// The domain begins with a dot, or has two in a row.
    public static var emptyLabel: Self { Self(rawValue: "emptyLabel") }
    /// The domain has a character other than a letter, digit or hyphen.
    public static var domainCharacter: Self { Self(rawValue: "domainCharacter") }
    /// A label has more than 63 octets (RFC 1035, section 2.3.4).
    public static var labelTooLong: Self { Self(rawValue: "labelTooLong") }
    /// A label begins or ends with a hyphen.
    public static var labelHyphen: Self { Self(rawValue: "labelHyphen") }
    /// The domain has one label only.
    public static var singleLabel: Self { Self(rawValue: "singleLabel") }
    /// The last label is all digits, as only an IP address has it (RFC 3696, section 2).
    public static var numericTopLabel: Self { Self(rawValue: "numericTopLabel") }
    /// The organisation that the provider names is not a domain.
    public static var invalidOrganization: Self { Self(rawValue: "invalidOrganization") }
}
