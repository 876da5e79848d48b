// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A server's response to a sign-in or a refresh.
public struct SessionGrant: Sendable, Redacted {
    /// The longest profile, in bytes.
    public static let maximumProfileByteCount = 65_536
    /// The longest identifier of a user, in bytes.
    package static let maximumUserIDByteCount = 255
    /// The longest lifetime: a year.
    public static let maximumLifetime = Duration.seconds(31_622_400)

    /// The token for requests from now on.
    public let accessToken: AccessToken
    /// The next refresh token; nil keeps the present token. A server without refresh tokens gives
    /// none.
    public let refreshToken: RefreshToken?
    /// How long the access token is valid from now: `expires_in`. A duration rather than an end,
    /// since the clocks of client and server may differ.
    public let lifetime: Duration
    /// Whether the server stated the lifetime. If not, a session keeps the lifetime that the server
    /// stated last, and ``lifetime`` counts only if the server has never stated any.
    public let isLifetimeStated: Bool
    /// The server's identifier of the user: 1 to 255 bytes.
    public let userID: String
    /// Data that the application shows before the network answers, such as the server's JSON. The
    /// profile is stored with the session. Nil keeps the present profile.
    public let profile: String?

    /// Makes a grant.
    ///
    /// - Parameters:
    ///   - accessToken: the token for requests.
    ///   - refreshToken: the next refresh token; nil keeps the present token.
    ///   - lifetime: the lifetime that the server stated. Otherwise an assumption, which counts
    ///     unless the access token is a JWT with `exp` and `iat`: then their difference counts. The
    ///     token is read unverified, for this alone.
    ///   - isLifetimeStated: whether the server stated `lifetime`.
    ///   - userID: the server's identifier of the user.
    ///   - profile: the data that the application shows; nil keeps the present profile.
    /// - Throws: ``SessionError`` `invalidGrant` for a lifetime below 1 s or above a year, a user
    ///   identifier that is empty or above 255 bytes, a profile above 65,536 bytes.
    public init(
        accessToken: AccessToken, refreshToken: RefreshToken?, lifetime: Duration,
        isLifetimeStated: Bool = true, userID: String, profile: String? = nil
    ) throws(SessionError) {
        guard lifetime >= .seconds(1), lifetime <= Self.maximumLifetime else {
            throw SessionError(
                .invalidGrant,
                "A token's lifetime is 1 s to \(Self.maximumLifetime), not \(lifetime).")
        }
        guard (1...Self.maximumUserIDByteCount).contains(userID.utf8.count) else {
            throw SessionError(
                .invalidGrant,
                "A user's identifier has 1 to \(Self.maximumUserIDByteCount) bytes, not \(userID.utf8.count)."
            )
        }
        if let count = profile?.utf8.count, count > Self.maximumProfileByteCount {
            throw SessionError(
                .invalidGrant,
                "A profile has at most \(Self.maximumProfileByteCount) bytes, not \(count).")
        }
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.lifetime =
            isLifetimeStated ? lifetime : OwnLifetime.stated(in: accessToken) ?? lifetime
        self.isLifetimeStated = isLifetimeStated
        self.userID = userID
        self.profile = profile
    }
}
