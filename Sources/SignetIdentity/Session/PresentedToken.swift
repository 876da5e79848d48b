// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// The one token of a request that may present it as `Authorization: Bearer` or as a cookie.
///
/// A request that presents two different ones is refused: two parts of a server that each look at
/// another one would act for two people.
public struct PresentedToken: Sendable {
    /// Where a token stood.
    public enum Source: Sendable, Hashable {
        /// In `Authorization`, and perhaps in the cookie too. No other site's page makes a browser
        /// send that.
        case authorization
        /// In the cookie alone. A browser sends it along for pages of other sites too: what changes
        /// anything needs a defence against that (`SameSite`, an `Origin` check or a token).
        case cookie
    }

    /// The token, not verified yet.
    public let token: BearerToken
    /// Where it stood.
    public let source: Source

    /// The most bytes that are read of all `Cookie` fields together.
    public static let maximumCookieByteCount = 65_536

    /// Reads the values of a request's `Authorization` and `Cookie` fields, all of them.
    ///
    /// - Parameters:
    ///   - authorization: the values of all `Authorization` fields.
    ///   - cookies: the values of all `Cookie` fields.
    ///   - cookieName: the session cookie, compared byte by byte. `__Host-` in front keeps other
    ///     hosts of the domain from setting it.
    /// - Throws: `missing` when neither is there; `conflict` when both are and differ; `repeated`
    ///   for two cookies of the name, even if they are equal; else as
    ///   ``BearerToken/init(authorization:)``: an `Authorization` of another scheme is no reason to
    ///   look at the cookie.
    public init(
        authorization: [String], cookies: [String], cookieName: String
    ) throws(BearerTokenError) {
        let cookie = try Self.cookie(cookieName, in: cookies)
        guard !authorization.isEmpty else {
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

    /// RFC 6265, section 5.4: pairs with `; ` between them. Pairs of other names are ignored,
    /// however odd.
    private static func cookie(_ name: String, in fields: [String]) throws(BearerTokenError)
        -> BearerToken?
    {
        guard fields.reduce(0, { $0 &+ $1.utf8.count }) <= maximumCookieByteCount else {
            throw BearerTokenError(
                .tooLarge, "The cookies are longer than \(maximumCookieByteCount) bytes.")
        }
        var found: BearerToken?
        for field in fields {
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let text = pair.withoutOuterBlanks
                let key = text.prefix { $0 != UInt8(ascii: "=") }
                guard key.elementsEqual(name.utf8) else { continue }
                guard found == nil else {
                    throw BearerTokenError(
                        .repeated, "The request has several cookies of the session's name.")
                }
                guard let value = String(text.dropFirst(key.count + 1)) else {
                    throw BearerTokenError(.malformed, "The session's cookie is not text.")
                }
                found = try BearerToken(value)
            }
        }
        return found
    }
}
