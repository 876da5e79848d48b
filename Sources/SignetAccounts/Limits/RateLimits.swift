// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Counts in the database what is limited, in one row for each limit and subject, by the database's
/// clock.
///
/// ```swift
/// let limits = RateLimits(accounts, secret: secret)
/// try await limits.take(.passwordTries, "passwords", for: .account("user-1093"))
/// ```
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
        /// no IPv4 address.
        case address(ClientAddress)
        /// One account, by its identifier.
        case account(String)
        /// One client at one destination.
        case destinationFrom(CodeDestination, ClientAddress)

        var fields: [[UInt8]] {
            switch self {
            case .destination(let destination): [[1], destination.limited]
            case .address(let address): [[2], address.limited]
            case .account(let identifier): [[3], Array(identifier.utf8)]
            case .destinationFrom(let destination, let address):
                [[4], destination.limited, address.limited]
            }
        }
    }

    private let database: any AccountDatabase
    private let secret: AccountSecret

    /// Limits in a database.
    public init(_ database: any AccountDatabase, secret: AccountSecret) {
        (self.database, self.secret) = (database, secret)
    }

    /// Counts one use against a limit, in its own transaction.
    ///
    /// - Parameters:
    ///   - limit: the limit. A changed one, and another one of this name, counts for itself.
    ///   - name: what is limited; two limits of one subject that count apart have two names.
    ///   - subject: the person, address or client that the limit counts.
    /// - Throws: `tooManyRequests` with `retryAfter`, after which the same call succeeds unless
    ///   others came first; what ``AccountDatabase`` throws.
    public func take(
        _ limit: RateLimit, _ name: StaticString, for subject: Subject
    ) async throws(AccountError) {
        try await database.transaction { (transaction) throws(AccountError) in
            try await take(limit, name, for: subject, in: transaction)
        }
    }

    /// Takes one for the client of a request, where it has an address; where it has none, such as
    /// at a Unix socket, nothing counts.
    ///
    /// - Throws: as ``take(_:_:for:)``.
    public func take(
        _ limit: RateLimit, _ name: StaticString, from address: ClientAddress?
    ) async throws(AccountError) {
        guard let address else { return }
        try await take(limit, name, for: .address(address))
    }

    /// Takes one in a transaction of the caller's, which must not be committed after an error.
    public func take(
        _ limit: RateLimit, _ name: StaticString, for subject: Subject,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let key = try key(limit, name, subject)
        // No overflow: a burst of intervals is at most ten years.
        let whole = limit.interval * Int64(limit.burst)
        let taken = try await transaction.run(
            Self.take,
            [
                key, .integer(limit.interval), .integer(2 * whole), .integer(whole),
                .integer(whole - limit.interval),
            ])
        guard taken.isEmpty else { return }
        let wait = try await transaction.run(Self.wait, [.integer(whole - limit.interval), key])
        throw .tooManyRequests(after: try wait.first?.integer(0) ?? limit.interval)
    }

    /// Gives one back that was taken before for the same purpose, and turned out not to count.
    package func giveBack(
        _ limit: RateLimit, _ name: StaticString, for subject: Subject,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let key = try key(limit, name, subject)
        try await transaction.run(Self.giveBack, [.integer(limit.interval), key])
    }

    /// Removes the rows that limit nothing any more. Call it once in a while.
    public func sweep() async throws(AccountError) {
        try await EndedRows.delete(ended)
    }

    package var ended: [EndedRows] { [EndedRows(database, Self.sweep)] }

    /// The limit is a part of it: in one row a looser one would open a stricter one, whose rows it
    /// takes for those of a clock that has been set back.
    func key(
        _ limit: RateLimit, _ name: StaticString, _ subject: Subject
    ) throws(AccountError) -> SQLValue {
        let size = [UInt64(limit.burst), UInt64(limit.interval)].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        let fields = [Array(name.description.utf8), size] + subject.fields
        return .bytes(try secret.code("limit", fields))
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
    /// A limit is reached: 429, with `retryAfter`.
    public static var tooManyRequests: Self { Self(rawValue: "tooManyRequests") }
}

extension AccountError {
    static func tooManyRequests(after milliseconds: Int64) -> AccountError {
        AccountError(
            .tooManyRequests, retryAfter: .milliseconds(max(1, milliseconds)),
            "This was tried too often. Please wait before you try again.")
    }
}
