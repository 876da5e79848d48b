// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

// Each change holds the user's row first, as all changes of a user do: so what a call has begun with
// the user held, such as a browser's code, is seen and ended. PostgreSQL runs the few calls again
// that lock what waits, or a limit, before the user.
extension AccountSupport {
    /// The end of a ban that lasts until it is lifted: the end of the year 9999.
    public static let endless = NumericDate(secondsSince1970: 253_402_300_799)

    /// What ``reset(_:of:by:reason:)`` removes.
    public enum ResetPart: Sendable, CaseIterable {
        /// The second factors and recovery codes: the person gets in with the first factor alone, and
        /// adds new ones. The person is told (``AccountNotices``).
        case secondFactors
        /// The password: the person gets in with a code or a provider, and sets a new one. The person
        /// is told.
        case password
        /// What wrong codes and passwords, and codes that were sent, have used up of the user's
        /// limits. A limit of a client's address is not the user's, and stays: from there the person
        /// may have to wait.
        case limits
    }

    /// Bans a user, and ends all sessions, together. Until the ban ends or is lifted, no session of
    /// the user begins, and none goes on: `RefreshTokens` throws `userBanned`. A later ban replaces
    /// an earlier one.
    ///
    /// Without a ``SessionCutOff`` access tokens are valid until they expire. The ban goes with the
    /// user: a deleted user may sign up again.
    ///
    /// - Parameters:
    ///   - id: the user.
    ///   - end: when the ban ends, by the database's clock; ``endless`` for a ban without an end.
    ///   - actor: who bans: 1 to 255 bytes without control characters.
    ///   - reason: why, without personal data: 1 to 1,000 bytes without control characters.
    /// - Throws: `invalidParameter` for an end that is not in the future, and for `by` or `reason`;
    ///   `unknownUser`; the database's errors.
    public func ban(
        _ id: String, until end: NumericDate, by actor: String, reason: String
    ) async throws(AccountError) {
        // In range: at most the year 9999, at least what `NumericDate` allows.
        let seconds = min(end, Self.endless).secondsSince1970
        let milliseconds = Int64(exactly: (seconds * 1000).rounded(.up)) ?? 0
        let note = try SupportNote(by: actor, reason: reason)
        try await change(id, as: [.banned], until: milliseconds, note: note) {
            (transaction) throws(AccountError) in
            let rows = try await transaction.run(
                SupportStatements.ban, values: [.text(id), .integer(milliseconds)])
            guard !rows.isEmpty else {
                throw AccountError(.invalidParameter, "The end of a ban is in the future.")
            }
            _ = try await endAll(of: id, in: transaction)
        }
    }

    /// Ends a user's ban. Lifting a ban that is not there is no error. Sessions stay ended, and
    /// those end that a server of the version before, which knows no ban, has begun beside it.
    ///
    /// - Parameters:
    ///   - id: the user.
    ///   - actor: who lifts it: 1 to 255 bytes without control characters.
    ///   - reason: why, without personal data: 1 to 1,000 bytes without control characters.
    /// - Throws: `invalidParameter` for `by` or `reason`; `unknownUser`; the database's errors.
    public func liftBan(
        of id: String, by actor: String, reason: String
    ) async throws(AccountError) {
        let note = try SupportNote(by: actor, reason: reason)
        try await change(id, as: [.banLifted], note: note) {
            (transaction) throws(AccountError) -> Void in
            try await sessions.endBesideBan(of: id, in: transaction)
            try await transaction.run(SupportStatements.liftBan, values: [.text(id)])
        }
    }

    /// Ends all sessions of a user.
    ///
    /// - Parameters:
    ///   - id: the user.
    ///   - actor: who ends them: 1 to 255 bytes without control characters.
    ///   - reason: why, without personal data: 1 to 1,000 bytes without control characters.
    /// - Returns: how many there were.
    /// - Throws: `invalidParameter` for `by` or `reason`; `unknownUser`; the database's errors.
    @discardableResult
    public func endSessions(
        of id: String, by actor: String, reason: String
    ) async throws(AccountError) -> Int {
        let note = try SupportNote(by: actor, reason: reason)
        return try await change(id, as: [.sessionsEnded], note: note) {
            (transaction) throws(AccountError) in
            try await endAll(of: id, in: transaction)
        }
    }

    /// Resets what keeps a person out, all parts or none, with an event for each. It ends all
    /// sessions with the second factors and with the password, since it is not known whose they are.
    ///
    /// Call it for a person whose identity was checked in a different way: the first factor alone
    /// lets its holder in afterwards.
    ///
    /// **Not** checked: that the user has another way to sign in than the password
    /// (``User/identities``).
    ///
    /// - Parameters:
    ///   - parts: what is reset; at least one.
    ///   - id: the user.
    ///   - actor: who resets: 1 to 255 bytes without control characters.
    ///   - reason: why, without personal data: 1 to 1,000 bytes without control characters.
    /// - Throws: `invalidParameter` for an argument outside these bounds; `unknownUser`; the
    ///   database's errors.
    public func reset(
        _ parts: Set<ResetPart>, of id: String, by actor: String, reason: String
    ) async throws(AccountError) {
        let note = try SupportNote(by: actor, reason: reason)
        guard !parts.isEmpty else {
            throw AccountError(.invalidParameter, "Name at least one part to reset.")
        }
        let acts = ResetPart.allCases.filter(parts.contains).map(\.act)
        try await change(id, as: acts, note: note) { (transaction) throws(AccountError) in
            // First: it goes by the factors and sessions.
            if parts.contains(.limits) { try await clearLimits(of: id, in: transaction) }
            if parts.contains(.secondFactors) {
                try await factors.remove(for: id, in: transaction)
            }
            if parts.contains(.password),
                try await StoredPasswords.remove(of: id, in: transaction)
            {
                try await factors.notices.tell(.passwordRemoved, of: id, in: transaction)
            }
            guard parts != [.limits] else { return }
            _ = try await endAll(of: id, in: transaction)
        }
    }

    /// Ends all sessions, and what waits for the end of a sign-in or a change.
    private func endAll(
        of id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Int {
        try await ending(id, transaction)
        return try await sessions.endAll(of: id, in: transaction)
    }

    /// Runs `work` with the user held, and writes the events.
    ///
    /// - Parameter end: the end of a ban, in milliseconds since 1970, for the events.
    private func change<Value: Sendable>(
        _ id: String, as acts: [Event.Act], until end: Int64? = nil, note: SupportNote,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        guard (try? AccountUsers.check(id)) != nil else { throw .unknownUser }
        return try await database.transaction { (transaction) throws(AccountError) -> Value in
            guard try await AccountUsers.hold(id, in: transaction) else { throw .unknownUser }
            let value = try await work(transaction)
            for act in acts {
                try await note.record(act, until: end, of: id, in: transaction)
            }
            return value
        }
    }
}

extension AccountSupport.ResetPart {
    fileprivate var act: AccountSupport.Event.Act {
        switch self {
        case .secondFactors: .secondFactorsRemoved
        case .password: .passwordRemoved
        case .limits: .limitsGivenBack
        }
    }
}
