// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetCrypto
internal import SignetSignIn

/// Codes that a browser brings from the provider's page to the client, which exchanges each once,
/// with the verifier whose challenge began the sign-in (RFC 7636).
enum BrowserCodes {
    enum Taken: Sendable {
        /// The user whose code it was. The code is used up.
        case user(String)
        /// There is no such code, or it has ended.
        case unknown
        /// The code stays, for the client that has the verifier.
        case wrongVerifier
    }

    /// Five minutes, in milliseconds: the browser is already on its way back.
    private static let lifetime = Int64(300_000)

    /// Makes a code for a user.
    static func make(
        for userID: String, challenge: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> String {
        let code = try Identifiers.uuid()
        try await transaction.run(
            insert,
            values: [
                .bytes(try Identifiers.digest(code.utf8)), .text(challenge), .text(userID),
                .integer(lifetime),
            ])
        return code
    }

    /// Uses up a code if the verifier matches.
    static func take(
        _ code: String, pkce: PKCE, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Taken {
        let hash = SQLValue.bytes(try Identifiers.digest(code.utf8))
        let rows = try await transaction.run(takeMatching, values: [hash, .text(pkce.challenge)])
        if let row = rows.first { return .user(try row.text(0)) }
        return try await transaction.run(find, values: [hash]).isEmpty ? .unknown : .wrongVerifier
    }

    /// Ends the codes of a user that are not yet exchanged.
    static func end(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(deleteOfUser, values: [.text(userID)])
    }

    private static let deleteOfUser: SQLStatement =
        "DELETE FROM signet_gotrue_flows WHERE user_id = $1"
    // `{now}` is the database's clock in milliseconds.
    private static let insert: SQLStatement = """
        INSERT INTO signet_gotrue_flows (hash, challenge, user_id, ends_at)
        VALUES ($1, $2, $3, {now} + $4)
        """
    // A code that ends later than in six minutes (360,000 ms) was written before the clock was set
    // back, and counts as ended: no code of the present clock ends later than in five minutes.
    private static let takeMatching: SQLStatement = """
        DELETE FROM signet_gotrue_flows
        WHERE hash = $1 AND challenge = $2 AND ends_at > {now} AND ends_at <= {now} + 360000
        RETURNING user_id
        """
    private static let find: SQLStatement =
        "SELECT user_id FROM signet_gotrue_flows WHERE hash = $1 AND ends_at > {now}"
    // For a sweep. `{free}` leaves out rows that another transaction has locked.
    static let ended: SQLStatement = """
        WITH ended AS (
            SELECT hash FROM signet_gotrue_flows WHERE ends_at <= (SELECT {now})
            ORDER BY ends_at LIMIT 500 {free})
        DELETE FROM signet_gotrue_flows
        WHERE hash IN (SELECT hash FROM ended) AND ends_at <= {now}
        RETURNING 1
        """
}
