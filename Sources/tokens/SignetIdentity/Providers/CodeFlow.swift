// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How people sign in at a provider with an authorization code (OpenID Connect Core 1.0, section
/// 3.1), as data for `SignIn` of SignetSignIn.
public struct CodeFlow: Sendable {
    /// The location of the provider's endpoints.
    public enum Endpoints: Sendable {
        /// In the provider's metadata at this address, whose `issuer` must be in `issuers`, octet
        /// for octet.
        case discovered(at: EndpointURL, issuers: [String])
        /// Given here, for a provider whose metadata do not name them.
        case fixed(authorization: EndpointURL, token: EndpointURL)
    }

    /// How the provider sends its response.
    public enum ResponseMode: String, Sendable, Hashable {
        /// The query of the redirect URI: the default, and not named in the request.
        case query
        /// The body of a POST. Apple requires it if the scopes include a name or an e-mail address.
        case formPost = "form_post"
    }

    /// The location of the endpoints.
    public var endpoints: Endpoints
    /// `scope`: the scopes to request. Without `openid` the provider returns no ID token.
    public var scopes = ["openid", "email", "profile"]
    /// How the response comes.
    public var responseMode = ResponseMode.query
    /// Whether to use PKCE. Without PKCE a client secret is required; `PKCE.Use` says what is lost.
    public var usesPKCE = true
    /// Whether to send a nonce. Without a nonce, an attacker who controls the token endpoint's
    /// answer can pass an ID token of another sign-in with the same client.
    public var usesNonce = true

    /// A flow with PKCE and a nonce that asks for `openid email profile`.
    public init(endpoints: Endpoints) { self.endpoints = endpoints }

    /// A flow whose metadata are at the place that OpenID Connect Discovery 1.0 gives; nil if the
    /// issuer is not an address.
    init?(issuer: String) {
        guard let base = try? EndpointURL(issuer) else { return nil }
        self.init(issuer: base)
    }

    /// A flow whose metadata are at the place that OpenID Connect Discovery 1.0 gives; nil if the
    /// issuer has a query.
    init?(issuer: EndpointURL) {
        guard let url = try? ProviderMetadata.location(of: issuer) else { return nil }
        self.init(endpoints: .discovered(at: url, issuers: [issuer.text]))
    }
}
