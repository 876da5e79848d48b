// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

/// A name that a person chose: 3 to 20 ASCII letters and digits, `_` and `.`.
///
/// A dot stands only between characters that are not dots, and at least one letter or digit is
/// required. Non-ASCII letters are rejected: many look like different letters. Names with the same
/// ``canonical`` are equal: store it under a unique index, which alone decides who was first.
/// **Not** checked: that the name is free, and that it is inoffensive.
public struct Username: Sendable, Hashable, CustomStringConvertible {
    /// The name as written, for display.
    public let text: String
    /// The name in lower case, for the unique index and for look-ups.
    public let canonical: String

    /// Names that are never given out: without dots and underscores, in lower case.
    public static let reserved: Set<String> = [
        "abuse", "account", "accounts", "admin", "administrator", "all", "anonymous", "api",
        "auth", "billing", "contact", "deleted", "everyone", "guest", "help", "helpdesk", "here",
        "hostmaster", "info", "login", "logout", "mail", "me", "moderator", "noreply", "nobody",
        "null", "official", "owner", "postmaster", "privacy", "root", "security", "settings",
        "signin", "signout", "signup", "staff", "support", "system", "team", "undefined", "user",
        "username", "users", "verified", "webmaster", "www",
    ]

    /// A name from a form. Nothing is trimmed.
    ///
    /// - Parameters:
    ///   - text: the text that the person typed.
    ///   - reserved: names that are never given out, compared without dots and underscores, in
    ///     lower case; `a.d.min` is `admin`.
    /// - Throws: `invalidUsername`, `reservedUsername`.
    public init(
        _ text: String, reserved: Set<String> = Self.reserved
    ) throws(SignInInputError) {
        let bytes = Array(text.utf8)
        let dot = UInt8(ascii: ".")
        guard (3...20).contains(bytes.count), bytes.allSatisfy(Self.isAllowed),
            bytes.contains(where: { $0.isLetter || $0.isDigit }),
            bytes.first != dot, bytes.last != dot,
            !zip(bytes, bytes.dropFirst()).contains(where: { $0 == dot && $1 == dot })
        else {
            throw SignInInputError(
                .invalidUsername,
                "Please choose 3 to 20 letters, digits, underscores and single dots.")
        }
        // The bytes are ASCII, so that comparing the strings compares bytes.
        let bare = bytes.filter { $0.isLetter || $0.isDigit }.map(\.lowercased)
        guard !reserved.contains(String(decoding: bare, as: UTF8.self)) else {
            throw SignInInputError(.reservedUsername, "This name is reserved.")
        }
        self.text = String(decoding: bytes, as: UTF8.self)
        canonical = String(decoding: bytes.map(\.lowercased), as: UTF8.self)
    }

    /// Compares ``canonical``.
    public static func == (a: Self, b: Self) -> Bool { a.canonical == b.canonical }

    /// Hashes ``canonical``.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

    /// The name as written.
    public var description: String { text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }
}

extension SignInInputError.Code {
    /// Not a valid username.
    public static var invalidUsername: Self { Self(rawValue: "invalidUsername") }
    /// A reserved username.
    public static var reservedUsername: Self { Self(rawValue: "reservedUsername") }
}
