// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a server returns for a sign-in or a refresh.
public struct SessionGrant: Sendable, Redacted {
    /// The longest profile that is kept, in bytes.
    public static let maximumProfileByteCount = 65_536
    /// The longest lifetime: a year.
    public static let maximumLifetime = Duration.seconds(31_622_400)

    /// What requests carry from now on.
    public let accessToken: AccessToken
    /// What gets the next one; nil keeps the one that was there. A server without refresh tokens
    /// gives none at all.
    public let refreshToken: RefreshToken?
    /// How long the access token is good, from now on: `expires_in`. Lengths are told rather than
    /// ends, since the clocks of client and server need not agree.
    public let lifetime: Duration
    /// The user, as the server names them: 1 to 255 bytes.
    public let userID: String
    /// What the application shows before the network answers, the server's JSON for example: it is
    /// sealed with the session. Nil keeps what was there.
    public let profile: String?

    /// A grant.
    ///
    /// - Throws: ``SessionError`` `invalidGrant` for a lifetime below 1 s or above a year, a user
    ///   without a name or with one above 255 bytes, a profile above 65 536 bytes.
    public init(
        accessToken: AccessToken, refreshToken: RefreshToken?, lifetime: Duration, userID: String,
        profile: String? = nil
    ) throws(SessionError) {
        guard lifetime >= .seconds(1), lifetime <= Self.maximumLifetime else {
            throw SessionError(.invalidGrant, "A token's lifetime is 1 s to a year.")
        }
        guard (1...255).contains(userID.utf8.count) else {
            throw SessionError(.invalidGrant, "A user's identifier has 1 to 255 bytes.")
        }
        guard (profile?.utf8.count ?? 0) <= Self.maximumProfileByteCount else {
            throw SessionError(
                .invalidGrant, "A profile has at most \(Self.maximumProfileByteCount) bytes.")
        }
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.lifetime = lifetime
        self.userID = userID
        self.profile = profile
    }
}
