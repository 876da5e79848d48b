// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a text is not an accepted mailbox. It carries nothing of the text.
///
/// The rules are checked in the order of the codes, and the first broken rule is reported. Where
/// the local part has several wrong characters, or the domain several wrong labels, the first
/// counts.
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
    /// A non-ASCII character that no option allows, or octets that are not UTF-8.
    public static var nonASCII: Self { Self(rawValue: "nonASCII") }
    /// The local part is a quoted string, and ``Mailbox/Options/allowsQuotedLocalPart`` is off.
    public static var quotedLocalPart: Self { Self(rawValue: "quotedLocalPart") }
    /// The local part begins with a quotation mark, but is no quoted string up to the '@'.
    public static var malformedQuotedString: Self { Self(rawValue: "malformedQuotedString") }
    /// A space, outside a quoted string.
    public static var space: Self { Self(rawValue: "space") }
    /// No '@'.
    public static var missingAtSign: Self { Self(rawValue: "missingAtSign") }
    /// More than one '@' outside a quoted string.
    public static var severalAtSigns: Self { Self(rawValue: "severalAtSigns") }
    /// Nothing before the '@'.
    public static var emptyLocalPart: Self { Self(rawValue: "emptyLocalPart") }
    /// Nothing after the '@'.
    public static var emptyDomain: Self { Self(rawValue: "emptyDomain") }
    /// The local part has more than 64 octets (RFC 5321, section 4.5.3.1.1).
    public static var localPartTooLong: Self { Self(rawValue: "localPartTooLong") }
    /// A parenthesis: comments belong to RFC 5322, and not to a mailbox.
    public static var comment: Self { Self(rawValue: "comment") }
    /// '%' or '!' in the local part, which some servers take for a route, while
    /// ``Mailbox/Options/allowsRouting`` is off.
    public static var routing: Self { Self(rawValue: "routing") }
    /// A character that the local part must not have outside a quoted string.
    public static var localPartCharacter: Self { Self(rawValue: "localPartCharacter") }
    /// The local part begins or ends with a dot, or has two in a row.
    public static var localPartDot: Self { Self(rawValue: "localPartDot") }
    /// The local part has the form `=?charset?q?text?=` (RFC 2047), which a program that decodes it
    /// reads as a different address.
    public static var encodedWord: Self { Self(rawValue: "encodedWord") }
    /// `[…]` instead of a domain (RFC 5321, section 4.1.3).
    public static var addressLiteral: Self { Self(rawValue: "addressLiteral") }
    /// The converter for internationalised domains rejects the domain.
    public static var unconvertibleDomain: Self { Self(rawValue: "unconvertibleDomain") }
    /// A trailing dot, while ``TrailingDotRule/strict`` applies.
    public static var trailingDot: Self { Self(rawValue: "trailingDot") }
    /// The domain has more than 253 octets (RFC 1035, section 2.3.4: 255 on the wire).
    public static var domainTooLong: Self { Self(rawValue: "domainTooLong") }
    /// The domain begins with a dot, or has two in a row.
    public static var emptyLabel: Self { Self(rawValue: "emptyLabel") }
    /// The domain has a character that is no letter, digit or hyphen.
    public static var domainCharacter: Self { Self(rawValue: "domainCharacter") }
    /// A label has more than 63 octets (RFC 1035, section 2.3.4).
    public static var labelTooLong: Self { Self(rawValue: "labelTooLong") }
    /// A label begins or ends with a hyphen.
    public static var labelHyphen: Self { Self(rawValue: "labelHyphen") }
    /// The domain has a single label.
    public static var singleLabel: Self { Self(rawValue: "singleLabel") }
    /// The last label is all digits, as in an IP address (RFC 3696, section 2).
    public static var numericTopLabel: Self { Self(rawValue: "numericTopLabel") }
    /// The organisation that the provider names is not a domain.
    public static var invalidOrganization: Self { Self(rawValue: "invalidOrganization") }
}
