// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

/// The server of a ``SessionManager`` that speaks OAuth 2.0: refresh tokens at a token endpoint
/// (RFC 6749, section 6).
///
/// `invalid_grant` is the server's word that a session is over (RFC 6749, section 5.2), and the
/// only one: `invalid_client` and the like are a mistake in the program's settings, which ends
/// nobody's session.
///
/// **Not** told to the server: a sign-out. RFC 7009 has an endpoint for it, which is not asked yet:
/// the tokens go here, and end there with their own lifetimes.
public struct OAuthBackend: SessionBackend {
    private let endpoint: TokenEndpoint
    private let user: @Sendable (TokenEndpointResponse) throws -> String

    /// A server.
    ///
    /// - Parameters:
    ///   - endpoint: the token endpoint. Its transport ends each call with its time.
    ///   - user: who an answer is for: the subject of the ID token that was verified, or what the
    ///     application knows already. A refresh need not bring an ID token.
    public init(
        _ endpoint: TokenEndpoint,
        user: @escaping @Sendable (TokenEndpointResponse) throws -> String
    ) {
        self.endpoint = endpoint
        self.user = user
    }

    /// What an answer of the endpoint gives: for ``SessionManager/adopt(_:)`` after a sign-in.
    ///
    /// - Throws: `invalidAnswer` without an access token or its lifetime, or where it is not known
    ///   who it is for.
    public func grant(of response: TokenEndpointResponse) throws(SessionError) -> SessionGrant {
        guard let access = response.accessToken, let lifetime = response.expiresIn,
            let user = try? user(response)
        else {
            throw SessionError(
                .invalidAnswer,
                "The answer has no access token with a lifetime, or it is not known whose."
            )
        }
        do throws(SessionError) {
            return try SessionGrant(
                accessToken: AccessToken(access),
                refreshToken: response.refreshToken.map { token throws(SessionError) in
                    try RefreshToken(token)
                }, lifetime: .seconds(lifetime), userID: user)
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

    /// Nothing is sent.
    public func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        guard scope == .this else {
            throw SessionError(
                .unsupported, "OAuth 2.0 has no way to end the sessions of other devices.")
        }
    }

    private static func failure(_ error: AuthorizationError) -> SessionError {
        switch error.code {
        case .refused where error.refusal?.registeredError == "invalid_grant":
            SessionError(.refused, "The server has ended the session (invalid_grant).")
        case .refused:
            SessionError(
                .serverFailed,
                "The server does not take this client: \(error.refusal?.registeredError ?? "other")."
            )
        case .cancelled: SessionError(.cancelled, "The exchange was cancelled.")
        case .unavailable: SessionError(.unreachable, error.message)
        default: SessionError(.invalidAnswer, error.message)
        }
    }
}
