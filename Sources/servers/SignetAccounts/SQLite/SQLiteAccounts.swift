// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetBase

/// Accounts in one SQLite file, shared by any number of processes on one machine.
///
/// A transaction is on the disk when it returns. Only one transaction writes at a time. The
/// transactions of a process wait in order; between processes there is no order. Reading does not
/// wait for writing. No thread of the pool waits.
public final class SQLiteAccounts: AccountDatabase {
    private let writer: QueuedSQLiteConnection
    /// A connection that only reads. In memory it is the writer.
    private let reader: QueuedSQLiteConnection
    /// The tasks that are in a transaction, or wait for one.
    private let tasks = Locked<Set<Int>>([])

    /// The SQL that SQLite writes differently.
    public let dialect: SQLDialect

    /// Opens or creates the file, and updates its tables to this version.
    ///
    /// The file and its folder are checked like a vault's: it belongs to this user, and no other
    /// user may read it (0600) or replace it in its folder.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - busyTimeout: how long a transaction waits for other processes: 0 to 600 s.
    /// - Throws: `invalidParameter` for a path that is not absolute, or a time out of range;
    ///   `unavailable` for an unusable or unsafe place, with the remedy; `corrupt` for a file of a
    ///   different kind, or of a newer version.
    public static func open(
        at path: String, busyTimeout: Duration = .seconds(5)
    ) async throws(AccountError) -> SQLiteAccounts {
        try await open(at: path, busyTimeout: busyTimeout, dialect: .sqlite)
    }

    /// Accounts in memory, for tests: they go with the object.
    public static func inMemory() async throws(AccountError) -> SQLiteAccounts {
        let connection = QueuedSQLiteConnection(try AccountFile.inMemory(), dialect: .sqlite)
        let accounts = SQLiteAccounts(writer: connection, reader: connection, dialect: .sqlite)
        try await AccountSchema.migrate(accounts)
        return accounts
    }

    /// Opens the file with a dialect whose clock a test controls.
    package static func open(
        at path: String, busyTimeout: Duration = .seconds(5), dialect: SQLDialect
    ) async throws(AccountError) -> SQLiteAccounts {
        let milliseconds = busyTimeout / .milliseconds(1)
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw AccountError(
                .invalidParameter,
                "The path of the database is not absolute: expected one that begins with /, found "
                    + "\(file: path).")
        }
        if let fault = ParameterRange(
            "busyTimeout", value: busyTimeout, in: .zero ... .seconds(600)
        ).fault {
            throw AccountError(.invalidParameter, fault)
        }
        let file = AccountFile(
            path: path, busyTimeoutMilliseconds: Int(milliseconds), dialect: dialect)
        let connections = try await file.open()
        let accounts = SQLiteAccounts(
            writer: connections.writer, reader: connections.reader, dialect: dialect)
        try await AccountSchema.migrate(accounts)
        return accounts
    }

    private init(
        writer: QueuedSQLiteConnection, reader: QueuedSQLiteConnection, dialect: SQLDialect
    ) {
        self.writer = writer
        self.reader = reader
        self.dialect = dialect
    }

    /// Runs `work` in a transaction, once. A transaction or a read inside of it is
    /// `invalidParameter`: on the same connection it would wait for `work`, which waits for it.
    /// From a child task of `work` this is **not** recognised.
    @discardableResult
    public func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await refusingNested { () async throws(AccountError) in
            try await self.writer.transaction(.writing, work)
        }
    }

    /// Runs `work` in a transaction that reads, once. If `work` writes all the same, its changes
    /// are undone. Nothing nests, by the rule of ``transaction(_:)``.
    public func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await refusingNested { () async throws(AccountError) in
            try await self.reader.transaction(.reading, work)
        }
    }

    /// Runs `body`, unless this task is in a transaction already, or waits for one.
    private func refusingNested<Value: Sendable>(
        _ body: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let task = TaskIdentity.current
        guard tasks.withLock({ $0.insert(task).inserted }) else {
            throw AccountError(
                .invalidParameter,
                "A transaction inside of another one of the same database: use the one at hand.")
        }
        defer { tasks.withLock { _ = $0.remove(task) } }
        return try await body()
    }

    /// Closes the connections after the transactions already requested. From then on every
    /// transaction is `unavailable`.
    public func close() async {
        await reader.close()
        await writer.close()
    }
}
