// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetMemory

/// The cookie that carries a session's token in browsers.
///
/// Its name begins with `__Host-`: browsers accept it only from this host over https (or from
/// `localhost`) and for all paths, and no subdomain can plant it. Scripts cannot read the cookie.
/// Browsers also send it with requests from other sites' pages; use `SiteOrigins` to reject
/// requests that change anything.
public struct SessionCookie: Sendable, Hashable {
    /// The cookie's name.
    public let name: String
    private let attributes: String

    /// Makes a cookie with `SameSite=Lax`: browsers send it when a person follows a link from
    /// another site.
    ///
    /// - Parameter name: `__Host-` and 1 to 64 letters, digits, `-` and `_`.
    /// - Throws: `invalidIdentifier` for a name of any other form.
    public init(name: String = "__Host-session") throws(IdentityConfigurationError) {
        let isAllowed = name.utf8.dropFirst(Self.prefix.count).allSatisfy { octet in
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard name.utf8.starts(with: Self.prefix), isAllowed,
            (1...64).contains(name.utf8.count - Self.prefix.count)
        else {
            throw IdentityConfigurationError(
                .invalidIdentifier,
                "A session's cookie is named \"__Host-\" and 1 to 64 letters, digits, - and _.")
        }
        self.name = name
        attributes = "; Path=/; Secure; HttpOnly; SameSite=Lax"
    }

    private static let prefix = Array("__Host-".utf8)

    /// The value of `Set-Cookie` that stores a session's token until it expires.
    public func setting(_ token: IssuedSessionToken) -> String {
        "\(name)=\(token.token)\(attributes); Max-Age=\(token.expiresIn)"
    }

    /// The value of `Set-Cookie` that removes the cookie.
    public var clearing: String { "\(name)=\(attributes); Max-Age=0" }

    /// The token of a request, from `Authorization` or this cookie, by the rules and with the
    /// errors of ``PresentedToken/init(authorization:cookies:cookieName:)``.
    public func token(
        authorization: [String], cookies: [String]
    ) throws(BearerTokenError) -> PresentedToken {
        try PresentedToken(authorization: authorization, cookies: cookies, cookieName: name)
    }
}
