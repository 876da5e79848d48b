// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJOSE

/// A provider's userinfo endpoint: claims about the signed-in person beyond the ID token (OpenID
/// Connect Core 1.0, section 5.3).
///
/// ``SignIn/userInfo(of:)`` asks this endpoint after a sign-in. Checked: strict JSON of at most 128
/// KiB, and that `sub` is the ID token's, byte for byte. Otherwise an injected access token would
/// assign another person's data to this one (section 5.3.2). A signed or encrypted response
/// (`application/jwt`) is rejected: register the client for JSON.
public struct UserInfoEndpoint: Sendable {
    private static let maximumByteCount = 131_072
    private static let name = "userinfo endpoint"

    private let url: EndpointURL
    private let provider: IdentityProvider
    private let transport: any IdentityTransport
    private let timeout: Duration

    /// - Parameters:
    ///   - url: `userinfo_endpoint` of the provider's metadata. It receives the access token.
    ///   - provider: the provider, whose rules say what its e-mail addresses are worth.
    ///   - transport: sends the requests.
    ///   - timeout: the limit for an exchange, up to 60 s.
    /// - Throws: `outOfRange`.
    public init(
        url: EndpointURL, provider: IdentityProvider, transport: some IdentityTransport,
        timeout: Duration = .seconds(10)
    ) throws(IdentityConfigurationError) {
        try TransportRequest.checkTimeout(timeout)
        self.url = url
        self.provider = provider
        self.transport = transport
        self.timeout = timeout
    }

    /// Gets the provider's claims about the person of an ID token.
    ///
    /// - Parameters:
    ///   - identity: from the ID token that came with the access token.
    ///   - accessToken: the compact or opaque token, without `Bearer`.
    /// - Throws: `subjectMismatch`; `refused` with `invalid_token` if the access token has expired
    ///   or been revoked, and with `insufficient_scope` if it lacks `openid`; `unavailable`,
    ///   `invalidResponse`, `cancelled`; `malformed` for a malformed access token.
    public func userInfo(
        of identity: VerifiedIdentity, accessToken: String
    ) async throws(AuthorizationError) -> UserInfo {
        let token: BearerToken
        do throws(BearerTokenError) { token = try BearerToken(accessToken) } catch {
            throw AuthorizationError(
                .malformed, underlying: error, "An access token has RFC 6750's characters.")
        }
        let request = TransportRequest(
            url: url, authorization: "Bearer " + token.exposedText,
            maximumBodyByteCount: Self.maximumByteCount, timeout: timeout)
        let response = try await EndpointExchange.response(
            to: request, from: Self.name, over: transport)
        let root = try Self.root(response, token: token)
        do {
            return try UserInfo(root, of: identity, by: provider)
        } catch {
            throw AuthorizationError(.subjectMismatch, underlying: error, "\(messageOf: error)")
        }
    }

    /// The claims of a successful response.
    private static func root(
        _ response: TransportResponse, token: BearerToken
    ) throws(AuthorizationError) -> JSONNode {
        switch response.status {
        case 401: throw refusal("invalid_token")
        case 403: throw refusal("insufficient_scope")
        default: break
        }
        if let type = response.values(of: "Content-Type").first,
            type.utf8.lazy.map(\.lowercased).starts(with: "application/jwt".utf8)
        {
            throw AuthorizationError(
                .invalidResponse,
                "The userinfo endpoint's answer is a signed or encrypted token, which is not read: "
                    + "register the client for JSON.")
        }
        return try TokenEndpointAnswer(
            response, from: name, secrets: [token.exposedText]
        ).root()
    }

    /// The error, by the status (RFC 6750, section 3.1). `WWW-Authenticate` is not read.
    private static func refusal(_ error: String) -> AuthorizationError {
        AuthorizationError(
            .refused, refusal: ProviderRefusal(error: error),
            "The userinfo endpoint does not accept the access token.")
    }
}
