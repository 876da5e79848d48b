// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A token of Auth.js, with which a website signs people in, from a request's cookies. The token is
/// encrypted and not opened yet. Printing shows nothing of it.
///
/// A short token is in one cookie, a long one in parts, in any order:
///
/// - `authjs.session-token=WHOLE`
/// - `authjs.session-token.0=BEGINNING; authjs.session-token.1=END`
///
/// It comes from cookies only: a token of the field `Authorization` is a ``BearerToken``.
public struct AuthJSToken: Sendable, Redacted {
    /// The most cookies that a token may be spread over.
    public static let maximumPartCount = 8
    /// The longest token, in bytes.
    public static let maximumByteCount = 32_768

    let bytes: [UInt8]

    /// Reads the cookie of a name, or its parts, from the values of a request's `Cookie` fields.
    init(cookies fields: [String], named name: String) throws(BearerTokenError) {
        guard
            fields.reduce(0, { $0 &+ $1.utf8.count }) <= PresentedToken.maximumCookieByteCount
        else {
            throw BearerTokenError(
                .tooLarge,
                "The cookies are longer than \(PresentedToken.maximumCookieByteCount) bytes.")
        }
        var found = TokenCookies()
        for field in fields {
            // NAME=VALUE; NAME=VALUE; …
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let text = pair.withoutOuterBlanks
                let key = text.prefix { $0 != UInt8(ascii: "=") }
                // After the name and "=". Auth.js skips empty cookies, whatever their number: a
                // server may have cleared them.
                let value = text.dropFirst(key.count + 1)
                guard key.starts(with: name.utf8), !value.isEmpty else { continue }
                let role = try CookieRole(Array(key.dropFirst(name.utf8.count)))
                try found.add(Array(value), as: role)
            }
        }
        bytes = try found.joined()
        guard bytes.count <= Self.maximumByteCount else {
            throw BearerTokenError(
                .tooLarge,
                "The session's cookies are longer than \(Self.maximumByteCount) bytes.")
        }
    }
}

/// The cookies of one token that a request has.
private struct TokenCookies {
    private var whole: [UInt8]?
    private var parts: [Int: [UInt8]] = [:]

    mutating func add(_ value: [UInt8], as role: CookieRole) throws(BearerTokenError) {
        switch role {
        case .other: return
        case .whole:
            guard whole == nil else { throw Self.repeated }
            whole = value
        case .part(let number):
            guard parts[number] == nil else { throw Self.repeated }
            parts[number] = value
        }
    }

    /// The token: the whole cookie, or all parts in their order.
    func joined() throws(BearerTokenError) -> [UInt8] {
        // Auth.js removes one kind when it writes the other, so somebody else may have set these.
        guard whole == nil || parts.isEmpty else { throw Self.repeated }
        if let whole { return whole }
        guard let last = parts.keys.max() else {
            throw BearerTokenError(.missing, "The request has no cookie of the session.")
        }
        // Different numbers from 0 to `last` leave no gap only if there are so many.
        guard last == parts.count - 1 else {
            throw BearerTokenError(
                .malformed, "A part of the session's cookies is missing before its last one.")
        }
        return parts.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    private static var repeated: BearerTokenError {
        BearerTokenError(.repeated, "The request has several cookies of the session's name.")
    }
}

/// What a cookie holds, by what follows the session's name in its name.
private enum CookieRole {
    case whole
    case part(Int)
    /// Nothing of the session.
    case other

    /// An empty suffix is the whole token, `.0` to `.7` a part. A suffix without a number belongs
    /// to another cookie.
    init(_ suffix: [UInt8]) throws(BearerTokenError) {
        let number = suffix.dropFirst()
        guard let first = suffix.first else {
            self = .whole
            return
        }
        guard first == UInt8(ascii: "."), let digit = number.first, number.allSatisfy(\.isDigit)
        else {
            self = .other
            return
        }
        guard number.count == 1 || digit != UInt8(ascii: "0") else {
            throw BearerTokenError(
                .malformed, "The number of a session's cookie has zeros in front.")
        }
        let index = Int(digit &- UInt8(ascii: "0"))
        guard number.count == 1, index < AuthJSToken.maximumPartCount else {
            throw BearerTokenError(
                .tooLarge, "The session has more than \(AuthJSToken.maximumPartCount) cookies.")
        }
        self = .part(index)
    }
}
