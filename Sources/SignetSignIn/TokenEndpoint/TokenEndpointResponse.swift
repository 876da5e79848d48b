// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A token endpoint's successful response (RFC 6749, section 5.1; OpenID Connect Core 1.0, section
/// 3.1.3.3). Printing it shows no token.
///
/// Nothing in it has been verified: the ID token goes to an ID token verifier, with the nonce of
/// the request and, for `at_hash`, the access token.
public struct TokenEndpointResponse: Sendable, CustomStringConvertible, CustomReflectable {
    /// `id_token`, where the provider gave one.
    public let idToken: String?
    /// `access_token`: opaque to the client. Nil where the provider gave an ID token alone, as
    /// Azure B2C does for the scope `openid`. One of the two is always there.
    public let accessToken: String?
    /// `expires_in`, in seconds up to 10 years; nil where the provider names no such time.
    public let expiresIn: Int?
    /// `refresh_token`, where the provider gave one.
    public let refreshToken: String?
    /// `scope`, split at spaces; nil where the provider names none that can be read. Then it should
    /// be what was asked for (section 5.1), which is not checked. Some providers join scopes
    /// with commas: those are one text here.
    public let scopes: [String]?

    /// Which tokens there are, and nothing of them.
    public var description: String {
        let tokens = [
            ("accessToken", accessToken), ("idToken", idToken), ("refreshToken", refreshToken),
        ]
        let names = tokens.filter { $0.1 != nil }.map(\.0)
        return "TokenEndpointResponse(\(names.joined(separator: ", ")), redacted)"
    }

    /// Shows the lifetime only.
    public var customMirror: Mirror { Mirror(self, children: ["expiresIn": expiresIn as Any]) }
}
