// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// Remembers received logout tokens in the database, for all servers that share it.
///
/// It is the argument `replays` of SignetIdentity's `BackChannelLogout`. A claim is one conditional
/// statement: of any number of simultaneous ones, on any server, one runs its work. Until the work
/// has returned, the name is claimed for a minute only, so that a server that dies in the middle
/// loses no logout: the provider's next try after that ends the sessions.
public struct LogoutReplayTable: LogoutReplayStore {
    /// For the work, in milliseconds.
    private static let pending: Int64 = 60_000
    /// More than any token's time.
    private static let longest: Int64 = 180_000_000

    private let database: any AccountDatabase

    /// The logouts of a database that has the tables of this version (`AccountSchema.migrate`).
    public init(_ database: any AccountDatabase) { self.database = database }

    /// Claims a name and runs `work`.
    ///
    /// - Throws: the errors of the database, after which the token may come again, and of `work`.
    public func claim(
        _ name: String, forSeconds seconds: Int, running work: () async throws -> Void
    ) async throws -> Bool {
        let claimed = try await database.transaction { (transaction) throws(AccountError) in
            let claimed = try await transaction.run(
                Self.claim, [.text(name), .integer(Self.pending), .integer(Self.longest)])
            // Waits for nobody, so it cannot deadlock with another claim.
            if !claimed.isEmpty { try await transaction.run(Self.sweep, []) }
            return claimed
        }
        guard let row = claimed.first else { return false }
        // Another claim may follow when this one has ended: then nothing of it changes.
        let mine = SQLValue.integer(try row.integer(0))
        do { try await work() } catch {
            // Without it, the name is free in a minute.
            _ = try? await run(Self.release, [.text(name), mine])
            throw error
        }
        let time = Int64(min(max(seconds, 1), 172_800)) * 1000
        try await run(Self.keep, [.text(name), mine, .integer(time)])
        return true
    }

    private func run(
        _ statement: SQLStatement, _ values: [SQLValue]
    ) async throws(AccountError) {
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run(statement, values)
        }
    }

    static let steps = [
        SchemaStep(
            "logouts.1",
            [
                """
                CREATE TABLE signet_logouts (
                    name TEXT NOT NULL PRIMARY KEY, ends_at {integer} NOT NULL) {strict}
                """,
                "CREATE INDEX signet_logouts_by_end ON signet_logouts (ends_at)",
            ])
    ]

    /// A row that is further ahead was written by a clock that has been set back since.
    private static let claim: SQLStatement = """
        INSERT INTO signet_logouts (name, ends_at) VALUES ($1, {now} + $2)
        ON CONFLICT (name) DO UPDATE SET ends_at = {now} + $2
        WHERE signet_logouts.ends_at <= {now} OR signet_logouts.ends_at > {now} + $3
        RETURNING ends_at
        """
    /// Also a row that another claim has swept since, because the work took more than its minute.
    private static let keep: SQLStatement = """
        INSERT INTO signet_logouts (name, ends_at) VALUES ($1, {now} + $3)
        ON CONFLICT (name) DO UPDATE SET ends_at = {now} + $3 WHERE signet_logouts.ends_at = $2
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
