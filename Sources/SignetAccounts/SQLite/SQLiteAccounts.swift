// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetPlatform

/// Accounts in one file of SQLite, for one machine: any number of processes share the file.
///
/// A transaction is on the disk when it returns. One at a time writes; the others wait in the order
/// in which they came, those of other processes without an order. No thread of the pool waits.
public final class SQLiteAccounts: AccountDatabase {
    private let lane: SQLiteLane
    private let turns = TransactionTurns()

    /// What SQLite writes differently.
    public var dialect: SQLDialect { .sqlite }

    /// Opens the file, or makes it, and brings its tables to this version.
    ///
    /// The file and its folder are checked as a vault's are: it belongs to this user and nobody
    /// else may read it (0600), or replace it in its folder.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - busyTimeout: how long a transaction waits for other processes: 0 to 60 s.
    /// - Throws: `invalidParameter` for another path or time; `unavailable` for a place that
    ///   cannot be used, or is not safe, with what mends it; `corrupt` for a file that is something
    ///   else, or of a newer version.
    public static func open(
        at path: String, busyTimeout: Duration = .seconds(5)
    ) async throws(AccountError) -> SQLiteAccounts {
        let milliseconds = busyTimeout / .milliseconds(1)
        guard path.utf8.first == UInt8(ascii: "/"), (0...60_000).contains(milliseconds) else {
            throw AccountError(
                .invalidParameter, "The path is absolute, and the time to wait 0 to 60 s.")
        }
        // Off the pool: it waits for the disk.
        let file = AccountFile(path: path, busyTimeoutMilliseconds: Int(milliseconds))
        let accounts = SQLiteAccounts(try await file.open())
        try await AccountSchema.migrate(accounts)
        return accounts
    }

    /// Accounts in memory, for tests: they go with the object.
    public static func inMemory() async throws(AccountError) -> SQLiteAccounts {
        let accounts = SQLiteAccounts(try AccountFile.inMemory())
        try await AccountSchema.migrate(accounts)
        return accounts
    }

    private init(_ lane: SQLiteLane) { self.lane = lane }

    /// As the protocol says. `work` runs once.
    public func transaction<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        try await turns.take()
        defer { turns.give() }
        try await lane.run { (connection) throws(AccountError) in try connection.begin() }
        let transaction = SQLiteTransaction(lane)
        do throws(AccountError) {
            let answer = try await work(transaction)
            try transaction.end()
            guard !Task.isCancelled else { throw .cancelledTransaction }
            try await lane.run { (connection) throws(AccountError) in try connection.commit() }
            return answer
        } catch {
            try? transaction.end()
            try? await lane.run { (connection) throws(AccountError) in connection.rollBack() }
            throw error
        }
    }

    /// Ends the connection once the transactions that were asked for before have ended. From then
    /// on every transaction is `unavailable`.
    public func close() async {
        // Not cancelled with its caller: what is open must be closed.
        await Task {
            try? await turns.take()
            defer { turns.give() }
            try? await lane.run { (connection) throws(AccountError) in connection.close() }
        }.value
    }
}

/// A transaction while its work runs.
private final class SQLiteTransaction: AccountTransaction {
    private enum Progress {
        case running, over
        case failed(AccountError)
    }

    private let lane: SQLiteLane
    private let progress = Locked(Progress.running)

    init(_ lane: SQLiteLane) { self.lane = lane }

    func run(_ statement: SQLStatement, _ values: [SQLValue]) async throws(AccountError) -> [SQLRow]
    {
        do throws(AccountError) {
            guard !Task.isCancelled else { throw .cancelledTransaction }
            let text = statement.text(in: .sqlite)
            return try await lane.run { (connection) throws(AccountError) in
                // Asked here, where nothing of the next transaction can have begun.
                try self.check()
                return try connection.run(text, values)
            }
        } catch {
            progress.withLock { if case .running = $0 { $0 = .failed(error) } }
            throw error
        }
    }

    /// No statement of it runs from now on.
    ///
    /// - Throws: what a statement of it has thrown.
    func end() throws(AccountError) {
        let was = progress.withLock { progress in
            defer { progress = .over }
            return progress
        }
        if case .failed(let error) = was { throw error }
    }

    private func check() throws(AccountError) {
        switch progress.withLock({ $0 }) {
        case .running: return
        case .failed(let error): throw error
        case .over: throw AccountError(.invalidParameter, "The transaction is over.")
        }
    }
}
