// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

extension RefreshTokens {
    /// Refuses what a stolen token of an older session must not do: a new way to sign in, the end
    /// of the account (OWASP ASVS 5.0.0, 7.5.1 and 7.5.3).
    ///
    /// It looks at when the session began, by the database's clock, and refreshing a session does
    /// not make it recent. **Not** checked: how the user signed in, and whether the token was
    /// stolen within that time.
    ///
    /// - Parameters:
    ///   - session: of an access token that was verified.
    ///   - window: how long ago the sign-in may be: 10 minutes; 1 s to a day.
    ///   - people: users without an identity are guests, who cannot sign in again: they pass where
    ///     this knows them. With nil, no user passes.
    ///   - transaction: that of the change itself, so that nothing comes in between.
    /// - Throws: `signInTooOld` (401, RFC 9470); `sessionEnded` where it is over, or its user gone;
    ///   `invalidParameter` for another window; as the database.
    public func requireRecentSignIn(
        _ session: VerifiedSession, within window: Duration = .seconds(600),
        exceptGuestsOf people: People? = nil, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        guard (.seconds(1) ... .seconds(86_400)).contains(window) else {
            throw AccountError(.invalidParameter, "A recent sign-in is 1 s to 1 day old at most.")
        }
        let (id, user) = (session.sessionID, session.subject)
        // No name of ours has a zero byte, and no database takes one.
        guard !id.utf8.contains(0), !user.utf8.contains(0) else { throw .sessionEnded }
        let window = SQLValue.integer(window.wholeMilliseconds)
        let values = [.text(id), .text(user)] + lifetimes + [window]
        guard let row = try await transaction.run(SessionStatements.isRecent, values).first else {
            throw .sessionEnded
        }
        guard try row.integer(0) != 1 else { return }
        guard let people else { throw .signInTooOld }
        // Held, so that of two who link the first identity at once the second is no guest.
        guard try await AccountUsers.hold(user, in: transaction) else { throw .sessionEnded }
        guard try await people.identities(of: user, in: transaction).isEmpty else {
            throw .signInTooOld
        }
    }
}

extension AccountError.Code {
    /// The session is good, and began too long ago for this: sign in again (401,
    /// `insufficient_user_authentication`, RFC 9470, section 3).
    public static var signInTooOld: Self { Self(rawValue: "signInTooOld") }
}

extension AccountError {
    fileprivate static var signInTooOld: AccountError {
        AccountError(.signInTooOld, "The sign-in is too long ago for this. Sign in again first.")
    }
}
