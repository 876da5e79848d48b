// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension RefreshTokens {
    /// The refresh token of a sign-in, sealed for ``repeated(_:under:in:)``.
    ///
    /// - Parameters:
    ///   - tokens: what the client gets.
    ///   - secret: at least 128 random bits, which only that client can name, and which the database
    ///     does not have.
    package func sealed(
        _ tokens: IssuedTokens, under secret: [UInt8]
    ) throws(AccountError) -> [UInt8] {
        try RefreshTokenValue(presented: tokens.refreshToken).sealed(under: secret)
    }

    /// The same refresh token again, and a new access token of its session: for a client whose
    /// answer was lost. Nil if the session has ended.
    ///
    /// **Not** checked: whether the refresh token has been used since.
    ///
    /// - Throws: `corrupt` for what was sealed under another secret; as the database.
    package func repeated(
        _ sealed: [UInt8], under secret: [UInt8], in transaction: any AccountTransaction
    ) async throws(AccountError) -> IssuedTokens? {
        let token = try RefreshTokenValue(sealed: sealed, under: secret)
        let family = SQLValue.bytes(try token.familyHash)
        let rows = try await transaction.run(SessionStatements.ofFamily, [family] + lifetimes)
        guard let row = rows.first, try row.integer(6) == 1 else { return nil }
        return try await issue(token, AccountSession(row), transaction)
    }
}
