// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSession

/// An authorization server in this process, with refresh tokens that are exchanged once.
final class RefreshServer: SessionBackend {
    struct State {
        /// The valid token, by user.
        var active: [String: Int] = [:]
        var exchanges = 0
        var refusals = 0
        var signOuts: [SignOutScope] = []
        var lastSignedOut = ""
        var failures: [SessionError] = []
        /// How many exchanges work before the failures begin.
        var goodBefore = 0
    }

    private let state = Locked(State())
    private let line = HoldingPoint()
    let lifetime: Duration
    /// Whether the direct parent of the active token gets the active one again, as GoTrue has it.
    let forgivesParents: Bool

    init(lifetime: Duration = .seconds(3600), forgivesParents: Bool = false) {
        self.lifetime = lifetime
        self.forgivesParents = forgivesParents
    }

    var exchanges: Int { state.withLock { $0.exchanges } }
    var refusals: Int { state.withLock { $0.refusals } }
    var signOuts: [SignOutScope] { state.withLock { $0.signOuts } }
    var lastSignedOut: String { state.withLock { $0.lastSignedOut } }
    var waitingCount: Int { line.waitingCount }

    func signIn(_ user: String = "user-1") throws -> SessionGrant {
        let number = state.withLock { state -> Int in
            state.active[user, default: 0] += 1
            return state.active[user] ?? 0
        }
        return try grant(user, number)
    }

    func grant(_ user: String, _ number: Int) throws(SessionError) -> SessionGrant {
        try SessionGrant(
            accessToken: AccessToken("access-\(user)-\(number)"),
            refreshToken: RefreshToken("refresh-\(user)-\(number)"), lifetime: lifetime,
            userID: user, profile: "{\"name\":\"secret name of \(user)\"}")
    }

    /// The next exchanges fail like this.
    func fail(_ errors: SessionError...) { state.withLock { $0.failures += errors } }

    /// So many exchanges work, and the next one fails like this.
    func failLater(_ error: SessionError, after count: Int) {
        state.withLock { state in
            state.failures.append(error)
            state.goodBefore = count
        }
    }

    /// The user's session is over, as after a sign-out elsewhere.
    func endSession(of user: String = "user-1") { state.withLock { $0.active[user] = nil } }

    /// Exchanges wait until ``release()``.
    func hold() { line.hold() }

    func release() { line.release() }

    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        let parts = token.exposedText.split(separator: "-").map(String.init)
        let (user, number) = (parts[1...2].joined(separator: "-"), Int(parts[3]) ?? 0)
        let answer = state.withLock { state -> Result<Int, SessionError> in
            state.exchanges += 1
            if state.goodBefore > 0 {
                state.goodBefore -= 1
            } else if !state.failures.isEmpty {
                return .failure(state.failures.removeFirst())
            }
            let active = state.active[user]
            if forgivesParents, let active, active == number + 1 { return .success(active) }
            guard active == number else {
                state.refusals += 1
                state.active[user] = nil
                return .failure(SessionError(.refused, "The token was used, or its session ended."))
            }
            state.active[user] = number + 1
            return .success(number + 1)
        }
        await line.wait()
        return try grant(user, try answer.get())
    }

    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        let failure = state.withLock { state -> SessionError? in
            state.signOuts.append(scope)
            state.lastSignedOut = tokens.accessToken.exposedText
            return state.failures.isEmpty ? nil : state.failures.removeFirst()
        }
        if let failure { throw failure }
    }
}
