// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The form of a `sub`. Every rule rejects a `sub` of spaces alone.
public enum SubjectRule: Sendable, Hashable {
    /// 1 byte up to this many of printable ASCII (OpenID Connect Core, section 2: at most 255 ASCII
    /// characters).
    case text(maximumByteCount: Int)
    /// 1 byte up to this many of UTF-8, without control characters (including those from U+0080 on)
    /// and line separators, for names that people give to environments and branches. A name may
    /// still look like a different name, through letters of several scripts or writing directions.
    case unicode(maximumByteCount: Int)
    /// A UUID in lower case.
    case uuid
    /// Only for access tokens: `sub` may be absent, `null` or empty if the token names its client
    /// (the same in every claim) and shows no person, that is, has none of `sid`, `auth_time`,
    /// `acr`, `amr`, `nonce`, `preferred_username`, `email`, `name` and `username`. The principal
    /// is then the client. If there is a `sub`, its form is `.unicode(maximumByteCount: 1_024)`.
    case absentForClients

    /// Azure AD B2C can be configured to write this `sub` for all users, who would then be one
    /// person.
    private static let subjectOfEverybody = "Not supported currently. Use oid claim."

    /// The longest `sub` of ``absentForClients``.
    private static let maximumByteCountOfClients = 1_024

    func accepts(_ subject: ReceivedText) -> Bool {
        // An empty `sub` has nothing but spaces, too.
        guard !subject.isEqual(to: Self.subjectOfEverybody),
            !subject.utf8.allSatisfy({ $0 == 0x20 })
        else {
            return false
        }
        return switch self {
        case .text(let maximum):
            subject.byteCount <= maximum
                && subject.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        case .unicode(let maximum): Self.isUnicode(subject, maximumByteCount: maximum)
        case .absentForClients:
            Self.isUnicode(subject, maximumByteCount: Self.maximumByteCountOfClients)
        case .uuid: Identifier.isGUID(subject.utf8)
        }
    }

    /// The accepted form, for messages.
    var form: ErrorMessage {
        switch self {
        case .text(let maximum): "1 to \(maximum) bytes of printable ASCII, not only blanks"
        case .unicode(let maximum): Self.form(maximum)
        case .absentForClients: Self.form(Self.maximumByteCountOfClients)
        case .uuid: "a UUID in lower case"
        }
    }

    private static func form(_ maximum: Int) -> ErrorMessage {
        "1 to \(maximum) bytes of UTF-8 without control characters, not only blanks"
    }

    private static func isUnicode(_ subject: ReceivedText, maximumByteCount maximum: Int) -> Bool {
        subject.byteCount <= maximum
            && subject.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } && !holdsControls(subject)
    }

    /// Whether it holds U+0080 to U+009F, which control terminals, U+2028 or U+2029.
    private static func holdsControls(_ subject: ReceivedText) -> Bool {
        // The two octets before the present octet.
        var secondLast: UInt8?
        var last: UInt8?
        for octet in subject.utf8 {
            // In UTF-8, U+0080 to U+009F are C2 80 to C2 9F.
            let isControl = last == 0xc2 && octet < 0xa0
            // In UTF-8, U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
            let isSeparator = secondLast == 0xe2 && last == 0x80 && (0xa8...0xa9).contains(octet)
            if isControl || isSeparator { return true }
            secondLast = last
            last = octet
        }
        return false
    }
}
