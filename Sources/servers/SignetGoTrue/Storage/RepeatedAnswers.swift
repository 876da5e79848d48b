// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetCrypto

/// The responses to codes that work once, for as long as a refresh token's grace: a client whose
/// response was lost asks again with the same code and the same secret of its own, and gets the
/// same response.
///
/// An HMAC of the code and the secret names the row, and a second HMAC is the key that seals the
/// response. The database contains neither the code, nor the secret, nor the key.
struct RepeatedAnswers: Sendable {
    /// The name and the key of a row, from the code and the secret of a request.
    struct Name: Sendable {
        fileprivate let row: [UInt8]
        fileprivate let key: SecretKey
    }

    private let secret: AccountSecret
    private let lifetime: SQLValue

    init(_ secret: AccountSecret, grace: Duration) {
        self.secret = secret
        lifetime = .integer(grace.milliseconds)
    }

    /// The name under which a response is kept.
    ///
    /// - Parameter fields: the code, what it is for, and a secret of 128 random bits or more that
    ///   only the client knows.
    func name(_ fields: [[UInt8]]) throws(AccountError) -> Name {
        Name(
            row: try secret.code("answered code", over: fields),
            key: SecretKey(copying: try secret.code("answer to a code", over: fields)))
    }

    /// Keeps the body of a response, in the transaction that uses the code up. The row is deleted
    /// with its session.
    func storeResponse(
        _ body: [UInt8], of sessionID: String, as name: Name, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let sealed: [UInt8]
        do {
            sealed = try AESGCM.seal(body.span, using: name.key, authenticating: name.row.span)
        } catch { throw .crypto(error) }
        try await transaction.run(
            Self.insert, values: [.bytes(name.row), .text(sessionID), .bytes(sealed), lifetime])
    }

    /// The response that this client got for the code within the grace; nil if it got none, or its
    /// session has ended.
    func storedResponse(
        _ name: Name, in transaction: any AccountTransaction
    ) async throws(AccountError) -> GoTrueResponse? {
        let rows = try await transaction.run(Self.find, values: [.bytes(name.row), lifetime])
        guard let sealed = try rows.first?.bytes(0) else { return nil }
        do {
            let body = try AESGCM.open(
                sealed.span, using: name.key, authenticating: name.row.span)
            return .json(body)
        } catch {
            guard error.code == .authenticationFailure else { throw .crypto(error) }
            throw AccountError(
                .corrupt, underlying: error, "A sealed response was changed in the database.")
        }
    }

    // `{now}` is the database's clock in milliseconds.
    /// A row of the same name is there only if it has ended: an app shows the same digits again in
    /// a million steps.
    private static let insert: SQLStatement = """
        INSERT INTO signet_gotrue_answers (key, session_id, sealed, ends_at)
        VALUES ($1, $2, $3, {now} + $4)
        ON CONFLICT (key) DO UPDATE SET
            session_id = excluded.session_id, sealed = excluded.sealed, ends_at = excluded.ends_at
        """
    /// Ignores a row that ends later than a new row would: it was written before the clock was set
    /// back.
    private static let find: SQLStatement = """
        SELECT sealed FROM signet_gotrue_answers
        WHERE key = $1 AND ends_at > {now} AND ends_at <= {now} + $2
        """
    // For a sweep. `{free}` leaves out rows that another transaction has locked.
    static let ended: SQLStatement = """
        WITH ended AS (
            SELECT key FROM signet_gotrue_answers WHERE ends_at <= (SELECT {now})
            ORDER BY ends_at LIMIT 500 {free})
        DELETE FROM signet_gotrue_answers
        WHERE key IN (SELECT key FROM ended) AND ends_at <= {now}
        RETURNING 1
        """
}
