// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

/// The server of a ``SessionManager`` that speaks OAuth 2.0: refresh tokens at a token endpoint
/// (RFC 6749, section 6).
///
/// `invalid_grant` is the server's word that a session is over (RFC 6749, section 5.2), and the
/// only one: `invalid_client` and the like are a mistake in the program's settings, which ends no
/// session.
///
/// **Not** told to the server: a sign-out. RFC 7009 has an endpoint for it, which is not asked yet:
/// the tokens go here, and end there with their own lifetimes. The report of a sign-out says so.
public struct OAuthBackend: SessionBackend {
    private let endpoint: TokenEndpoint
    private let lifetime: Duration
    private let user: @Sendable (TokenEndpointResponse) throws -> String

    /// A server.
    ///
    /// - Parameters:
    ///   - endpoint: the token endpoint. Its transport ends each call with its time.
    ///   - lifetime: of access tokens for which the server names none (RFC 6749, section 5.1). One
    ///     that ends before is exchanged after the server's 401.
    ///   - user: who an answer is for: the subject of the ID token that was verified, or what the
    ///     application knows already. A refresh need not bring an ID token.
    public init(
        _ endpoint: TokenEndpoint, assuming lifetime: Duration = .seconds(3600),
        user: @escaping @Sendable (TokenEndpointResponse) throws -> String
    ) {
        self.endpoint = endpoint
        self.lifetime = lifetime
        self.user = user
    }

    /// What an answer of the endpoint gives: for ``SessionManager/adopt(_:)`` after a sign-in.
    ///
    /// A lifetime above a year counts as a year.
    ///
    /// - Throws: `invalidAnswer` without an access token, or where it is not known who it is for.
    public func grant(of response: TokenEndpointResponse) throws(SessionError) -> SessionGrant {
        guard let access = response.accessToken, let user = try? user(response) else {
            throw SessionError(
                .invalidAnswer, "The answer has no access token, or it is not known whose.")
        }
        // What was exchanged is kept, whatever the server says of its length.
        let lifetime = response.expiresIn.map { Duration.seconds($0) } ?? lifetime
        do throws(SessionError) {
            return try SessionGrant(
                accessToken: AccessToken(access),
                refreshToken: response.refreshToken.map { token throws(SessionError) in
                    try RefreshToken(token)
                }, lifetime: min(lifetime, SessionGrant.maximumLifetime), userID: user)
        } catch {
            throw SessionError(.invalidAnswer, "The token endpoint's answer: \(error.message)")
        }
    }

    /// Exchanges a refresh token.
    public func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        let response: TokenEndpointResponse
        do throws(AuthorizationError) {
            response = try await endpoint.refresh(token.exposedText)
        } catch {
            throw Self.failure(error)
        }
        return try grant(of: response)
    }

    /// Nothing is sent, and the report of the sign-out says that.
    public func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        throw SessionError(
            .unsupported, "The server was not told: its tokens end with their own lifetimes.")
    }

    private static func failure(_ error: AuthorizationError) -> SessionError {
        switch error.code {
        case .refused where error.refusal?.registeredError == "invalid_grant":
            SessionError(.refused, "The server has ended the session (invalid_grant).")
        case .refused:
            SessionError(
                .serverFailed,
                "The server refuses this client: \(error.refusal?.registeredError ?? "other")."
            )
        case .cancelled: SessionError(.cancelled, "The exchange was cancelled.")
        case .unavailable: SessionError(.unreachable, error.message)
        default: SessionError(.invalidAnswer, error.message)
        }
    }
}
