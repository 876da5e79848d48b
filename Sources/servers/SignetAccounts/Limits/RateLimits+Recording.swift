// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// For uses that must not be refused, and still count.
extension RateLimits {
    /// Counts a use, also past the limit, in its own transaction.
    func record(
        _ limit: RateLimit, name: StaticString, for subject: Subject
    ) async throws(AccountError) {
        try await database.transaction { (transaction) throws(AccountError) in
            try await record(limit, name: name, for: subject, in: transaction)
        }
    }

    /// Counts a use, also past the limit: then the limit stays reached for longer, up to a second
    /// burst.
    func record(
        _ limit: RateLimit, name: StaticString, for subject: Subject,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        for row in LimitRow.rows(limit, name: name, for: subject) {
            let limit = row.limit
            try await transaction.run(
                Self.recordStatement,
                values: [
                    try row.key(secret), .integer(limit.interval), .integer(2 * limit.burstTime),
                    .integer(limit.burstTime), .integer(2 * limit.burstTime - limit.interval),
                ])
        }
    }

    /// Whether the next use would be refused.
    func isReached(
        _ limit: RateLimit, name: StaticString, for subject: Subject,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        for row in LimitRow.rows(limit, name: name, for: subject) {
            let limit = row.limit
            let rows = try await transaction.run(
                Self.isReachedStatement,
                values: [
                    try row.key(secret), .integer(limit.burstTime - limit.interval),
                    .integer(2 * limit.burstTime),
                ])
            if !rows.isEmpty { return true }
        }
        return false
    }

    /// Like `takeStatement`, it resets a row that is further ahead than two bursts, which a clock that has
    /// been set back since has written. No row gets there by counting, or its count would be
    /// forgotten: from `$5` on, one use short of two bursts, a use adds nothing.
    private static let recordStatement: SQLStatement = """
        INSERT INTO signet_limits (key, full_until) VALUES ($1, {now} + $2)
        ON CONFLICT (key) DO UPDATE SET full_until = CASE
            WHEN signet_limits.full_until > {now} + $3 THEN {now} + $4
            WHEN signet_limits.full_until > {now} + $5 THEN signet_limits.full_until
            WHEN signet_limits.full_until > {now} THEN signet_limits.full_until + $2
            ELSE {now} + $2 END
        """
    private static let isReachedStatement: SQLStatement = """
        SELECT full_until FROM signet_limits
        WHERE key = $1 AND full_until > {now} + $2 AND full_until <= {now} + $3
        """
}

extension RateLimit {
    /// A share of the limit, at once and in the long run; at least 1 at once.
    func part(_ share: Int, of whole: Int) -> RateLimit {
        let part = max(1, burst * share / whole)
        return RateLimit(burst: part, upTo: interval * Int64(whole) / Int64(share))
    }

    /// The same burst, with intervals that are `factor` times as long.
    func slowed(by factor: Int) -> RateLimit {
        RateLimit(burst: burst, upTo: interval * Int64(factor))
    }

    /// The same number in the long run, and at most `most` at once.
    func bursting(_ most: Int) -> RateLimit {
        RateLimit(burst: min(burst, most), milliseconds: interval)
    }

    /// Shortens the interval where the burst times the interval would be more than ten years.
    private init(burst: Int, upTo milliseconds: Int64) {
        self.init(burst: burst, milliseconds: min(milliseconds, Self.longestBurst / Int64(burst)))
    }
}
