// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// A token that a request presented (RFC 6750), as in `Authorization: Bearer abc.def-123`. It is
/// not verified yet. Printing shows nothing of it.
///
/// ```swift
/// let bearer = try BearerToken(authorization: fields)
/// let session = try sessions.verify(bearer)
/// ```
public struct BearerToken: Sendable, Redacted {
    /// The longest token that is read, in bytes.
    public static let maximumByteCount = 16_384

    /// The token. Any holder of it is signed in: pass it only to a verifier.
    public let exposedText: String

    /// Reads the values of all of a request's `Authorization` fields.
    ///
    /// Strict: exactly one field; the scheme `Bearer`, in any ASCII case (RFC 9110, section 11.1;
    /// many clients write `bearer`); at least one space; then a token of letters, digits, `-._~+/`,
    /// with `=` only at its end (RFC 6750, section 2.1). The field has at most 16,391 bytes. The
    /// HTTP server must remove white space around it. Tokens in a form body or a query (RFC 6750,
    /// sections 2.2 and 2.3) are not supported: they end up in logs.
    ///
    /// - Throws: `missing`, `repeated`, `otherScheme`, `malformed`, `tooLarge`.
    public init(authorization values: [String]) throws(BearerTokenError) {
        guard let value = values.first else {
            throw BearerTokenError(.missing, "The request has no \"Authorization\" field.")
        }
        guard values.count == 1 else {
            throw BearerTokenError(.repeated, "The request has several \"Authorization\" fields.")
        }
        let octets = value.utf8
        // Checks the length first.
        guard octets.count <= "Bearer ".utf8.count + Self.maximumByteCount else {
            throw Self.tooLarge
        }
        let scheme = octets.prefix { $0 != UInt8(ascii: " ") }
        // 0x20 turns a capital letter into a small one.
        guard scheme.count == 6, zip(scheme, "bearer".utf8).allSatisfy({ $0 | 0x20 == $1 }) else {
            throw BearerTokenError(.otherScheme, "The scheme of \"Authorization\" is not Bearer.")
        }
        let rest = octets.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") }
        guard let token = String(rest) else {
            throw BearerTokenError(.malformed, "The field \"Authorization\" is not text.")
        }
        try self.init(token)
    }

    /// Reads a token from elsewhere, such as a cookie, by the same rules.
    ///
    /// - Throws: `malformed`, `tooLarge`.
    public init(_ text: some StringProtocol) throws(BearerTokenError) {
        guard text.utf8.count <= Self.maximumByteCount else { throw Self.tooLarge }
        let text = String(text)
        guard Self.isToken(text.utf8.span) else { throw Self.malformed }
        exposedText = text
    }

    /// Whether the two tokens are the same, in time that depends only on their lengths.
    public func isEqual(to other: BearerToken) -> Bool {
        constantTimeEqual(exposedText.utf8.span, other.exposedText.utf8.span)
    }

    /// Whether the octets are at least one token character, then `=` at the end only. Every request
    /// checks its token here.
    private static func isToken(_ octets: Span<UInt8>) -> Bool {
        var end = octets.count
        while end > 0, octets[end - 1] == UInt8(ascii: "=") { end -= 1 }
        for index in 0..<end where !isTokenCharacter(octets[index]) { return false }
        return end > 0
    }

    private static func isTokenCharacter(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: octet.isLetter || octet.isDigit
        }
    }

    private static var malformed: BearerTokenError {
        BearerTokenError(
            .malformed, "After \"Bearer\" come spaces and a token of RFC 6750's characters.")
    }

    private static var tooLarge: BearerTokenError {
        BearerTokenError(.tooLarge, "The token is longer than \(maximumByteCount) bytes.")
    }
}
