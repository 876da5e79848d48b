// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase
internal import SignetIdentity
internal import SignetJOSE

/// Sessions over the database of a check, and a way to let their time pass.
struct SessionScope: Sendable {
    let scope: AccountCheckScope
    let tokens: RefreshTokens
    /// The same sessions through the second object.
    let others: RefreshTokens
    /// The sessions that reuse ended, as the events report them.
    let reused: Locked<[AccountSession]>
    /// The sessions that late retries continued, as the events report them.
    let late: Locked<[AccountSession]>

    var user: String { scope.name }
    var otherUser: String { scope.name + "-2" }

    init(
        _ scope: AccountCheckScope, options: RefreshTokenOptions = .init(),
        claims: @escaping RefreshTokens.Claims = { _, _ in ["role": "member"] }
    ) async throws {
        let reused = Locked<[AccountSession]>([])
        let late = Locked<[AccountSession]>([])
        var options = options
        options.onEvent = { event in
            switch event {
            case .lateRetry(let session): late.withLock { $0.append(session) }
            case .reused(let session): reused.withLock { $0.append(session) }
            }
        }
        let issuer = try SessionTokenIssuer(
            issuer: "https://api.example", audience: "session",
            keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(3600))
        self.scope = scope
        self.reused = reused
        self.late = late
        tokens = try RefreshTokens(
            database: scope.database, issuer: issuer, options: options, claims: claims)
        others = try RefreshTokens(
            database: scope.other, issuer: issuer, options: options, claims: claims)
        let user = user
        let otherUser = otherUser
        try await scope.database.transaction { (transaction) throws(AccountError) in
            try await AccountUsers.add(user, in: transaction)
            try await AccountUsers.add(otherUser, in: transaction)
            // Adding a user twice is the same as once.
            try await AccountUsers.add(user, in: transaction)
        }
    }

    /// Through the first object for even numbers, through the second for odd numbers.
    func tokens(_ number: Int) -> RefreshTokens { number.isMultiple(of: 2) ? tokens : others }

    /// Makes a session's last refresh and its used tokens older, as if the time had passed, but not
    /// its sign-in.
    func pass(_ time: Duration, for session: AccountSession) async throws(AccountError) {
        let values: [SQLValue] = [.text(session.id), .integer(Int64(time / .milliseconds(1)))]
        try await scope.run(Self.ageRefresh, values: values)
        try await scope.run(Self.ageUsedTokens, values: values)
    }

    /// Makes only a session's sign-in older.
    func age(_ session: AccountSession, by time: Duration) async throws(AccountError) {
        try await scope.run(
            Self.ageSignIn, values: [.text(session.id), .integer(Int64(time / .milliseconds(1)))])
    }

    /// How many used tokens of a session have a row, each with its sealed successor.
    func usedTokenCount(of session: AccountSession) async throws(AccountError) -> Int {
        try await scope.run(Self.usedTokens, values: [.text(session.id)]).count
    }

    func deleteUser(_ id: String) async throws(AccountError) -> Bool {
        try await scope.other.transaction { (transaction) throws(AccountError) in
            try await AccountUsers.delete(id, in: transaction)
        }
    }

    private static let ageRefresh: SQLStatement = """
        UPDATE signet_sessions SET refreshed_at = refreshed_at - $2 WHERE id = $1
        """
    private static let ageUsedTokens: SQLStatement = """
        UPDATE signet_used_refresh_tokens SET used_at = used_at - $2 WHERE session_id = $1
        """
    private static let ageSignIn: SQLStatement = """
        UPDATE signet_sessions SET begun_at = begun_at - $2 WHERE id = $1
        """
    private static let usedTokens: SQLStatement = """
        SELECT hash, sealed_successor FROM signet_used_refresh_tokens WHERE session_id = $1
        """
}

extension RefreshTokenOptions {
    /// The longest grace that is allowed, so that a busy machine does not count as a fault of the
    /// database.
    static var longGrace: RefreshTokenOptions {
        var options = RefreshTokenOptions()
        options.grace = .seconds(60)
        return options
    }
}
