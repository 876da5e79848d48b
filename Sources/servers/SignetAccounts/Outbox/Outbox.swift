// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Sends the messages that ``OneTimeCodes`` and ``AccountNotices`` put into the database, from any
/// number of processes.
///
/// ```swift
/// let outbox = try Outbox(accounts, secret: secret, sender: Provider())
/// let worker = Task { await outbox.run { error in print("outbox:", error.code) } }
/// ```
///
/// A message is a row. A process claims the row for a minute, so that no other process sends it,
/// opens it, sends it and removes it. A message is sent twice only if a process dies, or loses the
/// database, between sending and removing it. Failures are retried after 2, 4, 8 … seconds, until
/// the code has expired, or for a day.
public struct Outbox: Sendable {
    /// The time limit for sending a message.
    public static let sendingTime = Duration.seconds(30)
    /// Longer than ``sendingTime``, so no other process takes a message that is still being sent.
    private static let claimTime = Duration.seconds(60)
    private static let claimAttempts = 20
    private static let removalAttempts = 5
    /// How often a pause after a failure is doubled at most.
    private static let maximumDoublings = 6

    // A message goes through these functions:
    // 1. claimNext: the row is this process's for a minute (`claimTime`).
    // 2. sendAndRemove: opens the row, and calls the sender.
    // 3. remove, or postpone after a failure that may pass.

    /// The result of one attempt to claim a message.
    private enum Claim {
        case claimed(SQLRow)
        /// A message is due, and this claim did not get it.
        case missed
        case nothingDue
    }

    /// A row that this process has claimed: the columns that `claimStatement` returns.
    private struct ClaimedRow {
        let key: [UInt8]
        /// The message's name.
        let id: [UInt8]
        let sealed: [UInt8]
        /// How often the message was claimed, this time included.
        let tryCount: Int64

        init(_ row: SQLRow) throws(AccountError) {
            key = try row.bytes(0)
            id = try row.bytes(1)
            sealed = try row.bytes(2)
            tryCount = try row.integer(3)
        }
    }

    private let database: any AccountDatabase
    private let secret: AccountSecret
    private let sender: any MessageSender
    private let concurrentSendCount: Int

    /// The outbox of a database.
    ///
    /// - Parameters:
    ///   - database: where the rows are kept.
    ///   - secret: the key for hashing and sealing, the same for all servers.
    ///   - sender: delivers the messages.
    ///   - concurrentSendCount: how many messages are sent at once, 1 to 64.
    /// - Throws: `invalidParameter`.
    public init(
        _ database: any AccountDatabase, secret: AccountSecret, sender: any MessageSender,
        concurrentSendCount: Int = 4
    ) throws(AccountError) {
        if let fault = ParameterRange(
            "concurrentSendCount", value: concurrentSendCount, in: 1...64
        ).fault {
            throw AccountError(.invalidParameter, fault)
        }
        self.database = database
        self.secret = secret
        self.sender = sender
        self.concurrentSendCount = concurrentSendCount
    }

    /// Sends until the task is cancelled, and then finishes what it has begun. Start it once per
    /// process, beside the server.
    ///
    /// - Parameters:
    ///   - pause: how long to wait if there is nothing to send.
    ///   - time: the clock for pauses.
    ///   - report: receives errors of the database and of senders, for a log.
    public func run(
        pause: Duration = .milliseconds(500), time: TimeSource = .system,
        report: @escaping @Sendable (AccountError) -> Void = { _ in }
    ) async {
        var failures = 0
        while !Task.isCancelled {
            do {
                try await deliver(report: report)
                failures = 0
            } catch {
                if !Task.isCancelled { report(error) }
                failures = min(failures + 1, Self.maximumDoublings)
            }
            // 1 s after the first failure in a row, twice as long after each, and at most 32 s.
            await time.sleep(for: failures == 0 ? pause : .milliseconds(500 << failures))
        }
    }

    /// Sends what is due now, and drops expired messages.
    ///
    /// - Parameter report: receives the reasons for unsent messages.
    /// - Returns: how many messages were sent.
    /// - Throws: the database's errors.
    @discardableResult
    public func deliver(
        report: @escaping @Sendable (AccountError) -> Void = { _ in }
    ) async throws(AccountError) -> Int {
        // `Result(awaiting:)` keeps an error as a value, to be thrown later.
        let dropping = await Result(awaiting: { () async throws(AccountError) in
            try await EndedRows.delete([EndedRows(database, statement: Self.dropStatement)])
        })
        // Sends also if dropping failed: expired messages must not hold up the live ones.
        let results = await withTaskGroup(of: Result<Int, AccountError>.self) { group in
            for _ in 0..<concurrentSendCount {
                group.addTask {
                    await Result(awaiting: { () throws(AccountError) in try await sendAll(report) })
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try dropping.get()
        var count = 0
        for result in results { count += try result.get() }
        return count
    }

    /// Claims and sends one message after another until none is due.
    ///
    /// - Returns: how many were sent.
    private func sendAll(
        _ report: @escaping @Sendable (AccountError) -> Void
    ) async throws(AccountError) -> Int {
        var count = 0
        while let row = try await claimNext() {
            // A task of its own is not cancelled with its caller: a sent message must be removed.
            let task = Task {
                await Result(awaiting: { () throws(AccountError) in
                    try await sendAndRemove(row, report)
                })
            }
            if try await task.value.get() { count += 1 }
        }
        return count
    }

    /// A message that is due, claimed for this process alone; nil if none is due.
    private func claimNext() async throws(AccountError) -> SQLRow? {
        // A database that runs several transactions at once may give a due row to none of them:
        // look again, up to 20 times, and then leave the row for the next call of `deliver`.
        for _ in 0..<Self.claimAttempts {
            guard !Task.isCancelled else { throw .cancelledTransaction }
            switch try await tryToClaim() {
            case .claimed(let row): return row
            case .nothingDue: return nil
            case .missed: break
            }
        }
        return nil
    }

    private func tryToClaim() async throws(AccountError) -> Claim {
        try await database.transaction { (transaction) throws(AccountError) -> Claim in
            let rows = try await transaction.run(
                Self.claimStatement, values: [.integer(Self.claimTime.milliseconds)])
            if let row = rows.first { return .claimed(row) }
            let due = try await transaction.run(Self.findDue, values: [])
            return due.isEmpty ? .nothingDue : .missed
        }
    }

    /// Sends a message and removes it, or postpones it.
    /// - Returns: whether it was sent.
    private func sendAndRemove(
        _ row: SQLRow, _ report: @Sendable (AccountError) -> Void
    ) async throws(AccountError) -> Bool {
        let claimed = try ClaimedRow(row)
        var isSent = false
        do {
            // Opens the sealed message. `isSent` says whether it is to go out: a message for an
            // unknown destination is a row too, so that nobody can tell the two apart.
            let message = try OutboxRow(
                key: claimed.key, id: claimed.id, sealed: claimed.sealed, secret: secret)
            if message.isSent { try await send(message.content) }
            isSent = message.isSent
        } catch {
            report(error)
            guard error.code == .messageRefused else {
                try await postpone(claimed)
                return false
            }
        }
        // The message was sent, is for nobody, or was refused for good.
        try await remove(claimed)
        return isSent
    }

    /// Makes a message due again after a pause: 2 s after the first try, and at most 64 s.
    private func postpone(_ claimed: ClaimedRow) async throws(AccountError) {
        let doublings = min(max(claimed.tryCount, 0), Int64(Self.maximumDoublings))
        try await run(
            Self.postponeStatement,
            values: [
                .integer(Int64(1000) << doublings), .bytes(claimed.key), .bytes(claimed.id),
                .integer(claimed.tryCount),
            ])
    }

    /// Tries several times, because a message that stays is sent again when its claim has ended.
    private func remove(_ claimed: ClaimedRow) async throws(AccountError) {
        let values = [SQLValue.bytes(claimed.key), .bytes(claimed.id)]
        for attempt in 0..<Self.removalAttempts {
            do throws(AccountError) {
                return try await run(Self.removeStatement, values: values)
            } catch {
                // The pause only throws if the task is cancelled: then the next attempt comes now.
                try? await Task.sleep(for: .milliseconds(100 << attempt))
            }
        }
        try await run(Self.removeStatement, values: values)
    }

    /// Calls the sender, and cancels it when it takes too long. Its result counts even then.
    private func send(_ content: OutboxRow.Content) async throws(AccountError) {
        let result = await withTaskGroup(of: Result<Void, AccountError>?.self) { group in
            group.addTask {
                await Result(awaiting: { () throws(AccountError) in try await handOver(content) })
            }
            // The end of the time has no result of its own, and neither has a cancelled pause.
            group.addTask {
                try? await Task.sleep(for: Self.sendingTime)
                return nil
            }
            // Whichever ends first cancels the other; the sender's result is kept in both cases.
            var sendersResult: Result<Void, AccountError>?
            for await next in group {
                if let next { sendersResult = next }
                group.cancelAll()
            }
            return sendersResult
        }
        try result?.get()
    }

    private func handOver(_ content: OutboxRow.Content) async throws(AccountError) {
        switch content {
        case .code(let message): try await sender.send(message)
        case .notice(let notice): try await sender.send(notice)
        }
    }

    private func run(_ statement: SQLStatement, values: [SQLValue]) async throws(AccountError) {
        _ = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(statement, values: values)
        }
    }

    /// `{now}` is the database's clock in milliseconds.
    ///
    /// No message is postponed by an hour (3,600,000 ms): a row that waits for longer comes from a
    /// clock that has been set back since. A code in it has ended, since codes live for ten minutes
    /// (600,000 ms) at most. A notice, which lives for a day, is due at once, and lives for a day
    /// from then.
    private static let dropStatement: SQLStatement = """
        WITH ended AS (
            SELECT key FROM signet_outbox
            WHERE ends_at <= (SELECT {now})
                OR due_at > (SELECT {now} + 3600000) AND ends_at <= due_at + 600000
            LIMIT 500 {free})
        DELETE FROM signet_outbox
        WHERE key IN (SELECT key FROM ended) AND (
            ends_at <= {now} OR due_at > {now} + 3600000 AND ends_at <= due_at + 600000)
        RETURNING 1
        """
    private static let findDue: SQLStatement =
        """
        SELECT tries FROM signet_outbox
        WHERE (due_at <= (SELECT {now}) OR due_at > (SELECT {now} + 3600000))
            AND ends_at > (SELECT {now}) LIMIT 1
        """
    /// The time is checked twice, because a concurrent transaction may have taken the row in
    /// between. A row of a clock that has been set back since lives for a day (86,400,000 ms) from
    /// now on. `{free}` leaves out rows that another transaction has locked.
    private static let claimStatement: SQLStatement = """
        UPDATE signet_outbox SET
            ends_at = CASE WHEN due_at > {now} THEN {now} + 86400000 ELSE ends_at END,
            due_at = {now} + $1, tries = tries + 1
        WHERE (due_at <= {now} OR due_at > {now} + 3600000) AND key = (
            SELECT key FROM signet_outbox
            WHERE (due_at <= (SELECT {now}) OR due_at > (SELECT {now} + 3600000))
                AND ends_at > (SELECT {now})
            ORDER BY due_at LIMIT 1 {free})
        RETURNING key, message, sealed, tries
        """
    private static let removeStatement: SQLStatement =
        "DELETE FROM signet_outbox WHERE key = $1 AND message = $2"
    /// Only while this process still has the claim: once it has ended, another process may be
    /// sending.
    private static let postponeStatement: SQLStatement = """
        UPDATE signet_outbox SET due_at = {now} + $1
        WHERE key = $2 AND message = $3 AND tries = $4
        """
}

extension Result {
    /// The result of `body`, or its error, as a value.
    fileprivate init(awaiting body: () async throws(Failure) -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
