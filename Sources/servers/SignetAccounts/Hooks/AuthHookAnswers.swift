// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// The answers to hooks, each kept once its work has returned. While the work goes on, its name is
/// claimed for a short time, which is extended as long as the process lives: a copy that comes
/// meanwhile waits for the answer, and does the work itself if there is none.
struct AuthHookAnswers: Sendable {
    private enum Attempt {
        case claimed
        case isWorking
        case answered([UInt8])
    }

    /// GoTrue sends again 2 s after a connection broke, and then finds no claim of a process that
    /// ended with it.
    private static let claimTime: Int64 = 2_000
    /// The time between two extensions of a claim.
    private static let extendingPause = Duration.seconds(1)
    /// A signature counts for five minutes before and after its time.
    private static let keptTime: Int64 = 600_000
    /// GoTrue waits no longer.
    private static let waitLimit = Duration.seconds(5)
    /// The time between two looks whether another claim's work has ended.
    private static let pause = Duration.milliseconds(100)
    private static let label: StaticString = "hook answer"

    private let database: any AccountDatabase
    private let secret: AccountSecret
    private let clock: TimeSource

    init(_ database: any AccountDatabase, secret: AccountSecret, clock: TimeSource) {
        self.database = database
        self.secret = secret
        self.clock = clock
    }

    /// The kept answer of this identity; else that of `work`, which is kept.
    ///
    /// - Throws: the errors of `work`, and of the database before it; `busy` if the work of others
    ///   has gone on for 5 s.
    func answer(
        _ identity: [[UInt8]], running work: () async throws -> [UInt8]
    ) async throws -> [UInt8] {
        let name = try secret.code("hook", over: identity)
        let claim = try [UInt8].random(count: 16)
        if let answer = try await keptAnswer(name, orClaimBy: claim) { return answer }
        do {
            let answer = try await extending(claim, of: name, during: work)
            let sealed = try secret.seal(answer, label: Self.label, bound: [name])
            // If this fails, the work is done all the same; it may then be done again.
            await runToTheEnd(
                Self.keep,
                values: [.bytes(name), .bytes(claim), .bytes(sealed), .integer(Self.keptTime)])
            return answer
        } catch {
            // If this fails, the name is free when the claim has ended.
            await runToTheEnd(Self.release, values: [.bytes(name), .bytes(claim)])
            throw error
        }
    }

    /// The kept answer; nil where the name is now claimed.
    private func keptAnswer(
        _ name: [UInt8], orClaimBy claim: [UInt8]
    ) async throws -> [UInt8]? {
        let begun = clock.elapsed()
        while true {
            switch try await attempt(name, claim: claim) {
            case .claimed: return nil
            case .answered(let sealed):
                return try secret.open(sealed, label: Self.label, bound: [name])
            case .isWorking: break
            }
            guard clock.elapsed() - begun < Self.waitLimit else {
                throw AccountError(.busy, "The work of this hook still goes on elsewhere.")
            }
            await clock.sleep(for: Self.pause)
            try Task.checkCancellation()
        }
    }

    private func attempt(_ name: [UInt8], claim: [UInt8]) async throws(AccountError) -> Attempt {
        try await database.transaction { (transaction) throws(AccountError) -> Attempt in
            let claimed = try await transaction.run(
                Self.claimStatement,
                values: [
                    .bytes(name), .integer(Self.claimTime), .bytes(claim), .integer(Self.keptTime),
                ])
            guard claimed.isEmpty else {
                // Waits for no lock, so it cannot deadlock with another claim.
                try await transaction.run(Self.sweep, values: [])
                return .claimed
            }
            let found = try await transaction.run(Self.find, values: [.bytes(name)])
            // No row: the claim was released in between, and the next attempt gets the name.
            guard let row = found.first, !row.isNull(0) else { return .isWorking }
            return .answered(try row.bytes(0))
        }
    }

    private func extending(
        _ claim: [UInt8], of name: [UInt8], during work: () async throws -> [UInt8]
    ) async throws -> [UInt8] {
        // Cancelled, and waited for, when the work has ended.
        async let _: Void = extend(claim, of: name)
        return try await work()
    }

    private func extend(_ claim: [UInt8], of name: [UInt8]) async {
        while true {
            await clock.sleep(for: Self.extendingPause)
            guard !Task.isCancelled else { return }
            _ = try? await run(
                Self.extend, values: [.bytes(name), .bytes(claim), .integer(Self.claimTime)])
        }
    }

    /// Not cancelled with its caller: what a provider has taken must be recorded.
    private func runToTheEnd(_ statement: SQLStatement, values: [SQLValue]) async {
        await Task { _ = try? await run(statement, values: values) }.value
    }

    private func run(_ statement: SQLStatement, values: [SQLValue]) async throws(AccountError) {
        try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(statement, values: values)
        }
    }
}

extension AuthHookAnswers {
    static let steps = [
        SchemaStep(
            "hooks/answers.1",
            statements: [
                // `sealed` is null until the work has returned.
                """
                CREATE TABLE signet_hook_answers (
                    name {bytes} NOT NULL PRIMARY KEY, ends_at {integer} NOT NULL,
                    claim {bytes} NOT NULL, sealed {bytes}) {strict}
                """,
                "CREATE INDEX signet_hook_answers_by_end ON signet_hook_answers (ends_at)",
            ])
    ]

    /// `{now}` is the database's clock in milliseconds. A row that is further ahead than `$4`, the
    /// longest time, was written by a clock that has been set back since.
    private static let claimStatement: SQLStatement = """
        INSERT INTO signet_hook_answers (name, ends_at, claim) VALUES ($1, {now} + $2, $3)
        ON CONFLICT (name) DO UPDATE SET ends_at = {now} + $2, claim = $3, sealed = NULL
        WHERE signet_hook_answers.ends_at <= {now} OR signet_hook_answers.ends_at > {now} + $4
        RETURNING 1
        """
    private static let find: SQLStatement =
        "SELECT sealed FROM signet_hook_answers WHERE name = $1"
    private static let extend: SQLStatement = """
        UPDATE signet_hook_answers SET ends_at = {now} + $3
        WHERE name = $1 AND claim = $2 AND sealed IS NULL
        """
    /// Also inserts a row that a later claim has swept.
    private static let keep: SQLStatement = """
        INSERT INTO signet_hook_answers (name, ends_at, claim, sealed)
        VALUES ($1, {now} + $4, $2, $3)
        ON CONFLICT (name) DO UPDATE SET ends_at = {now} + $4, sealed = $3
        WHERE signet_hook_answers.claim = $2
        """
    private static let release: SQLStatement =
        "DELETE FROM signet_hook_answers WHERE name = $1 AND claim = $2 AND sealed IS NULL"
    private static let sweep: SQLStatement = """
        WITH ended AS (
            SELECT name FROM signet_hook_answers WHERE ends_at <= (SELECT {now})
            ORDER BY ends_at LIMIT 100 {free})
        DELETE FROM signet_hook_answers
        WHERE name IN (SELECT name FROM ended) AND ends_at <= {now}
        """
}
