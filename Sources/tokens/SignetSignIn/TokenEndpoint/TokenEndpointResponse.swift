// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A token endpoint's successful response (RFC 6749, section 5.1; OpenID Connect Core 1.0, section
/// 3.1.3.3). Printing shows no token.
///
/// Nothing in it has been verified: pass the ID token to an ID token verifier, with the nonce of
/// the request and, for `at_hash`, the access token.
public struct TokenEndpointResponse: Sendable, CustomStringConvertible, CustomReflectable {
    /// `id_token`, if the provider gave one.
    public let idToken: String?
    /// `access_token`: opaque to the client. Nil if the provider gave only an ID token, as Azure
    /// B2C does for the scope `openid`. At least one of ID token and access token is present.
    public let accessToken: String?
    /// `expires_in`, in seconds up to 10 years; nil if the provider gives none.
    public let expiresIn: Int?
    /// `refresh_token`, if the provider gave one.
    public let refreshToken: String?
    /// `scope`, split at spaces; nil if it is absent or unreadable. An absent scope should mean the
    /// requested scope (section 5.1), which is not checked. Some providers join scopes with commas:
    /// such a list is a single text here.
    public let scopes: [String]?

    /// The names of the tokens that are present, nothing of the tokens.
    public var description: String {
        let tokens = [
            ("accessToken", accessToken), ("idToken", idToken), ("refreshToken", refreshToken),
        ]
        let names = tokens.filter { $0.1 != nil }.map(\.0)
        return "TokenEndpointResponse(\(names.joined(separator: ", ")), redacted)"
    }

    /// Only the lifetime.
    public var customMirror: Mirror { Mirror(self, children: ["expiresIn": expiresIn as Any]) }
}
