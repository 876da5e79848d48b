// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

/// The provider's endpoints that a sign-in needs, from any source.
struct SignInEndpoints: Sendable {
    let authorization: EndpointURL
    let token: EndpointURL
    var userInfo: EndpointURL?
    var endSession: EndpointURL?
    /// Empty if the provider does not say.
    var codeChallengeMethods: [String] = []
    /// Whether the callback must name the issuer (RFC 9207).
    var sendsIssuer = false
    /// The issuer that the provider's metadata name; nil without metadata.
    var issuer: String?

    init(authorization: EndpointURL, token: EndpointURL) {
        self.authorization = authorization
        self.token = token
    }

    /// - Throws: `invalidDocument` if the authorization or token endpoint is missing.
    init(_ metadata: ProviderMetadata) throws(KeySourceError) {
        guard let authorization = metadata.authorizationEndpoint, let token = metadata.tokenEndpoint
        else {
            throw KeySourceError(
                .invalidDocument,
                "The provider's metadata name no authorization or token endpoint that may be used.")
        }
        self.init(authorization: authorization, token: token)
        userInfo = metadata.userInfoEndpoint
        endSession = metadata.endSessionEndpoint
        codeChallengeMethods = metadata.codeChallengeMethods
        sendsIssuer = metadata.sendsIssuerInResponse
        issuer = metadata.issuer
    }
}
