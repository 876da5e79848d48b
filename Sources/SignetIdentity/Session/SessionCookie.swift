// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetMemory

/// The cookie that carries a session's token in browsers.
///
/// Its name begins with `__Host-`: a browser takes it from this host alone, over https (or from
/// `localhost`), for all paths, and no other subdomain can plant one. Scripts cannot read it. It
/// comes with requests that pages of other sites make: ``SiteOrigins`` refuses those that change
/// anything.
public struct SessionCookie: Sendable, Hashable {
    /// The cookie's name.
    public let name: String
    private let attributes: String

    /// A cookie. `SameSite=Lax`: it comes along when a person follows a link from another site.
    ///
    /// - Parameter name: `__Host-` and 1 to 64 letters, digits, `-` and `_`.
    /// - Throws: `invalidIdentifier` for another name.
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

    /// The value of `Set-Cookie` that keeps a session's token until it expires.
    public func setting(_ token: IssuedSessionToken) -> String {
        "\(name)=\(token.token)\(attributes); Max-Age=\(token.expiresIn)"
    }

    /// The value of `Set-Cookie` that takes the cookie away.
    public var clearing: String { "\(name)=\(attributes); Max-Age=0" }

    /// The token of a request that may present it in `Authorization` or as this cookie: as
    /// ``PresentedToken``.
    public func token(
        authorization: [String], cookies: [String]
    ) throws(BearerTokenError) -> PresentedToken {
        try PresentedToken(authorization: authorization, cookies: cookies, cookieName: name)
    }
}
