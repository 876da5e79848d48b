// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
public import SignetIdentity

/// Remembers received logout tokens in the database, for all servers that share it. By a logout
/// token a provider tells a server to end a person's sessions (OpenID Connect Back-Channel Logout).
/// A copy that arrives later must not end them again:
///
///     let isFirst = try await table.claim("name of the token", forSeconds: 300) {
///         // Runs for the first copy only: end the sessions.
///     }
///
/// It is the argument `replays` of SignetIdentity's `BackChannelLogout`. A claim is a single
/// conditional statement: if several servers claim a token at once, the first runs its work, and
/// the later claims wait for its end. Until the work has returned, the name is claimed for a minute
/// only, so that a server that dies in the middle loses no logout: a waiting copy, or the
/// provider's next try, then ends the sessions.
public struct LogoutReplayTable: LogoutReplayStore {
    // A name is free, then claimed while the work runs (at most a minute, `workTime`), and then
    // done, until it is forgotten (`keptSeconds`). If the work fails, the name is free again.

    /// The result of one attempt to claim a name.
    private enum Attempt {
        /// Claimed until this time, which also identifies the claim.
        case claimed(SQLValue)
        /// The work of an earlier claim has not returned yet.
        case isWorking
        /// The work of an earlier claim has returned.
        case done
    }

    /// The time for the work, in milliseconds.
    private static let workTime: Int64 = 60_000
    /// How long a name whose work is done is kept: long enough for waiting copies to see that it is
    /// done, and not to claim the name; two days at most.
    private static let keptSeconds = 90...172_800
    /// More milliseconds than any token is remembered for: 50 hours.
    private static let longest: Int64 = 180_000_000
    /// The time for a waiting copy: longer than `workTime`, so that it claims a name that a dead
    /// server has left.
    private static let waitLimit = Duration.seconds(75)
    /// The time between two looks whether the earlier claim's work has ended.
    private static let pause = Duration.milliseconds(250)

    private let database: any AccountDatabase
    private let clock: TimeSource

    /// The logouts of a database that has the tables of this version (`AccountSchema.migrate`).
    ///
    /// - Parameters:
    ///   - database: where the claims are kept; they end by its clock.
    ///   - clock: measures how long a copy waits for the work of an earlier claim, and sleeps.
    public init(_ database: any AccountDatabase, clock: TimeSource = .system) {
        self.database = database
        self.clock = clock
    }

    /// Claims a name and runs `work`.
    ///
    /// - Returns: whether this call ran `work`; false if an earlier call has done so.
    /// - Throws: the errors of the database, after which the token may come again, and of `work`;
    ///   `busy` if the work of other claims of this name has gone on, or failed, for 75 s.
    public func claim(
        _ name: String, forSeconds seconds: Int, running work: () async throws -> Void
    ) async throws -> Bool {
        guard let claim = try await claimWhenFree(name) else { return false }
        // Once this claim has ended, a later claim may hold the row: then neither statement below
        // changes it.
        do { try await work() } catch {
            // If the release fails, the name is free in a minute.
            _ = try? await run(Self.release, values: [.text(name), claim])
            throw error
        }
        let range = Self.keptSeconds
        let keptSeconds = min(max(seconds, range.lowerBound), range.upperBound)
        try await run(
            Self.keep, values: [.text(name), claim, .integer(Int64(keptSeconds) * 1000)])
        return true
    }

    /// Claims a name. Waits while an earlier claim works: if that work fails after this copy was
    /// refused as a replay, the provider has no reason to send a third copy, and the sessions live
    /// on.
    ///
    /// - Returns: the claim; nil where the work is done.
    private func claimWhenFree(_ name: String) async throws -> SQLValue? {
        let begun = clock.elapsed()
        while true {
            switch try await tryToClaim(name) {
            case .claimed(let claim): return claim
            case .done: return nil
            case .isWorking: break
            }
            guard clock.elapsed() - begun < Self.waitLimit else {
                throw AccountError(
                    .busy, "The sessions of this logout are still being ended. Send it again later."
                )
            }
            await clock.sleep(for: Self.pause)
            try Task.checkCancellation()
        }
    }

    /// Claims a name, unless an earlier claim works, or its work is done.
    private func tryToClaim(_ name: String) async throws(AccountError) -> Attempt {
        try await database.transaction { (transaction) throws(AccountError) -> Attempt in
            let claimed = try await transaction.run(
                Self.claimStatement,
                values: [.text(name), .integer(Self.workTime), .integer(Self.longest)])
            guard let row = claimed.first else {
                let found = try await transaction.run(Self.isWorking, values: [.text(name)])
                // No row: the claim was released in between, and the next try gets the name.
                return try found.first?.integer(0) == 0 ? .done : .isWorking
            }
            // Waits for no lock, so it cannot deadlock with another claim.
            try await transaction.run(Self.sweep, values: [])
            return .claimed(.integer(try row.integer(0)))
        }
    }

    private func run(_ statement: SQLStatement, values: [SQLValue]) async throws(AccountError) {
        try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(statement, values: values)
        }
    }

    static let steps = [
        SchemaStep(
            "logouts.1",
            statements: [
                """
                CREATE TABLE signet_logouts (
                    name TEXT NOT NULL PRIMARY KEY, ends_at {integer} NOT NULL) {strict}
                """,
                "CREATE INDEX signet_logouts_by_end ON signet_logouts (ends_at)",
            ]),
        SchemaStep(
            "logouts.2",
            statements: [
                // 1 until the work has returned.
                """
                ALTER TABLE signet_logouts ADD COLUMN is_working {integer} NOT NULL DEFAULT 0
                """
            ]),
    ]

    /// `{now}` is the database's clock in milliseconds, `$2` `workTime` and `$3` `longest`. A row
    /// that is further ahead than `longest` was written by a clock that has been set back since.
    private static let claimStatement: SQLStatement = """
        INSERT INTO signet_logouts (name, ends_at, is_working) VALUES ($1, {now} + $2, 1)
        ON CONFLICT (name) DO UPDATE SET ends_at = {now} + $2, is_working = 1
        WHERE signet_logouts.ends_at <= {now} OR signet_logouts.ends_at > {now} + $3
        RETURNING ends_at
        """
    private static let isWorking: SQLStatement =
        "SELECT is_working FROM signet_logouts WHERE name = $1"
    /// Also inserts a row that a later claim has swept, because the work took more than its minute.
    private static let keep: SQLStatement = """
        INSERT INTO signet_logouts (name, ends_at, is_working) VALUES ($1, {now} + $3, 0)
        ON CONFLICT (name) DO UPDATE SET ends_at = {now} + $3, is_working = 0
        WHERE signet_logouts.ends_at = $2
        """
    private static let release: SQLStatement =
        "DELETE FROM signet_logouts WHERE name = $1 AND ends_at = $2"
    private static let sweep: SQLStatement = """
        WITH ended AS (
            SELECT name FROM signet_logouts WHERE ends_at <= (SELECT {now})
            ORDER BY ends_at LIMIT 100 {free})
        DELETE FROM signet_logouts
        WHERE name IN (SELECT name FROM ended) AND ends_at <= {now}
        """
}
