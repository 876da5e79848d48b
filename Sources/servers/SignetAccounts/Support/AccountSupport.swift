// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a program's support does for users: look one up, list them, ban one, end sessions, and reset
/// what keeps a person out.
///
/// ```swift
/// let support = AccountSupport(sessions, factors: SecondFactors(accounts, secret: secret))
/// if let found = try await support.user(
///     with: .email(mailbox), by: "kim", reason: "ticket 812")
/// {
///     print("sessions:", found.sessions.count, "factors:", found.factors.count)
///     try await support.reset(
///         [.secondFactors, .limits], of: found.id, by: "kim", reason: "ticket 812: phone lost")
/// }
/// ```
///
/// Each call takes who acts and why, and writes an event of both, in the same transaction: what was
/// done is on record, and what could not be recorded was not done (``events(of:before:count:)``).
/// A call that fails leaves no event. Both texts are refused with a control character, the end of a
/// line, or a character that turns the direction of writing.
///
/// Beside `GoTrueService` of SignetGoTrue take its `support`: it also ends the service's sign-ins
/// and changes that wait, and finds mailboxes in any case.
///
/// **Not** done here: who may call. Check that the caller is of your support, and how they signed in,
/// before each call; let nobody choose `by` for themselves.
public struct AccountSupport: Sendable {
    /// Ends what a user's sessions have asked for, and is not done yet. The user is held.
    package typealias Ending =
        @Sendable (_ user: String, any AccountTransaction) async throws(AccountError) -> Void

    /// The longest name of who acts (`by`), in bytes.
    public static let maximumActorByteCount = 255
    /// The longest reason, in bytes.
    public static let maximumReasonByteCount = 1_000
    /// The most users or events of an answer.
    public static let maximumPageCount = 500

    let sessions: RefreshTokens
    let factors: SecondFactors
    let codes: OneTimeCodes?
    let limits: [RateLimits.Named]
    /// Limits that count by a session's identifier.
    let limitsOfSessions: [RateLimits.Named]
    let ending: Ending
    /// The spelling in which sign-ins store an identity.
    let spelling: @Sendable (UserIdentity) -> UserIdentity

    var database: any AccountDatabase { sessions.database }
    var people: People { People(database) }

    /// The support of a program. All of these have one database, and one secret.
    ///
    /// - Parameters:
    ///   - sessions: the sessions.
    ///   - factors: the second factors; also for a program without any.
    ///   - codes: the codes, whose limits ``ResetPart/limits`` gives back; nil for a program without.
    ///   - limits: limits of the program's own that keep a person out, such as `passwordTries`.
    ///     They count by the user's identifier, addresses or known clients.
    public init(
        _ sessions: RefreshTokens, factors: SecondFactors, codes: OneTimeCodes? = nil,
        limits: [RateLimits.Named] = []
    ) {
        self.init(
            sessions, factors: factors, codes: codes, limits: limits, limitsOfSessions: [],
            spelling: { $0 },
            ending: { (_, _) throws(AccountError) in })
    }

    package init(
        _ sessions: RefreshTokens, factors: SecondFactors, codes: OneTimeCodes?,
        limits: [RateLimits.Named], limitsOfSessions: [RateLimits.Named],
        spelling: @escaping @Sendable (UserIdentity) -> UserIdentity,
        ending: @escaping Ending
    ) {
        self.sessions = sessions
        self.factors = factors
        self.codes = codes
        self.limits = limits
        self.limitsOfSessions = limitsOfSessions
        self.spelling = spelling
        self.ending = ending
    }

    /// Looks a user up by identifier. The event names the user, or nobody if there is none.
    ///
    /// - Parameters:
    ///   - id: the identifier, as received: any text is allowed.
    ///   - actor: who looks: 1 to 255 bytes without control characters.
    ///   - reason: why, without personal data: 1 to 1,000 bytes without control characters.
    /// - Returns: the user; nil if there is none.
    /// - Throws: `invalidParameter` for `by` or `reason`; the database's errors.
    public func user(
        _ id: String, by actor: String, reason: String
    ) async throws(AccountError) -> User? {
        try await find(SupportNote(by: actor, reason: reason)) { (_) throws(AccountError) in id }
    }

    /// Looks a user up by a way to sign in: a mailbox, a phone, or an account at a provider. It adds
    /// no user, and its event has no address.
    ///
    /// The identity is compared as at a sign-in, byte for byte: make it as your sign-in does.
    ///
    /// - Parameters:
    ///   - identity: such as `.email(mailbox)` or `.phone(number)`.
    ///   - actor: who looks: 1 to 255 bytes without control characters.
    ///   - reason: why, without personal data: 1 to 1,000 bytes without control characters.
    /// - Returns: the user; nil if nobody signs in so.
    /// - Throws: `invalidParameter` for `by` or `reason`; the database's errors.
    public func user(
        with identity: UserIdentity, by actor: String, reason: String
    ) async throws(AccountError) -> User? {
        let note = try SupportNote(by: actor, reason: reason)
        let identity = spelling(identity)
        let people = people
        return try await find(note) { (transaction) throws(AccountError) -> String? in
            // No database takes a zero byte.
            guard !identity.issuer.utf8.contains(0), !identity.subject.utf8.contains(0) else {
                return nil
            }
            return try await people.owner(of: identity, in: transaction)
        }
    }

    /// Lists users in the order of their identifiers, a page at a time. A user who is added meanwhile
    /// may be left out; all others come once.
    ///
    /// - Parameters:
    ///   - last: `next` of the page before; nil for the first page.
    ///   - count: how many users at most: 1 to 500.
    ///   - actor: who lists: 1 to 255 bytes without control characters.
    ///   - reason: why, without personal data: 1 to 1,000 bytes without control characters.
    /// - Throws: `invalidParameter` for an argument outside these bounds; the database's errors.
    public func users(
        after last: String? = nil, count: Int = 100, by actor: String, reason: String
    ) async throws(AccountError) -> Page {
        let note = try SupportNote(by: actor, reason: reason)
        try Self.check(count: count)
        if let last { try AccountUsers.check(last) }
        return try await database.transaction { (transaction) throws(AccountError) -> Page in
            // The empty text comes before every identifier.
            let rows = try await transaction.run(
                SupportStatements.list, values: [.text(last ?? ""), .integer(Int64(count))])
            let users = try rows.map { (row) throws(AccountError) in try Listed(row) }
            try await note.record(.listed, of: nil, in: transaction)
            return Page(users: users, next: users.count < count ? nil : users.last?.id)
        }
    }

    /// What was done, the latest first. It writes no event.
    ///
    /// - Parameters:
    ///   - id: whose events, also of a user who was deleted; nil for all.
    ///   - last: the last event of the answer before; nil for the first one.
    ///   - count: how many events at most: 1 to 500.
    /// - Throws: `invalidParameter` for a count outside these bounds; the database's errors.
    public func events(
        of id: String? = nil, before last: Event? = nil, count: Int = 100
    ) async throws(AccountError) -> [Event] {
        try Self.check(count: count)
        if let id, (try? AccountUsers.check(id)) == nil { return [] }
        let values: [SQLValue] = [
            .integer(last?.milliseconds ?? .max), .text(last?.id ?? ""), .integer(Int64(count)),
        ]
        return try await database.read { (transaction) throws(AccountError) -> [Event] in
            let rows =
                if let id {
                    try await transaction.run(
                        SupportStatements.eventsOfUser, values: values + [.text(id)])
                } else {
                    try await transaction.run(SupportStatements.events, values: values)
                }
            return try rows.map { (row) throws(AccountError) in try Event(row) }
        }
    }

    /// Reads a user, and writes the event.
    private func find(
        _ note: SupportNote,
        _ findID: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> String?
    ) async throws(AccountError) -> User? {
        try await database.transaction { (transaction) throws(AccountError) -> User? in
            var user: User?
            if let id = try await findID(transaction) {
                user = try await read(id, in: transaction)
            }
            try await note.record(.lookedUp, of: user?.id, in: transaction)
            return user
        }
    }

    private static func check(count: Int) throws(AccountError) {
        if let fault = ParameterRange("count", value: count, in: 1...maximumPageCount).fault {
            throw AccountError(.invalidParameter, fault)
        }
    }
}
