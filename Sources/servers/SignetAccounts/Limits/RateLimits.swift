// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Counts in the database what is limited, in one row for each limit and subject, by the database's
/// clock.
///
/// ```swift
/// let limits = RateLimits(accounts, secret: secret)
/// let clients = KnownClients(secret: secret)
/// try await limits.take(.codesTriedFromAddress, name: "sign-ins", from: client)
/// ```
///
/// Take the client's limit first, with ``take(_:name:from:alone:)``: it is counted whatever becomes
/// of the request, so a refused request costs its sender, and a flood stops before it reaches the
/// limits of others.
///
/// Each decision is one conditional statement, so that servers that share the database share the
/// limits. A database that is out of reach is an error and no permission. Names of rows are HMACs:
/// the table holds no number and no address.
public struct RateLimits: Sendable {
    /// The subject of a limit.
    public enum Subject: Sendable {
        /// One destination of codes.
        case destination(CodeDestination)
        /// One client: an address of IPv4, or the first 64 bits of an IPv6 address that stands for
        /// no IPv4 address. The networks around those count too: a /56 has 4 times the limit, and a
        /// /48 64 times.
        case address(ClientAddress)
        /// One client that has signed in with a destination before, at that destination.
        case known(KnownClients.Client)
        /// One client at one destination, where others have the same destination.
        case destinationFrom(CodeDestination, ClientAddress)
        /// One account, by its identifier.
        case account(String)
    }

    let database: any AccountDatabase
    let secret: AccountSecret
    private let report: OneReport

    /// Limits in a database.
    ///
    /// - Parameters:
    ///   - database: where the rows are kept.
    ///   - secret: the same for all servers of the database.
    ///   - report: receives `noClientAddress`, once, when a client without an address is counted;
    ///     for a log.
    public init(
        _ database: any AccountDatabase, secret: AccountSecret,
        report: @escaping @Sendable (AccountError) -> Void = { _ in }
    ) {
        (self.database, self.secret, self.report) = (database, secret, OneReport(report))
    }

    /// Counts one use against a limit, in its own transaction.
    ///
    /// - Parameters:
    ///   - limit: the limit. A changed one, and another one of this name, counts for itself.
    ///   - name: what is limited; two limits of one subject that count apart have two names.
    ///   - subject: the person, address or client that the limit counts.
    /// - Throws: `tooManyRequests` with `retryAfter`, after which the same call succeeds unless
    ///   others came first, and the `limit` that is reached; what ``AccountDatabase`` throws.
    public func take(
        _ limit: RateLimit, name: StaticString, for subject: Subject
    ) async throws(AccountError) {
        try await takeAll(LimitRow.rows(limit, name: name, for: subject))
    }

    /// Counts a request against its client's limit, in its own transaction: before anything else
    /// is counted, looked up or computed for it.
    ///
    /// All clients without an address share 100 times the limit. With a proxy at a Unix socket,
    /// read the address that it forwards (``TrustedProxies``).
    ///
    /// - Parameters:
    ///   - limit: the limit of one client: an IPv4 address, or an IPv6 network of /64.
    ///   - name: what is limited.
    ///   - address: the client's address; nil where it has none, such as at a Unix socket.
    ///   - alone: whether no one else's requests count: neither those of the networks around an
    ///     IPv6 address nor, without an address, any. True for what others must not be able to
    ///     prevent, such as a refresh.
    /// - Throws: as ``take(_:name:for:)``.
    public func take(
        _ limit: RateLimit, name: StaticString, from address: ClientAddress?,
        alone: Bool = false
    ) async throws(AccountError) {
        if address == nil, !alone { report.once() }
        try await takeAll(LimitRow.rows(limit, name: name, from: address, alone: alone))
    }

    /// Lets a client try something, such as a code, and counts only what fails.
    ///
    /// The try is counted first, as by ``take(_:name:from:alone:)``, so of many at once no more
    /// than the limit run; it is given back if `work` succeeds.
    ///
    /// - Parameters:
    ///   - limit: the limit of one client.
    ///   - name: what is limited.
    ///   - address: the client's address, if it has one.
    ///   - isBounded: whether `work` runs although the limit is reached, which is then the error
    ///     of a `wrongCode`. True only for a try that shows what a stranger lacks, and of which
    ///     there are few: a code with its challenge. Then no one else at that address can have a
    ///     right code refused.
    ///   - work: the try, with a transaction of its own.
    /// - Throws: as ``take(_:name:for:)``; what `work` throws.
    public func attempt<Answer: Sendable>(
        _ limit: RateLimit, name: StaticString, from address: ClientAddress?,
        isBounded: Bool = false, _ work: () async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        var reached: AccountError?
        do { try await take(limit, name: name, from: address) } catch {
            guard isBounded, error.code == .tooManyRequests else { throw error }
            reached = error
        }
        let answer: Answer
        do { answer = try await work() } catch {
            throw error.code == .wrongCode ? reached ?? error : error
        }
        if reached == nil {
            // The try has succeeded, whatever becomes of this.
            try? await giveAllBack(LimitRow.rows(limit, name: name, from: address, alone: false))
        }
        return answer
    }

    /// Takes one in a transaction of the caller's, which must not be committed after an error.
    ///
    /// An error of the caller's takes it back: count the client before, in a transaction of its
    /// own, with ``take(_:name:from:alone:)``.
    public func take(
        _ limit: RateLimit, name: StaticString, for subject: Subject,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        for row in LimitRow.rows(limit, name: name, for: subject) {
            try await take(row, in: transaction)
        }
    }

    /// Takes one of what all clients share for a destination, of which one address gets a quarter
    /// in the long run: alone it must not use up what the others need.
    package func takeShared(
        _ limit: RateLimit, name: StaticString, of destination: CodeDestination,
        from address: ClientAddress?, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await take(limit, name: name, for: .destination(destination), in: transaction)
        guard let address else { return }
        try await take(
            limit.slowed(by: 4), name: name, for: .destinationFrom(destination, address),
            in: transaction)
    }

    /// Gives back what ``takeShared(_:name:of:from:in:)`` took.
    package func giveBackShared(
        _ limit: RateLimit, name: StaticString, of destination: CodeDestination,
        from address: ClientAddress?, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await giveBack(limit, name: name, for: .destination(destination), in: transaction)
        guard let address else { return }
        try await giveBack(
            limit.slowed(by: 4), name: name, for: .destinationFrom(destination, address),
            in: transaction)
    }

    /// Gives one back that was taken before for the same limit, name and subject, and turned out
    /// not to count: a right password among ``RateLimit/passwordTries``, or a try for which nothing
    /// was compared.
    ///
    /// Give back what this request took, once, and nothing else: each further one raises the limit
    /// for whoever guesses. Nothing taken is no error.
    ///
    /// - Throws: as the database.
    public func giveBack(
        _ limit: RateLimit, name: StaticString, for subject: Subject,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        for row in LimitRow.rows(limit, name: name, for: subject) {
            try await giveBack(row, in: transaction)
        }
    }

    /// Removes the rows that limit nothing any more, and those of ``KnownClients`` that have ended.
    /// Call it once in a while.
    public func sweep() async throws(AccountError) {
        try await EndedRows.delete(ended)
    }

    package var ended: [EndedRows] {
        [
            EndedRows(database, statement: Self.sweep),
            EndedRows(database, statement: KnownClients.ended),
        ]
    }

    private func takeAll(_ rows: [LimitRow]) async throws(AccountError) {
        guard !rows.isEmpty else { return }
        try await database.transaction { (transaction) throws(AccountError) in
            for row in rows { try await take(row, in: transaction) }
        }
    }

    private func giveAllBack(_ rows: [LimitRow]) async throws(AccountError) {
        guard !rows.isEmpty else { return }
        try await database.transaction { (transaction) throws(AccountError) in
            for row in rows { try await giveBack(row, in: transaction) }
        }
    }

    private func take(
        _ row: LimitRow, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let (key, limit) = (try row.key(secret), row.limit)
        // No overflow: all of a burst takes some ten years at most.
        let whole = limit.interval * Int64(limit.burst)
        let taken = try await transaction.run(
            Self.take,
            values: [
                key, .integer(limit.interval), .integer(2 * whole), .integer(whole),
                .integer(whole - limit.interval),
            ])
        guard taken.isEmpty else { return }
        let wait = try await transaction.run(
            Self.wait, values: [.integer(whole - limit.interval), key])
        throw .tooManyRequests(
            after: try wait.first?.integer(0) ?? limit.interval, limit: row.label)
    }

    private func giveBack(
        _ row: LimitRow, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(
            Self.giveBack, values: [.integer(row.limit.interval), try row.key(secret)])
    }

    /// `full_until` is when the whole burst is free again: GCRA's theoretical arrival time. A row
    /// that is further ahead than two bursts was written by a clock that has been set back since;
    /// it counts as a whole burst, or a wrong clock would lock people out for as long as it was
    /// wrong by.
    private static let take: SQLStatement = """
        INSERT INTO signet_limits (key, full_until) VALUES ($1, {now} + $2)
        ON CONFLICT (key) DO UPDATE SET full_until = CASE
            WHEN signet_limits.full_until > {now} + $3 THEN {now} + $4
            WHEN signet_limits.full_until > {now} THEN signet_limits.full_until + $2
            ELSE {now} + $2 END
        WHERE signet_limits.full_until <= {now} + $5 OR signet_limits.full_until > {now} + $3
        RETURNING full_until
        """
    private static let wait: SQLStatement =
        "SELECT full_until - {now} - $1 FROM signet_limits WHERE key = $2"
    private static let giveBack: SQLStatement =
        "UPDATE signet_limits SET full_until = full_until - $1 WHERE key = $2"
    private static let sweep: SQLStatement = """
        WITH ended AS (
            SELECT key FROM signet_limits WHERE full_until <= (SELECT {now})
            ORDER BY full_until LIMIT 500 {free})
        DELETE FROM signet_limits
        WHERE key IN (SELECT key FROM ended) AND full_until <= {now}
        RETURNING 1
        """
}

extension AccountError.Code {
    /// A limit is reached: 429, with `retryAfter` and `limit`.
    public static var tooManyRequests: Self { Self(rawValue: "tooManyRequests") }
    /// Requests have no client address, so all of them share one limit. Never thrown, only
    /// reported.
    public static var noClientAddress: Self { Self(rawValue: "noClientAddress") }
}

extension AccountError {
    static func tooManyRequests(
        after milliseconds: Int64, limit: String? = nil
    ) -> AccountError {
        var details = AccountErrorDomain.Details(
            retryAfter: .milliseconds(max(1, milliseconds)))
        details.limit = limit
        return AccountError(
            .tooManyRequests, details: details,
            "This was tried too often. Please wait before you try again.")
    }
}
