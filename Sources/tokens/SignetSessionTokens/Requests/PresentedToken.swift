// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// The token of a request that may present it as `Authorization: Bearer` or as a cookie.
///
/// A request with two different tokens is rejected: otherwise parts of a server that read different
/// tokens would act for different people.
public struct PresentedToken: Sendable {
    /// Where a token came from.
    public enum Source: Sendable, Hashable {
        /// `Authorization`, and perhaps also the cookie. Another site's page cannot make a browser
        /// send that field.
        case authorization
        /// Only the cookie. Browsers also send it for other sites' pages: requests that change
        /// anything need a defence (`SameSite`, an `Origin` check or a token).
        case cookie
    }

    /// The token, not verified yet.
    public let token: BearerToken
    /// Where the token came from.
    public let source: Source

    /// The most bytes to read of all `Cookie` fields together.
    public static let maximumCookieByteCount = 65_536

    /// Reads the values of all of a request's `Authorization` and `Cookie` fields.
    ///
    /// - Parameters:
    ///   - authorization: the values of all `Authorization` fields.
    ///   - cookies: the values of all `Cookie` fields.
    ///   - cookieName: the session cookie, compared byte by byte. The prefix `__Host-` keeps all
    ///     other hosts of the domain from setting it.
    /// - Throws: `missing` if neither `Authorization` nor the cookie is present; `conflict` if
    ///   their tokens differ; `repeated` for two cookies of the name, even equal cookies; and the
    ///   errors of ``BearerToken/init(authorization:)``: an `Authorization` of another scheme does
    ///   not fall back to the cookie.
    public init(
        authorization: [String], cookies: [String], cookieName: String
    ) throws(BearerTokenError) {
        let cookie = try Self.tokenOfCookie(cookieName, in: cookies)
        if authorization.isEmpty {
            guard let cookie else {
                throw BearerTokenError(
                    .missing, "The request presents no token, in \"Authorization\" or as a cookie.")
            }
            token = cookie
            source = .cookie
            return
        }
        let bearer = try BearerToken(authorization: authorization)
        if let cookie, !cookie.isEqual(to: bearer) {
            throw BearerTokenError(
                .conflict, "\"Authorization\" and the cookie hold different tokens.")
        }
        token = bearer
        source = .authorization
    }

    /// The token in the cookie of this name; nil if no pair has the name. RFC 6265, section 5.4:
    /// pairs separated by `; `. Pairs of any other name are ignored, even malformed pairs.
    private static func tokenOfCookie(
        _ name: String, in fields: [String]
    ) throws(BearerTokenError) -> BearerToken? {
        guard fields.reduce(0, { $0 &+ $1.utf8.count }) <= maximumCookieByteCount else {
            throw BearerTokenError(
                .tooLarge, "The cookies are longer than \(maximumCookieByteCount) bytes.")
        }
        var token: BearerToken?
        for field in fields {
            // NAME=VALUE; NAME=VALUE; …
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let text = pair.withoutOuterBlanks
                let key = text.prefix { $0 != UInt8(ascii: "=") }
                guard key.elementsEqual(name.utf8) else { continue }
                guard token == nil else {
                    throw BearerTokenError(
                        .repeated, "The request has several cookies of the session's name.")
                }
                // After the name and "=". Without "=" the value is empty, which no token is.
                guard let value = String(text.dropFirst(key.count + 1)) else {
                    throw BearerTokenError(.malformed, "The session's cookie is not text.")
                }
                token = try BearerToken(value)
            }
        }
        return token
    }
}
