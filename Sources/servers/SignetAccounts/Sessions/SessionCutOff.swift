// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
public import SignetIdentity
internal import SignetJOSE

/// Checks the session of an access token too, so the tokens of an ended session are rejected at
/// once, not when they expire.
///
/// ```swift
/// let cutOff = try SessionCutOff(sessions)
/// print(try await cutOff.verify(next.accessToken).subject)
/// ```
///
/// Each call reads one row. While the database is unavailable, a session passes if this object
/// found it alive at most `staleness` ago; all others get `unavailable` (503). A session that this
/// object has found ended never passes again. With `SessionTokenIssuer.verify` alone, tokens are
/// valid until they expire, database or not.
public final class SessionCutOff: Sendable {
    private let tokens: RefreshTokens
    private let staleness: Duration
    private let clock: TimeSource
    /// The sessions that this object has found alive or ended lately.
    private let known: Locked<KnownSessions>

    /// A cut-off for the sessions of `tokens`.
    ///
    /// - Parameters:
    ///   - tokens: the sessions that are looked up.
    ///   - staleness: how long a session passes without the database after it was found alive:
    ///     30 s; 0 to 300 s.
    ///   - capacity: how many live sessions it remembers, and how many ended sessions: 100,000
    ///     each; 2 to 10,000,000. Sessions beyond this number are `unavailable` in an outage.
    ///   - clock: the time; a test passes that of a `ManualClock`.
    /// - Throws: `invalidParameter` out of these ranges.
    public init(
        _ tokens: RefreshTokens, staleness: Duration = .seconds(30), capacity: Int = 100_000,
        clock: TimeSource = .system
    ) throws(AccountError) {
        if let fault = ParameterRange.fault(
            .init("staleness", value: staleness, in: .zero ... .seconds(300)),
            .init("capacity", value: capacity, in: 2...10_000_000))
        {
            throw AccountError(.invalidParameter, fault)
        }
        self.tokens = tokens
        self.staleness = staleness
        self.clock = clock
        known = Locked(KnownSessions(capacity: capacity))
    }

    /// Verifies an access token whose session has not ended.
    ///
    /// - Throws: `invalidToken` and `sessionEnded`, with the same public answer (401);
    ///   `unavailable` (503) in an outage, unless the session was found alive within `staleness`.
    public func verify(_ token: some StringProtocol) async throws(AccountError) -> VerifiedSession {
        let session: VerifiedSession
        do {
            session = try tokens.issuer.verify(token)
        } catch {
            throw AccountError(.invalidToken, underlying: error, "\(messageOf: error)")
        }
        try await check(session)
        return session
    }

    /// Checks the session of a verified token.
    ///
    /// - Throws: `sessionEnded` (401); `unavailable` (503) in an outage, unless the session was
    ///   found alive within `staleness`; `cancelled`, `corrupt`.
    public func check(_ session: VerifiedSession) async throws(AccountError) {
        let name = KnownSessions.Name(session)
        guard !known.withLock({ $0.isEnded(name) }) else { throw .sessionEnded }
        let asked = clock.elapsed()  // the time since a fixed moment
        let isAlive: Bool
        do {
            isAlive = try await readIsAlive(session)
        } catch {
            guard error.code == .unavailable || error.code == .outcomeUnknown else { throw error }
            let oldest = clock.elapsed() - staleness
            // Asked again: another call may have found the session ended since.
            guard known.withLock({ $0.wasAlive(name, since: oldest) }) else { throw error }
            return  // passes without the database
        }
        let passes = known.withLock { known -> Bool in
            if isAlive { known.noteAlive(name, at: asked) } else { known.noteEnded(name) }
            return !known.isEnded(name)
        }
        guard passes else { throw .sessionEnded }
    }

    private func readIsAlive(_ session: VerifiedSession) async throws(AccountError) -> Bool {
        let tokens = tokens
        return try await tokens.database.read { (transaction) throws(AccountError) in
            try await tokens.isLive(session, in: transaction)
        }
    }
}
