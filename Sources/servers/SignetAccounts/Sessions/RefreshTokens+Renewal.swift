// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity

extension RefreshTokens {
    /// Gives a session new refresh tokens, and makes its earlier ones worthless: for a session that
    /// becomes worth more, so that who holds an earlier token gets nothing of that.
    ///
    /// The session keeps its identifier and its beginning. An earlier token is `invalidGrant` then,
    /// and ends nothing. The caller calls ``issue(_:claims:)`` in the same transaction.
    ///
    /// - Throws: `sessionEnded`; `missingClient` for a session of one client; the database's errors.
    package func renew(
        _ session: VerifiedSession, in transaction: any AccountTransaction
    ) async throws(AccountError) -> UnissuedTokens {
        guard Self.mayExist(session) else { throw .sessionEnded }
        let token = try RefreshTokenValue()
        let rows = try await transaction.run(
            SessionStatements.renew,
            values: [
                .text(session.sessionID), .text(session.subject), .bytes(try token.familyHash),
                .bytes(try token.hash),
            ] + lifetimes)
        guard let row = rows.first else { throw .sessionEnded }
        let renewed = try AccountSession(row)
        // The error undoes what the statement did.
        try renewed.check(nil)
        try await transaction.run(
            SessionStatements.dropUsedTokens, values: [.text(renewed.id)])
        return UnissuedTokens(session: renewed, refreshToken: token)
    }
}
