// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import PostgresBridge
internal import SignetAccounts

/// A connection with the statements that were prepared on it. For one thread at a time.
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

    private struct Prepared {
        let name: String
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
    private var prepared: [String: Prepared] = [:]
    /// How many names of prepared statements were given.
    private var nameCount = 0
    /// Whether no further transaction may begin here, although the connection is alive.
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
        connection = try Self.connect(configuration, wake: wake, interruption: interruption)
        let deadline = PGDeadline(
            configuration.connectTimeout, wake: wake, interruption: interruption, grace: .zero)
        try requireSchema(configuration.schema, within: deadline)
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

    private func requireSchema(
        _ schema: String, within deadline: consuming PGDeadline
    ) throws(AccountError) {
        let answer: PGAnswer
        do {
            answer = try connection.run("SELECT current_schema()::text", within: deadline)
        } catch { throw AccountError(error) }
        // Otherwise tables would be made in the schema of temporary tables.
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
        _ configuration: PostgresConfiguration, wake: PGWake, interruption: PGInterruption
    ) throws(AccountError) -> PGConnection {
        var reasons: [ErrorMessage] = []
        for options in try configuration.hosts {
            func deadline() -> PGDeadline {
                PGDeadline(
                    configuration.connectTimeout, wake: wake, interruption: interruption,
                    grace: .zero)
            }
            do {
                let connection = try PGConnection(options, within: deadline())
                _ = try connection.run(configuration.settings, within: deadline())
                return connection
            } catch {
                // The server is full, or about to stop.
                let isBusy =
                    error.state.map { $0.begins(with: "53") || $0.begins(with: "57") } ?? false
                let hasNoAnswer = [.unreachable, .lost, .timedOut].contains(error.kind)
                // Only a host that gives no answer, or is busy, is left for the next host.
                guard hasNoAnswer || isBusy else { throw AccountError(error) }
                reasons.append("\(messageOf: AccountError(error))")
            }
        }
        let all = reasons.dropFirst().reduce(reasons.first ?? "") { "\($0) \($1)" }
        throw AccountError(.unavailable, all)
    }

    /// Begins a transaction.
    func begin(
        _ kind: TransactionKind, interruption: PGInterruption
    ) throws(AccountError) -> Beginning {
        isRetryable = false
        limit = kind == .migrating ? Self.migrationTimeout + Self.overtime : usualLimit
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

    private func noteFailure(_ failure: PGFailure) {
        if failure.isRetryable { isRetryable = true }
        if failure.spoilsConnection { isSpoiled = true }
    }

    /// The statement with this text, which the server prepares at its first use.
    private func preparedStatement(
        _ text: String, within deadline: PGDeadline
    ) throws(PGFailure) -> Prepared {
        if let statement = prepared[text] { return statement }
        // Statements are constants of programs: there are some dozens.
        if prepared.count >= Self.maximumPreparedCount {
            _ = try connection.run("DEALLOCATE ALL", within: deadline)
            prepared = [:]
        }
        // A name is never given twice: if an answer was lost, the server may have the statement.
        nameCount += 1
        let name = "signet_\(nameCount)"
        let statement = Prepared(
            name: name, types: try connection.prepare(text, as: name, within: deadline))
        prepared[text] = statement
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
