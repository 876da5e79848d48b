// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a token endpoint gave (RFC 6749, section 5.1; OpenID Connect Core 1.0, section 3.1.3.3). Printing it shows no token.
///
/// Nothing in it has been verified: the ID token goes to an ID token verifier, with the nonce of the request and, for `at_hash`, the access
/// token.
public struct TokenEndpointResponse: Sendable, CustomStringConvertible, CustomReflectable {
    /// `id_token`, where the provider gave one.
    public let idToken: String?
    /// `access_token`: opaque to the client.
    public let accessToken: String
    /// `expires_in`, in seconds, where the provider says.
    public let expiresIn: Int?
    /// `refresh_token`, where the provider gave one.
    public let refreshToken: String?
    /// `scope`; nil when it is what was asked for.
    public let scopes: [String]?

    /// Which tokens there are, and nothing of them.
    public var description: String {
        let names = [
            "accessToken", idToken == nil ? nil : "idToken", refreshToken == nil ? nil : "refreshToken",
        ]
        return "TokenEndpointResponse(\(names.compactMap { $0 }.joined(separator: ", ")), redacted)"
    }

    /// Shows the lifetime only.
    public var customMirror: Mirror { Mirror(self, children: ["expiresIn": expiresIn as Any]) }
}
