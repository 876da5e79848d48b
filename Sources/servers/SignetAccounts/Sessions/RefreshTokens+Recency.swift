// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

// Checks of a session in the transaction of a change:
//
//     try await sessions.requireRecentSignIn(session, in: transaction)  // at most 10 minutes ago
//     try await sessions.requireLive(session, in: transaction)
extension RefreshTokens {
    /// Rejects a sensitive change, such as a new way to sign in or the end of the account, if the
    /// session is not recent: a stolen token of an older session must not make it (OWASP ASVS
    /// 5.0.0, 7.5.1 and 7.5.3).
    ///
    /// It uses the time when the session began, by the database's clock; refreshing a session does
    /// not make it recent. **Not** checked: how the user signed in, and whether the token was
    /// stolen within that time.
    ///
    /// - Parameters:
    ///   - session: the session of a verified access token.
    ///   - window: how long ago the sign-in may be: 10 minutes; 1 s to a day.
    ///   - people: recognises guests, who have no identity, cannot sign in again, and pass. With
    ///     nil, guests need a recent sign-in too.
    ///   - transaction: the transaction of the change itself, so nothing comes in between.
    /// - Throws: `signInTooOld` (401 with `max_age`, RFC 9470); `sessionEnded` if it has ended, or
    ///   its user is gone; `invalidParameter` for a window out of this range; the database's
    ///   errors.
    public func requireRecentSignIn(
        _ session: VerifiedSession, within window: Duration = .seconds(600),
        exceptGuestsOf people: People? = nil, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        if let fault = ParameterRange(
            "window", value: window, in: .seconds(1) ... .seconds(86_400)
        ).fault {
            throw AccountError(.invalidParameter, fault)
        }
        guard Self.mayExist(session) else { throw .sessionEnded }
        let user = session.subject
        let values =
            [.text(session.sessionID), .text(user)] + lifetimes + [.integer(window.milliseconds)]
        guard let row = try await transaction.run(SessionStatements.isRecent, values: values).first
        else {
            throw .sessionEnded
        }
        let isRecent = try row.integer(0) == 1
        if isRecent { return }
        guard let people else { throw .signInTooOld(window) }
        // Held: if two requests link a guest's first identity at once, the second is no guest's any
        // more.
        guard try await AccountUsers.hold(user, in: transaction) else { throw .sessionEnded }
        guard try await people.identities(of: user, in: transaction).isEmpty else {
            throw .signInTooOld(window)
        }
    }

    /// Rejects a session that has ended, in the transaction of the change that it asks for.
    ///
    /// - Throws: `sessionEnded`; the database's errors.
    package func requireLive(
        _ session: VerifiedSession, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        guard try await isLive(session, in: transaction) else { throw .sessionEnded }
    }

    /// Whether the session is in the database, and within its lifetimes.
    func isLive(
        _ session: VerifiedSession, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        guard Self.mayExist(session) else { return false }
        let values = [.text(session.sessionID), .text(session.subject)] + lifetimes
        return try await !transaction.run(SessionStatements.alive, values: values).isEmpty
    }

    /// Whether the database can have the session: no name of ours has a zero byte, and no database
    /// takes one.
    static func mayExist(_ session: VerifiedSession) -> Bool {
        !session.sessionID.utf8.contains(0) && !session.subject.utf8.contains(0)
    }
}

extension AccountError.Code {
    /// The session is valid, but began too long ago for this: sign in again (401,
    /// `insufficient_user_authentication`, RFC 9470, section 3).
    public static var signInTooOld: Self { Self(rawValue: "signInTooOld") }
}

extension AccountError {
    fileprivate static func signInTooOld(_ window: Duration) -> AccountError {
        AccountError(
            .signInTooOld, details: .init(maximumAuthenticationAge: window),
            "The sign-in is too long ago for this. Sign in again first.")
    }
}
