// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A session in its stored form.
struct StoredSession: Sendable {
    /// 16 random bytes in hexadecimal: the same from sign-in to sign-out, whatever the tokens.
    let id: [UInt8]
    let accessToken: AccessToken
    let refreshToken: RefreshToken?
    let user: SessionUser
    /// When it was received, by this machine's clock.
    let obtained: NumericDate
    let lifetime: Duration

    /// The session of a sign-in.
    init(_ grant: SessionGrant, at now: NumericDate) {
        var id = [UInt8]()
        for _ in 0..<16 { id.append(UInt8.random(in: .min ... .max)) }
        self.init(grant, id: id, after: nil, at: now)
    }

    /// The session after a grant for the previous one.
    init(_ grant: SessionGrant, after previous: StoredSession, at now: NumericDate) {
        self.init(grant, id: previous.id, after: previous, at: now)
    }

    private init(
        _ grant: SessionGrant, id: [UInt8], after previous: StoredSession?, at now: NumericDate
    ) {
        self.id = id
        accessToken = grant.accessToken
        refreshToken = grant.refreshToken ?? previous?.refreshToken
        user = SessionUser(id: grant.userID, profile: grant.profile ?? previous?.user.profile)
        obtained = now
        lifetime = grant.lifetime
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

    /// The time until it should be exchanged.
    func dueIn(at now: NumericDate, lead: Duration) -> Duration {
        let age = Duration.seconds(max(0, now.secondsSince1970 - obtained.secondsSince1970))
        return max(.zero, lifetime - min(lead, lifetime / 2) - age)
    }

    /// Whether nothing was exchanged between the two.
    func hasSameTokens(as other: StoredSession) -> Bool {
        id == other.id && accessToken == other.accessToken && refreshToken == other.refreshToken
    }
}

extension StoredSession {
    /// The sealed data: JSON with these members.
    private struct Document: Codable {
        var version = 1
        var session: [UInt8]
        var accessToken: String
        var refreshToken: String?
        var userID: String
        var profile: String?
        var obtained: Double
        var lifetime: Double
    }

    /// Reads a stored session.
    ///
    /// - Throws: `corrupt` if it is not a session: another program or a newer version wrote it.
    init(_ value: SecretValue) throws(StoreError) {
        do {
            let document = try value.decoded(as: Document.self)
            guard document.version == 1, document.session.count == 16, document.obtained.isFinite,
                document.lifetime.isFinite
            else { throw SessionError(.invalidGrant, "Another version.") }
            // The same limits as for a grant.
            let grant = try SessionGrant(
                accessToken: AccessToken(document.accessToken),
                refreshToken: document.refreshToken.map { try RefreshToken($0) },
                lifetime: .seconds(min(max(document.lifetime, 0), 1e9)), userID: document.userID,
                profile: document.profile)
            let obtained = NumericDate(secondsSince1970: document.obtained)
            self.init(grant, id: document.session, after: nil, at: obtained)
        } catch {
            throw StoreError(
                .corrupt,
                "The item holds no session of this version, and stays: remove it to sign in again."
            )
        }
    }

    /// What a store keeps.
    func value() throws(StoreError) -> SecretValue {
        try SecretValue(
            encoding: Document(
                session: id, accessToken: accessToken.exposedText,
                refreshToken: refreshToken?.exposedText,
                userID: user.id, profile: user.profile, obtained: obtained.secondsSince1970,
                lifetime: lifetime / .seconds(1)))
    }
}
