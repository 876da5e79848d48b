// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Counts uses that must not be refused, such as the first guess at a person's own code: `record`
// counts past the limit, and `isReached` asks without counting.
//
// Times are in milliseconds: `interval` is that of one use, `burstTime` that of a whole burst. With
// 3 at once and then one an hour they are 1 h and 3 h. The row of a limit has one time,
// `full_until`: when the whole burst is free again.
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
        // An IPv6 address has rows for its networks too, with limits of their own.
        for row in LimitRow.rows(limit, name: name, for: subject) {
            let interval = row.limit.interval
            let burstTime = row.limit.burstTime
            try await transaction.run(
                Self.recordStatement,
                values: [
                    try row.key(secret), .integer(interval), .integer(2 * burstTime),
                    .integer(burstTime), .integer(2 * burstTime - interval),
                ])
        }
    }

    /// Whether the next use would be refused.
    func isReached(
        _ limit: RateLimit, name: StaticString, for subject: Subject,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        for row in LimitRow.rows(limit, name: name, for: subject) {
            let burstTime = row.limit.burstTime
            let rows = try await transaction.run(
                Self.isReachedStatement,
                values: [
                    try row.key(secret), .integer(burstTime - row.limit.interval),
                    .integer(2 * burstTime),
                ])
            if !rows.isEmpty { return true }
        }
        return false
    }

    /// `$2` is the time of one use, `$3` of two bursts, `$4` of a burst and `$5` of two bursts
    /// without one use.
    ///
    /// Like `takeStatement`, it resets a row that is further ahead than two bursts, which a clock
    /// that has been set back since has written. No row gets there by counting, or its count would
    /// be forgotten: from `$5` on a use adds nothing.
    private static let recordStatement: SQLStatement = """
        INSERT INTO signet_limits (key, full_until) VALUES ($1, {now} + $2)
        ON CONFLICT (key) DO UPDATE SET full_until = CASE
            WHEN signet_limits.full_until > {now} + $3 THEN {now} + $4
            WHEN signet_limits.full_until > {now} + $5 THEN signet_limits.full_until
            WHEN signet_limits.full_until > {now} THEN signet_limits.full_until + $2
            ELSE {now} + $2 END
        """
    /// `$2` is the time of a burst without one use: beyond it, one more use does not fit. `$3` is
    /// the time of two bursts.
    private static let isReachedStatement: SQLStatement = """
        SELECT full_until FROM signet_limits
        WHERE key = $1 AND full_until > {now} + $2 AND full_until <= {now} + $3
        """
}

extension RateLimit {
    /// A share of the limit, at once and in the long run; at least 1 at once. A fifth (1 of 5) of 5
    /// at once and one every 12 minutes is 1 at once and one an hour.
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
