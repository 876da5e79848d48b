// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

/// What clients got for codes that work once, for as long as a refresh token's grace: a client whose
/// answer was lost asks again with the same code and the same secret of its own, and gets the same
/// session.
///
/// A row is named by an HMAC, and its refresh token sealed under another one, of the code and of
/// that secret. Neither is in the database.
struct RepeatedAnswers: Sendable {
    /// The code and the secret of one request.
    struct Name: Sendable {
        fileprivate let row: [UInt8]
        fileprivate let secret: [UInt8]
    }

    private let secret: AccountSecret
    private let sessions: RefreshTokens
    private let lifetime: SQLValue

    init(_ secret: AccountSecret, _ sessions: RefreshTokens, grace: Duration) {
        (self.secret, self.sessions) = (secret, sessions)
        lifetime = .integer(grace.wholeMilliseconds)
    }

    /// The name of an answer.
    ///
    /// - Parameter fields: the code, what it is for, and a secret of 128 random bits or more that
    ///   only the client knows.
    func name(_ fields: [[UInt8]]) throws(AccountError) -> Name {
        Name(
            row: try secret.code("answered code", fields),
            secret: try secret.code("answered code's session", fields))
    }

    /// Keeps what a code was worth, in the transaction that uses the code up. It goes with its
    /// session.
    func keep(
        _ tokens: IssuedTokens, _ name: Name, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(
            Self.insert,
            [
                .bytes(name.row), .text(tokens.session.id),
                .bytes(try sessions.sealed(tokens, under: name.secret)), lifetime,
            ])
    }

    /// What the code was worth to this client within the grace, if the session lives.
    func again(
        _ name: Name, in transaction: any AccountTransaction
    ) async throws(AccountError) -> IssuedTokens? {
        let rows = try await transaction.run(Self.find, [.bytes(name.row), lifetime])
        guard let row = rows.first else { return nil }
        return try await sessions.repeated(try row.bytes(0), under: name.secret, in: transaction)
    }

    private static let insert: SQLStatement = """
        INSERT INTO signet_gotrue_answers (key, session_id, sealed, ends_at)
        VALUES ($1, $2, $3, {now} + $4)
        """
    /// Not for a row of a clock that has been set back since.
    private static let find: SQLStatement = """
        SELECT sealed FROM signet_gotrue_answers
        WHERE key = $1 AND ends_at > {now} AND ends_at <= {now} + $2
        """
    static let ended: SQLStatement = """
        WITH ended AS (
            SELECT key FROM signet_gotrue_answers WHERE ends_at <= (SELECT {now})
            ORDER BY ends_at LIMIT 500 {free})
        DELETE FROM signet_gotrue_answers
        WHERE key IN (SELECT key FROM ended) AND ends_at <= {now}
        RETURNING 1
        """
}
