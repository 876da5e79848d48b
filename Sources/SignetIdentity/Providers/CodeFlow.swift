// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How people sign in at a provider with an authorization code (OpenID Connect Core 1.0, section
/// 3.1), as data: `SignIn` of SignetSignIn goes by it.
public struct CodeFlow: Sendable {
    /// Where the provider's endpoints are.
    public enum Endpoints: Sendable {
        /// In the provider's metadata at this address, whose `issuer` must be one of `issuers`,
        /// octet for octet.
        case discovered(at: EndpointURL, issuers: [String])
        /// Here. For a provider whose metadata do not name them.
        case fixed(authorization: EndpointURL, token: EndpointURL)
    }

    /// How the provider sends its answer.
    public enum ResponseMode: String, Sendable, Hashable {
        /// As the query of the redirect URI: the default, and not named in the request.
        case query
        /// As the body of a POST. Apple asks for it when a name or an e-mail address is in the
        /// scope.
        case formPost = "form_post"
    }

    /// Where the endpoints are.
    public var endpoints: Endpoints
    /// `scope`: the scopes to request. Without `openid` the provider returns no ID token.
    public var scopes = ["openid", "email", "profile"]
    /// How the answer comes.
    public var responseMode = ResponseMode.query
    /// Whether PKCE is used. To leave it out takes a client secret; see `PKCE.Use` for what is
    /// lost.
    public var usesPKCE = true
    /// Whether a nonce is sent. Without one, an ID token of another sign-in with the same client
    /// passes, where the attacker controls what the token endpoint answers.
    public var usesNonce = true

    /// A flow with PKCE and a nonce that asks for `openid email profile`.
    public init(endpoints: Endpoints) { self.endpoints = endpoints }

    /// A flow whose metadata are where OpenID Connect Discovery 1.0 has them; nil for an issuer
    /// that is no address.
    init?(issuer: String) {
        guard let base = try? EndpointURL(issuer) else { return nil }
        self.init(issuer: base)
    }

    /// The same for an address.
    init?(issuer: EndpointURL) {
        guard let url = try? ProviderMetadata.location(of: issuer) else { return nil }
        self.init(endpoints: .discovered(at: url, issuers: [issuer.text]))
    }
}
