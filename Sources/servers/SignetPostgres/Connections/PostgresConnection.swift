// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import PostgresBridge
internal import SignetAccounts

/// A connection to the server, with the statements that were prepared on it. A
/// ``QueuedPostgresConnection`` owns it, and calls it on one thread at a time:
///
///     let beginning = try connection.begin(.writing, interruption: interruption)
///     let rows = try connection.run("SELECT $1::bigint", values: [.integer(7)], interruption: …)
///     try connection.commit(.writing)  // or rollBack()
///
/// Connecting, each statement and each commit wait for a limited time (`PGDeadline`), or until the
/// task is cancelled (`PGInterruption`, which wakes the thread by `PGWake`).
final class PostgresConnection {
    /// The purpose of a transaction.
    enum TransactionKind {
        case reading, writing
        /// Writing, with time for big tables.
        case migrating

        var begin: String {
            switch self {
            // Reads see a single moment, as in SQLite.
            case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .writing, .migrating: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
            }
        }
    }

    /// How the beginning of a transaction went.
    enum Beginning {
        case begun
        /// The connection has ended since it was used last.
        case ended
        /// The connection seemed to be there, but gave no answer, or a wrong answer.
        case unanswered
    }

    /// A statement that the server has prepared.
    private struct PreparedStatement {
        /// The name by which the server knows it.
        let name: String
        /// The types of its values.
        let types: [PGType]
    }

    private static let oldestVersion = 14
    private static let maximumPreparedCount = 500
    /// How much longer than the server's own limit this side waits for a statement: the server
    /// should end the statement itself, and may not answer at all.
    private static let overtime = Duration.seconds(2)
    /// The server's limit for a statement of a migration (`PostgresAccounts.migration`).
    private static let migrationTimeout = Duration.seconds(3_600)

    private let connection: PGConnection
    private let wake: PGWake
    /// How long a statement of a request is waited for.
    private let usualLimit: Duration
    /// How long a statement of this transaction is waited for.
    private var limit: Duration
    /// The prepared statements, by their texts.
    private var statements: [String: PreparedStatement] = [:]
    /// How many names of prepared statements were given.
    private var nameCount = 0
    /// Whether no further transaction may begin here, although the connection is alive, for example
    /// because the server has become a standby, which takes no writes.
    private var isSpoiled = false
    /// Whether the transaction failed because another transaction was in the way.
    private(set) var isRetryable = false

    /// Connects, and checks what statements rely on: schema, version and encoding.
    init(
        _ configuration: PostgresConfiguration, wake: PGWake, interruption: PGInterruption
    ) throws(AccountError) {
        self.wake = wake
        usualLimit = configuration.statementTimeout + Self.overtime
        limit = usualLimit
        let limits = ConnectLimits(
            time: configuration.connectTimeout, wake: wake, interruption: interruption)
        connection = try Self.connect(configuration, limits: limits)
        try requireSchema(configuration.schema, within: limits.newDeadline())
        // 150018 is version 15.18.
        let version = connection.serverVersion / 10_000
        guard version >= Self.oldestVersion else {
            throw AccountError(
                .unavailable,
                "PostgreSQL \(Self.oldestVersion) or newer is needed, and the server is version "
                    + "\(version).")
        }
        let encoding = connection.parameter("server_encoding")
        guard encoding.utf8.elementsEqual("UTF8".utf8) else {
            throw AccountError(
                .unavailable, "The database's encoding is \(shown: encoding) instead of UTF8.")
        }
    }

    /// The limits of connecting, and of each statement that prepares a new connection.
    private struct ConnectLimits {
        let time: Duration
        let wake: PGWake
        let interruption: PGInterruption

        /// A deadline whose time begins now. An interrupted call ends at once.
        func newDeadline() -> PGDeadline {
            PGDeadline(time, wake: wake, interruption: interruption, grace: .zero)
        }
    }

    /// Refuses a connection on which tables would be made in another schema.
    private func requireSchema(
        _ schema: String, within deadline: consuming PGDeadline
    ) throws(AccountError) {
        let answer: PGAnswer
        do {
            answer = try connection.run("SELECT current_schema()::text", within: deadline)
        } catch { throw AccountError(error) }
        // Without the schema the search path has only the schema of temporary tables.
        guard case .text(let found)? = answer.rows.first?.first,
            found.utf8.elementsEqual(schema.utf8)
        else {
            throw AccountError(
                .corrupt, "The schema of the tables is not there, or the role may not use it.")
        }
    }

    /// Connects to the first host that answers as it should. Each host has its time: libpq by
    /// itself leaves a host that refuses, and stays with a host that is silent.
    private static func connect(
        _ configuration: PostgresConfiguration, limits: ConnectLimits
    ) throws(AccountError) -> PGConnection {
        var reasons: [ErrorMessage] = []
        for options in try configuration.hosts {
            do {
                let connection = try PGConnection(options, within: limits.newDeadline())
                _ = try connection.run(configuration.settings, within: limits.newDeadline())
                return connection
            } catch {
                guard error.allowsNextHost else { throw AccountError(error) }
                reasons.append("\(messageOf: AccountError(error))")
            }
        }
        // The reasons of all hosts, with spaces between them.
        let all = reasons.dropFirst().reduce(reasons.first ?? "") { "\($0) \($1)" }
        throw AccountError(.unavailable, all)
    }

    /// Begins a transaction.
    func begin(
        _ kind: TransactionKind, interruption: PGInterruption
    ) throws(AccountError) -> Beginning {
        isRetryable = false
        limit = kind == .migrating ? Self.migrationTimeout + Self.overtime : usualLimit
        // Quiet: no transaction is open, and the server has not ended the connection.
        guard connection.isQuiet else { return .ended }
        do {
            _ = try connection.run(
                kind.begin, within: PGDeadline(usualLimit, wake: wake, interruption: interruption))
            return .begun
        } catch {
            guard error.kind != .interrupted else { throw AccountError(error) }
            return .unanswered
        }
    }

    /// Runs a statement to its end.
    func run(
        _ text: String, values: [SQLValue], interruption: PGInterruption
    ) throws(AccountError) -> [SQLRow] {
        // libpq would take the zero byte for the end of the text.
        for case .text(let text) in values where text.utf8.contains(0) {
            throw AccountError(.invalidParameter, "A text has a zero byte.")
        }
        do {
            let deadline = PGDeadline(limit, wake: wake, interruption: interruption)
            let statement = try preparedStatement(text, within: deadline)
            let answer = try connection.run(
                prepared: statement.name, values: values.map(PGValue.init),
                types: statement.types, within: deadline)
            return answer.rows.map { row in SQLRow(row.map(SQLValue.init)) }
        } catch {
            noteFailure(error)
            throw AccountError(error)
        }
    }

    /// Ends the transaction; all that it wrote is on the server's disk.
    func commit(_ kind: TransactionKind) throws(AccountError) {
        var isCommitted = false
        do throws(PGFailure) {
            let answer = try connection.run(
                "COMMIT", within: PGDeadline(limit, wake: wake, interruption: nil))
            isCommitted = answer.command.utf8.elementsEqual("COMMIT".utf8)
        } catch {
            noteFailure(error)
            // `work` has read all that it asked for, and there is nothing to write.
            guard kind != .reading else { return }
            guard connection.isUsable else {
                throw AccountError(
                    .outcomeUnknown, "The connection to PostgreSQL was lost in a commit.")
            }
            throw AccountError(error)
        }
        // The server answers ROLLBACK to the commit of a transaction that had failed.
        guard isCommitted else {
            throw AccountError(.unavailable, "PostgreSQL undid the transaction. Try again.")
        }
    }

    /// Undoes the transaction, unless it is over.
    func rollBack() {
        guard connection.isUsable, !connection.isIdle else { return }
        // If this fails, the connection is not idle, so it is not used again (`isReusable`).
        _ = try? connection.run(
            "ROLLBACK", within: PGDeadline(usualLimit, wake: wake, interruption: nil))
    }

    /// Whether another transaction may begin here.
    var isReusable: Bool { !isSpoiled && connection.isUsable && connection.isIdle }

    func close() { connection.close() }

    /// Notes what the error says of the transaction and of the connection.
    private func noteFailure(_ failure: PGFailure) {
        if failure.isRetryable { isRetryable = true }
        if failure.spoilsConnection { isSpoiled = true }
    }

    /// The statement with this text, which the server prepares at its first use.
    private func preparedStatement(
        _ text: String, within deadline: PGDeadline
    ) throws(PGFailure) -> PreparedStatement {
        if let statement = statements[text] { return statement }
        // Statements are constants of programs: there are some dozens.
        if statements.count >= Self.maximumPreparedCount {
            _ = try connection.run("DEALLOCATE ALL", within: deadline)
            statements = [:]
        }
        // A name is never given twice: if an answer was lost, the server may have the statement.
        nameCount += 1
        let name = "signet_\(nameCount)"
        let types = try connection.prepare(text, as: name, within: deadline)
        let statement = PreparedStatement(name: name, types: types)
        statements[text] = statement
        return statement
    }
}

extension PGValue {
    fileprivate init(_ value: SQLValue) {
        self =
            switch value {
            case .integer(let value): .integer(value)
            case .text(let value): .text(value)
            case .bytes(let value): .bytes(value)
            case .null: .null
            }
    }
}

extension SQLValue {
    fileprivate init(_ value: PGValue) {
        self =
            switch value {
            case .integer(let value): .integer(value)
            case .text(let value): .text(value)
            case .bytes(let value): .bytes(value)
            case .null: .null
            }
    }
}
