// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The server of a ``SessionManager``: GoTrue, an OAuth token endpoint, or your own.
///
/// A call ends when its task is cancelled, and is sent once: the manager decides whether to retry.
/// Throw `refused` only if the server definitely says so: a wrong `refused` signs the user out.
public protocol SessionBackend: Sendable {
    /// Exchanges a refresh token.
    ///
    /// - Throws: `refused` if the server says that this token or its session has ended;
    ///   `unreachable`, `timedOut`, `serverFailed` (5xx), `rateLimited` (429, with the delay of
    ///   `Retry-After`), `invalidAnswer`, `cancelled`.
    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant

    /// Tells the server that sessions end. `tokens` belong to the session here.
    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError)
}

/// The tokens of a session, for its server.
public struct SessionTokens: Sendable, Redacted {
    /// The access token, which may have expired.
    public let accessToken: AccessToken
    /// The refresh token; nil if the server gives none.
    public let refreshToken: RefreshToken?
}

/// Which sessions of a user end.
public enum SignOutScope: Sendable, Hashable, CaseIterable {
    /// This session.
    case this
    /// This session and the user's sessions on all other devices.
    case all
    /// The user's sessions on other devices. This session goes on.
    case others
}
