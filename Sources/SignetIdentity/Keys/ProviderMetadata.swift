// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What an OpenID provider says about itself (OpenID Connect Discovery 1.0, section 3), as far as Signet uses it.
///
/// Checked: strict JSON; `issuer` is octet for octet the one that was asked for (section 4.3); `jwks_uri` is there; every endpoint is
/// an ``EndpointURL``, and https where the issuer is. **Not** checked: that the endpoints are on the issuer's host, which they need not be.
public struct ProviderMetadata: Sendable {
    /// `issuer`: what `iss` of the provider's tokens must be.
    public let issuer: String
    /// `jwks_uri`: where the keys are.
    public let jwksURI: EndpointURL
    /// `authorization_endpoint`; nil when absent, or when it is no address that Signet would go to.
    public let authorizationEndpoint: EndpointURL?
    /// `token_endpoint`; nil as above.
    public let tokenEndpoint: EndpointURL?
    /// `userinfo_endpoint`; nil as above.
    public let userInfoEndpoint: EndpointURL?
    /// `end_session_endpoint`; nil as above.
    public let endSessionEndpoint: EndpointURL?
    /// `id_token_signing_alg_values_supported`; what a verifier accepts is its own policy's business.
    public let idTokenSigningAlgs: [String]
    /// `code_challenge_methods_supported` (RFC 8414); empty when the provider does not say.
    public let codeChallengeMethods: [String]
    /// `token_endpoint_auth_methods_supported`; `client_secret_basic` when the provider does not say.
    public let tokenEndpointAuthMethods: [String]
    /// `authorization_response_iss_parameter_supported` (RFC 9207): the answer to an authorization request names the issuer.
    public let sendsIssuerInResponse: Bool

    /// Reads the metadata of `issuer`.
    ///
    /// - Throws: `invalidDocument`, `issuerMismatch`, `tooLarge` (over 524 288 bytes).
    public init(_ json: [UInt8], issuer: EndpointURL) throws(KeySourceError) {
        throw KeySourceError(.invalidDocument, "")
    }

    /// Fetches the metadata of `issuer` from `issuer` + `/.well-known/openid-configuration`.
    ///
    /// - Parameter options: the limits on size, time and redirects, and the clock; the rest is not used.
    /// - Throws: ``KeySourceError``; `cancelled` when the task is.
    public static func fetch(
        issuer: EndpointURL, transport: some IdentityTransport, options: KeySetOptions = KeySetOptions()
    ) async throws(KeySourceError) -> ProviderMetadata {
        throw KeySourceError(.unreachable, "")
    }
}
