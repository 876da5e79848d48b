// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
public import SignetSignIn

/// The server of a ``SessionManager`` that speaks OAuth 2.0: refresh tokens at a token endpoint
/// (RFC 6749, section 6).
///
/// Only `invalid_grant` means that the server has ended a session (RFC 6749, section 5.2).
/// `invalid_client` and similar errors are mistakes in the program's settings, which end no
/// session.
///
/// A sign-out is sent to the provider's revocation endpoint (RFC 7009), if there is one. Otherwise
/// the tokens are only removed here and stay valid until they expire. The report of a sign-out says
/// so. OAuth has no call for sessions on other devices.
public struct OAuthBackend: SessionBackend {
    private let endpoint: TokenEndpoint
    private let revocation: EndpointURL?
    private let lifetime: Duration
    private let user: @Sendable (TokenEndpointResponse) throws -> String

    /// Makes a backend for the provider's token endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: the token endpoint. Its transport enforces the time limit of each call.
    ///   - revocation: `revocation_endpoint` of the same provider's metadata.
    ///   - lifetime: the assumed lifetime of access tokens whose lifetime the server has never
    ///     stated (RFC 6749, section 5.1), and that are no JWT with `exp` and `iat`. A token that
    ///     expires sooner is exchanged after the server's 401.
    ///   - user: the user of a response: the subject of the verified ID token, or a user that the
    ///     application already knows. A refresh need not return an ID token. If the closure throws
    ///     after a refresh, the new tokens are lost: do nothing in it that can fail for a while,
    ///     such as fetching keys.
    public init(
        _ endpoint: TokenEndpoint, revocation: EndpointURL? = nil,
        assuming lifetime: Duration = .seconds(3600),
        user: @escaping @Sendable (TokenEndpointResponse) throws -> String
    ) {
        self.endpoint = endpoint
        self.revocation = revocation
        self.lifetime = lifetime
        self.user = user
    }

    /// Converts a response of the endpoint for ``SessionManager/adopt(_:)`` after a sign-in.
    ///
    /// A lifetime above a year counts as a year.
    ///
    /// - Throws: `invalidAnswer` without an access token, or if the user of the response is
    ///   unknown.
    public func grant(of response: TokenEndpointResponse) throws(SessionError) -> SessionGrant {
        guard let access = response.accessToken else {
            throw SessionError(.invalidAnswer, "The answer has no access token.")
        }
        let userID: String
        do { userID = try user(response) } catch {
            throw SessionError(
                .invalidAnswer, underlying: error, "It is not known whose access token it is.")
        }
        // A stated lifetime below a second counts as not stated: the token that was exchanged for
        // these is spent, so these are kept.
        let stated = response.expiresIn.flatMap { $0 >= 1 ? Duration.seconds($0) : nil }
        do {
            return try SessionGrant(
                accessToken: AccessToken(access),
                refreshToken: response.refreshToken.map { token throws(SessionError) in
                    try RefreshToken(token)
                }, lifetime: min(stated ?? lifetime, SessionGrant.maximumLifetime),
                isLifetimeStated: stated != nil, userID: userID)
        } catch {
            throw SessionError(
                .invalidAnswer, underlying: error,
                "The token endpoint's answer: \(messageOf: error)")
        }
    }

    /// Exchanges a refresh token.
    public func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        let response: TokenEndpointResponse
        do {
            response = try await endpoint.refresh(token.exposedText)
        } catch {
            throw Self.failure(error)
        }
        return try grant(of: response)
    }

    /// Revokes the refresh token, with which a server should also end the access token (RFC 7009,
    /// section 2.1). Without a refresh token, revokes the access token.
    ///
    /// - Throws: `unsupported` without a revocation endpoint, and for every scope but
    ///   ``SignOutScope/this``; for ``SignOutScope/all``, the session here has ended by then.
    public func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        guard scope != .others else { throw Self.noCallForOthers }
        guard let revocation else {
            throw SessionError(
                .unsupported, "The server was not told: its tokens end with their own lifetimes.")
        }
        do {
            if let token = tokens.refreshToken {
                try await endpoint.revoke(refreshToken: token.exposedText, at: revocation)
            } else {
                try await endpoint.revoke(
                    accessToken: tokens.accessToken.exposedText, at: revocation)
            }
        } catch {
            guard error.refusal?.registeredError != "unsupported_token_type" else {
                throw SessionError(
                    .unsupported, underlying: error,
                    "The server revokes no access tokens: this one ends with its lifetime.")
            }
            throw Self.failure(error)
        }
        if scope == .all { throw Self.noCallForOthers }
    }

    private static let noCallForOthers = SessionError(
        .unsupported, "The server has no call that ends sessions on other devices.")

    private static func failure(_ error: AuthorizationError) -> SessionError {
        switch error.code {
        case .refused where error.refusal?.registeredError == "invalid_grant":
            SessionError(
                .refused, underlying: error, "The server has ended the session (invalid_grant).")
        case .refused:
            SessionError(
                .serverFailed,
                underlying: error,
                "The server refuses this client: \(shown: error.refusal?.registeredError ?? "other")."
            )
        case .cancelled: SessionError(.cancelled, underlying: error, "The exchange was cancelled.")
        case .unavailable where error.status == 429:
            SessionError(
                .rateLimited, retryAfter: error.retryAfter, underlying: error, "\(messageOf: error)"
            )
        case .unavailable where error.status != nil:
            SessionError(
                .serverFailed, retryAfter: error.retryAfter, underlying: error,
                "\(messageOf: error)")
        case .unavailable: SessionError(.unreachable, underlying: error, "\(messageOf: error)")
        default: SessionError(.invalidAnswer, underlying: error, "\(messageOf: error)")
        }
    }
}
