// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
public import SignetSession

/// An authorization server in this process's memory, for tests of a program that stays signed in.
///
/// ```swift
/// let clock = ManualClock()
/// let server = InMemorySessionServer(reuse: .repeatsAnswer, clock: clock.source)
/// let manager = try SessionManager(
///     store: InMemoryStore(clock: clock.source), service: "api.example", backend: server,
///     clock: clock.source)
/// ```
///
/// A refresh token is exchanged once, and calls fail, lose their answers or wait where a test asks
/// for it. It **only** serves tests: its tokens and codes can be guessed, and it limits nothing.
public final class InMemorySessionServer: SessionBackend {
    /// The answer to a refresh token that was exchanged before.
    public enum ReuseRule: Sendable, CaseIterable {
        /// The session ends (RFC 9700, section 4.14.2).
        case endsSession
        /// The predecessor of the current token gets the current one again, as GoTrue does. An
        /// earlier one ends the session.
        case repeatsAnswer
    }

    /// How long an access token is valid.
    private let lifetime: Duration
    private let reuse: ReuseRule
    private let profile: @Sendable (String) -> String?
    private let clock: TimeSource
    private let state = Locked(State())
    private let line = HoldingPoint()

    private struct State {
        var sessions = ServedSessions()
        var codes = SentCodes()
        var faults = CallFaults()
        var exchanges = 0
        var refusals = 0
        var signOuts: [SignOutScope] = []
        var lastSignedOut = ""
    }

    /// A server without sessions. No call fails yet.
    ///
    /// - Parameters:
    ///   - lifetime: how long an access token is valid.
    ///   - reuse: the answer to a refresh token that was exchanged before.
    ///   - profile: a user's profile, which comes with the tokens; nil for none.
    ///   - clock: measures the lifetimes of tokens and codes. Give the manager the same.
    public init(
        lifetime: Duration = .seconds(3600), reuse: ReuseRule = .endsSession,
        clock: TimeSource = .system, profile: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.lifetime = lifetime
        self.reuse = reuse
        self.clock = clock
        self.profile = profile
    }
}

// Signing in: a program's own client calls these.
extension InMemorySessionServer {
    /// Begins a session of a user, beside the user's other sessions.
    ///
    /// - Throws: `invalidGrant` for a user's identifier that is empty or above 255 bytes.
    public func signIn(_ userID: String) throws(SessionError) -> SessionGrant {
        try grant(state.withLock { $0.sessions.begin(userID, until: clock.elapsed() + lifetime) })
    }

    /// Sends a code of six digits to an address: ``code(sentTo:)`` reads it. It is valid for 600 s,
    /// and ends the address's earlier code.
    public func sendCode(to address: String) async throws(SessionError) {
        try answer { state throws(SessionError) in
            state.codes.send(to: address, at: clock.elapsed())
        }.get()
    }

    /// The code that was sent last to an address and is still valid; nil for none.
    public func code(sentTo address: String) -> String? {
        state.withLock { $0.codes.valid(for: address, at: clock.elapsed()) }
    }

    /// Begins a session for the valid code of an address, and uses the code up.
    ///
    /// - Parameters:
    ///   - code: the code that a person typed.
    ///   - address: the address that got it.
    ///   - userID: whose address it is; nil for a user whose identifier is the address.
    /// - Throws: `refused` for a code that is not the valid one of the address.
    public func signIn(
        withCode code: String, sentTo address: String, as userID: String? = nil
    ) async throws(SessionError) -> SessionGrant {
        let result = answer { state throws(SessionError) in
            guard state.codes.use(code, for: address, at: clock.elapsed()) else {
                throw SessionError(.refused, "The code is wrong or no longer valid.")
            }
            return state.sessions.begin(userID ?? address, until: clock.elapsed() + lifetime)
        }
        return try grant(result.get())
    }

    private func grant(_ issue: ServedSessions.Issue) throws(SessionError) -> SessionGrant {
        try SessionGrant(
            accessToken: AccessToken(issue.accessToken),
            refreshToken: RefreshToken(issue.refreshToken), lifetime: lifetime,
            userID: issue.userID, profile: profile(issue.userID))
    }
}

// The manager's calls.
extension InMemorySessionServer {
    /// Exchanges a refresh token.
    ///
    /// - Throws: `refused` for a token whose session has ended, and for one that was exchanged
    ///   before, as the ``ReuseRule`` says; `cancelled` while it is held, after the server has done
    ///   its work; what a test asked for.
    public func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        state.withLock { $0.exchanges += 1 }
        let result = answer { state throws(SessionError) in
            let end = clock.elapsed() + lifetime
            guard
                let issue = state.sessions.exchange(
                    token.exposedText, rule: reuse, until: end)
            else {
                state.refusals += 1
                throw SessionError(.refused, "The token was used, or its session has ended.")
            }
            return issue
        }
        guard await line.wait() else {
            throw SessionError(.cancelled, "The exchange was cancelled.")
        }
        return try grant(result.get())
    }

    /// Ends sessions of the token's user. An unknown token ends none.
    ///
    /// - Throws: what a test asked for.
    public func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        let token = tokens.accessToken.exposedText
        state.withLock {
            $0.signOuts.append(scope)
            $0.lastSignedOut = token
        }
        try answer { state throws(SessionError) in state.sessions.end(scope, from: token) }.get()
    }
}

// A test's requests and questions.
extension InMemorySessionServer {
    /// The user of an access token, as the program's own server would know it; nil for an unknown or
    /// expired token and for one whose session has ended.
    public func user(of token: AccessToken) -> String? {
        state.withLock { $0.sessions.user(of: token.exposedText, at: clock.elapsed()) }
    }

    /// Ends all sessions of a user, as when the person signs out elsewhere.
    public func endSessions(of userID: String) {
        state.withLock { $0.sessions.end { $0 == Array(userID.utf8) } }
    }

    /// Fails a single call, counted from now: an exchange, a sign-out, or a code that is sent or
    /// verified.
    ///
    /// - Parameters:
    ///   - number: 1 for the next call.
    ///   - error: the error.
    ///   - moment: whether the server does its work before the call fails.
    public func failCall(
        _ number: Int, with error: SessionError, moment: FaultyStore.Moment = .before
    ) {
        state.withLock {
            $0.faults.add(error, moment: moment, passes: max(0, number - 1), isLasting: false)
        }
    }

    /// Fails every call from now on, like a server that cannot be reached, until ``recover()``.
    public func failCalls(with error: SessionError, moment: FaultyStore.Moment = .before) {
        state.withLock { $0.faults.add(error, moment: moment, passes: 0, isLasting: true) }
    }

    /// Stops all failures.
    public func recover() { state.withLock { $0.faults = CallFaults() } }

    /// Lets exchanges wait for their answers until ``release()``. The server has done its work by
    /// then.
    public func hold() { line.hold() }

    /// Sends the answers that wait.
    public func release() { line.release() }

    /// How many answers wait.
    public var waitingCount: Int { line.waitingCount }

    /// How many refresh tokens came, whatever became of them.
    public var exchangeCount: Int { state.withLock { $0.exchanges } }

    /// How many refresh tokens were refused, failures that a test asked for not counted.
    package var refusalCount: Int { state.withLock { $0.refusals } }

    /// The sign-outs that came, whatever became of them.
    public var signOuts: [SignOutScope] { state.withLock { $0.signOuts } }

    package var lastSignedOut: String { state.withLock { $0.lastSignedOut } }

    /// The server's work in a call, and the failure that a test asked for.
    private func answer<Value>(
        _ work: (inout State) throws(SessionError) -> Value
    ) -> Result<Value, SessionError> {
        state.withLock { state in
            let fault = state.faults.next()
            if let fault, fault.moment == .before { return .failure(fault.error) }
            do throws(SessionError) {
                let value = try work(&state)
                return fault.map { .failure($0.error) } ?? .success(value)
            } catch {
                return .failure(fault?.error ?? error)
            }
        }
    }
}
