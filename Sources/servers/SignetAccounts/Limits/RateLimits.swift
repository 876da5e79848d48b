// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Counts limited actions in the database, in a row for each limit and subject, by the database's
/// clock.
///
/// ```swift
/// let limits = RateLimits(accounts, secret: secret)
/// let clients = KnownClients(secret: secret)
/// try await limits.take(.codesTriedFromAddress, name: "sign-ins", from: client)
/// ```
///
/// ``RateLimit/codesTriedFromAddress`` allows a burst of 30 sign-ins at once, and then one every
/// 10 s; the next throws `tooManyRequests`.
///
/// Take the client's limit first, with ``take(_:name:from:alone:)``: it is counted whatever becomes
/// of the request, so a refused request costs its sender, and a flood stops at its sender's own
/// limit.
///
/// Each decision is a single conditional statement, so that servers that share the database share
/// the limits. A database that is out of reach is an error and no permission. Names of rows are
/// HMACs: the table holds no number and no address.
public struct RateLimits: Sendable {
    /// The subject of a limit.
    public enum Subject: Sendable {
        /// A destination of codes.
        case destination(CodeDestination)
        /// A client: an IPv4 address, or the first 64 bits of an IPv6 address that stands for no
        /// IPv4 address. The networks around the 64 bits count too: a /56 has 4 times the limit,
        /// and a /48 64 times.
        case address(ClientAddress)
        /// A client that has signed in with a destination before, at that destination.
        case known(KnownClients.Client)
        /// A client at a destination that other clients share.
        case destinationFrom(CodeDestination, ClientAddress)
        /// An account, by its identifier.
        case account(String)
    }

    /// A limit with the name under which its uses count.
    public struct Named: Sendable {
        /// The limit.
        public let limit: RateLimit
        /// The name of the limited action.
        public let name: StaticString

        /// A limit, and its name: the arguments of ``RateLimits/take(_:name:for:)``.
        public init(_ limit: RateLimit, name: StaticString) {
            self.limit = limit
            self.name = name
        }
    }

    /// How many addresses that ask without a pause use up a limit that all clients share.
    private static let sharingAddressCount = 4

    let database: any AccountDatabase
    let secret: AccountSecret
    /// Tells once that clients have no address.
    private let addressReport: OneReport

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
        self.database = database
        self.secret = secret
        addressReport = OneReport {
            report(
                AccountError(
                    .noClientAddress,
                    "Requests have no client address, as at a Unix socket: all clients share "
                        + "\(LimitRow.factorWithoutAddress) times the limit of one. Read the address that "
                        + "your proxy forwards (TrustedProxies)."))
        }
    }

    /// Counts a use against a limit, in its own transaction.
    ///
    /// - Parameters:
    ///   - limit: the limit. A changed limit, and a second limit of this name, has a count of its
    ///     own.
    ///   - name: the name of the limited action; two limits of a subject that count apart have two
    ///     names.
    ///   - subject: the person, address or client that the limit counts.
    /// - Throws: `tooManyRequests` with `retryAfter`, after which the same call succeeds unless
    ///   concurrent calls came first, and the `limit` that is reached; the errors of
    ///   ``AccountDatabase``.
    public func take(
        _ limit: RateLimit, name: StaticString, for subject: Subject
    ) async throws(AccountError) {
        try await takeAll(LimitRow.rows(limit, name: name, for: subject))
    }

    /// Counts a request against its client's limit, in its own transaction. Call it before anything
    /// else is counted, looked up or computed for the request.
    ///
    /// All clients without an address share 100 times the limit. With a proxy at a Unix socket,
    /// read the address that it forwards (``TrustedProxies``).
    ///
    /// - Parameters:
    ///   - limit: the limit of a client: an IPv4 address, or an IPv6 network of /64.
    ///   - name: what is limited.
    ///   - address: the client's address; nil where it has none, such as at a Unix socket.
    ///   - alone: whether only the client's own requests count: not the networks around an IPv6
    ///     address and, without an address, nothing. True for actions that strangers must not be
    ///     able to prevent, such as a refresh.
    /// - Throws: as ``take(_:name:for:)``.
    public func take(
        _ limit: RateLimit, name: StaticString, from address: ClientAddress?, alone: Bool = false
    ) async throws(AccountError) {
        if address == nil, !alone { addressReport.reportOnce() }
        try await takeAll(LimitRow.rows(limit, name: name, from: address, alone: alone))
    }

    /// Lets a client try something, such as a code, and counts only what fails.
    ///
    /// The try is counted first, by ``take(_:name:from:alone:)``, so no more tries run at once than
    /// the limit allows. It is given back if `work` succeeds.
    ///
    /// - Parameters:
    ///   - limit: the limit of a client.
    ///   - name: what is limited.
    ///   - address: the client's address, if it has one.
    ///   - isBounded: whether `work` runs although the limit is reached. A `wrongCode` of `work`
    ///     then becomes the error of the limit. True only for a try that shows what a stranger
    ///     lacks, and that has a limit of its own: a code with its challenge. Then no stranger at
    ///     that address can have a right code refused.
    ///   - work: the try, with a transaction of its own.
    /// - Throws: as ``take(_:name:for:)``; what `work` throws.
    public func attempt<Value: Sendable>(
        _ limit: RateLimit, name: StaticString, from address: ClientAddress?,
        isBounded: Bool = false, _ work: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        var reached: AccountError?
        do { try await take(limit, name: name, from: address) } catch {
            guard isBounded, error.code == .tooManyRequests else { throw error }
            // Thrown only if the code turns out to be wrong.
            reached = error
        }
        let value: Value
        do { value = try await work() } catch {
            guard let reached, error.code == .wrongCode else { throw error }
            throw reached
        }
        if reached == nil {
            // The try has succeeded, whatever becomes of this, and whether anybody still waits.
            let rows = LimitRow.rows(limit, name: name, from: address, alone: false)
            await Task { try? await self.giveAllBack(rows) }.value
        }
        return value
    }

    /// Counts a use in the caller's transaction, which must not be committed after an error.
    ///
    /// If the caller's transaction is rolled back, so is the count. Count the client before, in its
    /// own transaction, with ``take(_:name:from:alone:)``.
    public func take(
        _ limit: RateLimit, name: StaticString, for subject: Subject,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        for row in LimitRow.rows(limit, name: name, for: subject) {
            try await take(row, in: transaction)
        }
    }

    /// Counts a use against the limit that all clients share for a destination. In the long run an
    /// address gets a quarter of it, so that no address alone can use it up.
    package func takeShared(
        _ limit: RateLimit, name: StaticString, of destination: CodeDestination,
        from address: ClientAddress?, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await take(limit, name: name, for: .destination(destination), in: transaction)
        guard let address else { return }
        try await take(
            limit.slowed(by: Self.sharingAddressCount), name: name,
            for: .destinationFrom(destination, address), in: transaction)
    }

    /// Gives back what ``takeShared(_:name:of:from:in:)`` took.
    package func giveBackShared(
        _ limit: RateLimit, name: StaticString, of destination: CodeDestination,
        from address: ClientAddress?, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await giveBack(limit, name: name, for: .destination(destination), in: transaction)
        guard let address else { return }
        try await giveBack(
            limit.slowed(by: Self.sharingAddressCount), name: name,
            for: .destinationFrom(destination, address), in: transaction)
    }

    /// Gives back a use that was taken before for the same limit, name and subject, and turned out
    /// not to count: a right password among ``RateLimit/passwordTries``, or a try for which nothing
    /// was compared.
    ///
    /// Give back what this request took, once, and nothing else: each further use given back raises
    /// the limit for an attacker who guesses. It is no error if nothing was taken.
    ///
    /// - Throws: the database's errors.
    public func giveBack(
        _ limit: RateLimit, name: StaticString, for subject: Subject,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        for row in LimitRow.rows(limit, name: name, for: subject) {
            try await giveBack(row, in: transaction)
        }
    }

    /// Gives back all that was taken for a limit, name and subject.
    func clear(
        _ limit: RateLimit, name: StaticString, for subject: Subject,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        for row in LimitRow.rows(limit, name: name, for: subject) {
            try await transaction.run(Self.clearStatement, values: [try row.key(secret)])
        }
    }

    /// Removes the rows that limit nothing any more, and the ended rows of ``KnownClients``. Call
    /// it now and then.
    public func sweep() async throws(AccountError) {
        try await EndedRows.delete(ended)
    }

    package var ended: [EndedRows] {
        [
            EndedRows(database, statement: Self.sweepStatement),
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
        let key = try row.key(secret)
        let limit = row.limit
        // How much of the burst may be used for one more use to fit, as a time.
        let longestBefore = SQLValue.integer(limit.burstTime - limit.interval)
        let taken = try await transaction.run(
            Self.takeStatement,
            values: [
                key, .integer(limit.interval), .integer(2 * limit.burstTime),
                .integer(limit.burstTime), longestBefore,
            ])
        guard taken.isEmpty else { return }
        let wait = try await transaction.run(Self.wait, values: [longestBefore, key])
        throw .tooManyRequests(
            after: try wait.first?.integer(0) ?? limit.interval, limit: row.label)
    }

    private func giveBack(
        _ row: LimitRow, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(
            Self.giveBackStatement, values: [.integer(row.limit.interval), try row.key(secret)])
    }

    /// `{now}` is the database's clock in milliseconds. `full_until` is when the whole burst is
    /// free again: GCRA's theoretical arrival time. With a burst of 3 and an interval of an hour,
    /// three uses at 12:00 make it 13:00, 14:00 and 15:00; a fourth is refused until 13:00.
    ///
    /// A row that is further ahead than two bursts was written by a clock that has been set back
    /// since; it counts as a whole burst, or a wrong clock would lock people out for as long as it
    /// was wrong by.
    ///
    /// `$2` is the time of one use, `$3` of two bursts and `$4` of a burst. There is room for a use
    /// up to `$5`, the time of a burst without one use.
    private static let takeStatement: SQLStatement = """
        INSERT INTO signet_limits (key, full_until) VALUES ($1, {now} + $2)
        ON CONFLICT (key) DO UPDATE SET full_until = CASE
            WHEN signet_limits.full_until > {now} + $3 THEN {now} + $4
            WHEN signet_limits.full_until > {now} THEN signet_limits.full_until + $2
            ELSE {now} + $2 END
        WHERE signet_limits.full_until <= {now} + $5 OR signet_limits.full_until > {now} + $3
        RETURNING full_until
        """
    /// How long until there is room for one use.
    private static let wait: SQLStatement =
        "SELECT full_until - {now} - $1 FROM signet_limits WHERE key = $2"
    private static let giveBackStatement: SQLStatement =
        "UPDATE signet_limits SET full_until = full_until - $1 WHERE key = $2"
    private static let clearStatement: SQLStatement = "DELETE FROM signet_limits WHERE key = $1"
    private static let sweepStatement: SQLStatement = """
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
    /// Requests have no client address, so all clients share a limit. Never thrown, only reported.
    public static var noClientAddress: Self { Self(rawValue: "noClientAddress") }
}

extension AccountError {
    static func tooManyRequests(after milliseconds: Int64, limit: String? = nil) -> AccountError {
        var details = AccountErrorDomain.Details(
            retryAfter: .milliseconds(max(1, milliseconds)))
        details.limit = limit
        return AccountError(
            .tooManyRequests, details: details,
            "This was tried too often. Please wait before you try again.")
    }
}
