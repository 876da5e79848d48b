// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A session in its stored form.
struct StoredSession: Sendable {
    static let idByteCount = 16

    /// Random bytes: the same from sign-in to sign-out, whatever the tokens.
    let id: [UInt8]
    let accessToken: AccessToken
    let refreshToken: RefreshToken?
    let user: SessionUser
    /// When the grant was received, by this machine's clock.
    let obtained: NumericDate
    let lifetime: Duration
    /// Whether the server stated the lifetime, with these tokens or earlier tokens.
    var isLifetimeStated: Bool
    /// How long the server asked to wait, when it was asked for these tokens' successor.
    var serverPause: ServerPause?

    /// The session of a sign-in.
    init(_ grant: SessionGrant, at now: NumericDate) {
        var id = [UInt8]()
        for _ in 0..<Self.idByteCount { id.append(UInt8.random(in: .min ... .max)) }
        self.init(grant, id: id, after: nil, at: now)
    }

    /// The session that follows from a grant for the previous session.
    init(_ grant: SessionGrant, after previous: StoredSession, at now: NumericDate) {
        self.init(grant, id: previous.id, after: previous, at: now)
    }

    /// The session of a grant. Values that the grant leaves out are those of the previous session.
    init(
        _ grant: SessionGrant, id: [UInt8], after previous: StoredSession?, at now: NumericDate
    ) {
        self.id = id
        accessToken = grant.accessToken
        refreshToken = grant.refreshToken ?? previous?.refreshToken
        user = SessionUser(id: grant.userID, profile: grant.profile ?? previous?.user.profile)
        obtained = now
        // The lifetime that was stated last holds until the server states a new lifetime.
        if let previous, previous.isLifetimeStated, !grant.isLifetimeStated {
            lifetime = previous.lifetime
            isLifetimeStated = true
        } else {
            lifetime = grant.lifetime
            isLifetimeStated = grant.isLifetimeStated
        }
    }

    /// Whether the access token should be exchanged: near its end, or after the clock went back.
    func isDue(at now: NumericDate, lead: Duration) -> Bool {
        let age = now.secondsSince1970 - obtained.secondsSince1970
        return age < 0 || age >= (lifetime - min(lead, lifetime / 2)) / .seconds(1)
    }

    /// Whether the access token may still be good.
    func isValid(at now: NumericDate) -> Bool {
        now.secondsSince1970 - obtained.secondsSince1970 < lifetime / .seconds(1)
    }

    /// When the access token ends.
    var expiry: NumericDate {
        NumericDate(secondsSince1970: obtained.secondsSince1970 + lifetime / .seconds(1))
    }

    /// The time until the access token should be exchanged.
    func timeUntilDue(at now: NumericDate, lead: Duration) -> Duration {
        let age = Duration.seconds(max(0, now.secondsSince1970 - obtained.secondsSince1970))
        return max(.zero, lifetime - min(lead, lifetime / 2) - age)
    }

    /// Whether no token was exchanged between the two sessions.
    func hasSameTokens(as other: StoredSession) -> Bool {
        id == other.id && accessToken == other.accessToken && refreshToken == other.refreshToken
    }
}
