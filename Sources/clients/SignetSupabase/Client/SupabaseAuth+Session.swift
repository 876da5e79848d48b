// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE
public import SignetSession

extension SupabaseAuth: SessionBackend {
    /// Exchanges a refresh token.
    ///
    /// `refused` means that the token gives no session any more. Only these codes of GoTrue mean
    /// that: `session_not_found`, `session_expired`, `refresh_token_not_found`,
    /// `refresh_token_already_used`, `user_not_found`, `user_banned`. A GoTrue from before November
    /// 2024 says OAuth's `invalid_grant` instead; a description with it must begin with "Invalid
    /// Refresh Token".
    public func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        do {
            return try await exchange(token)
        } catch {
            guard error.refusesRefreshToken else { throw Self.failure(error) }
            throw Self.ended(error)
        }
    }

    private func exchange(_ token: RefreshToken) async throws(SupabaseError) -> SessionGrant {
        try await send(
            .grant("refresh_token", members: ["refresh_token": .string(token.exposedText)])
        ).grant(isExchange: true)
    }

    /// Ends sessions at the server. An access token that has expired is exchanged once more for the
    /// sign-out, unless the session goes on: `SignOutScope.others` needs a valid token.
    public func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        do {
            try await signOut(tokens.accessToken, scope: scope)
        } catch {
            guard error.serverCode == .badJWT, scope != .others, let token = tokens.refreshToken
            else { throw Self.failure(error) }
            try await signOut(exchanging: token, scope: scope)
        }
    }

    /// Exchanges a refresh token, and signs out with the new access token.
    private func signOut(
        exchanging token: RefreshToken, scope: SignOutScope
    ) async throws(SessionError) {
        let grant: SessionGrant
        do { grant = try await exchange(token) } catch {
            // A refused token means that this session had already ended, unless a ban suspends it.
            // Whether the user's other sessions have ended is unknown.
            let hasEnded = error.refusesRefreshToken && !error.isBan
            if scope == .this, hasEnded { return }
            throw Self.failure(error)
        }
        do { try await signOut(grant.accessToken, scope: scope) } catch {
            throw Self.failure(error)
        }
    }

    /// Ends sessions at the server, also a session that no `SessionManager` has adopted.
    ///
    /// For `SignOutScope.this`, a 401, 403 or 404 counts as ended, because the server no longer
    /// knows the session. For `SignOutScope.all` and `SignOutScope.others` only an unknown user
    /// counts: a known user may still have sessions.
    ///
    /// - Throws: `refused` with `bad_jwt` if the token has expired: nothing was ended.
    public func signOut(
        _ token: AccessToken, scope: SignOutScope
    ) async throws(SupabaseError) {
        do {
            try await send(.signOut(token, scope: scope))
        } catch {
            guard Self.isOver(error, scope: scope) else { throw error }
        }
    }

    /// Whether the error of a sign-out means that the sessions have ended already.
    private static func isOver(_ error: SupabaseError, scope: SignOutScope) -> Bool {
        guard let status = error.status, [401, 403, 404].contains(status) else { return false }
        if scope == .this { return error.serverCode != .badJWT }
        return error.serverCode == .userNotFound
    }

    private static func failure(_ error: SupabaseError) -> SessionError {
        if error.endsSession { return ended(error) }
        let code: SessionError.Code =
            switch error.code {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .unreachable, .notTrusted: .unreachable
            case .rateLimited: .rateLimited
            case .invalidAnswer, .confirmationPending: .invalidAnswer
            default: .serverFailed
            }
        return SessionError(
            code, retryAfter: error.retryAfter, underlying: error,
            "\(messageOf: error)\(codeText(of: error))")
    }

    private static func ended(_ error: SupabaseError) -> SessionError {
        return SessionError(
            .refused, underlying: error, "The server has ended the session\(codeText(of: error)).")
    }

    /// The server's own code, in brackets.
    private static func codeText(of error: SupabaseError) -> ErrorMessage {
        error.serverCode.map { " (\(shown: $0.text))" } ?? ""
    }
}
