// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

/// Support over the database of a check. Its events have the check's name as their actor.
struct SupportScope: Sendable {
    let scope: AccountCheckScope
    let sessions: SessionScope
    let rows: FactorScope
    /// Second factors through the first object.
    let factors: SecondFactors

    var user: String { sessions.user }
    var otherUser: String { sessions.otherUser }

    /// Runs a check and removes its events.
    static func run(
        _ scope: AccountCheckScope, _ body: (SupportScope) async throws -> Void
    ) async throws {
        try await FactorScope.run(scope) { rows in
            let own = SupportScope(
                scope: scope, sessions: try await SessionScope(scope), rows: rows,
                factors: SecondFactors(rows.database(0), secret: rows.secret))
            do { try await body(own) } catch {
                // The finding matters more than an error of the clean-up.
                _ = try? await own.removeEverything()
                throw error
            }
            try await own.removeEverything()
        }
    }

    /// Through the first object for even numbers, through the second for odd numbers.
    func support(_ number: Int) -> AccountSupport {
        AccountSupport(
            sessions.tokens(number),
            factors: SecondFactors(rows.database(number), secret: rows.secret))
    }

    func ban(on number: Int = 0) async throws(AccountError) {
        try await support(number).ban(
            user, until: AccountSupport.endless, by: scope.name, reason: "a check")
    }

    func link(_ identity: UserIdentity) async throws(AccountError) {
        _ = try await People(scope.database).link(identity, to: user)
    }

    private func removeEverything() async throws(AccountError) {
        try await scope.run(Self.removeEvents, values: [.text(scope.name)])
        try await scope.run(Self.endBan, values: [.text(user)])
    }

    static let banAlone: SQLStatement =
        "UPDATE signet_users SET banned_until = {now} + 3600000 WHERE id = $1"
    static let endBan: SQLStatement =
        "UPDATE signet_users SET banned_until = {now} WHERE id = $1"
    static let lastBefore: SQLStatement =
        "SELECT id FROM signet_users WHERE id < $1 ORDER BY id DESC LIMIT 1"
    private static let removeEvents: SQLStatement =
        "DELETE FROM signet_support_events WHERE actor = $1"
}
