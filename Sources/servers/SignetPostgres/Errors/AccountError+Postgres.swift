// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import PostgresBridge
internal import SignetAccounts
internal import SignetBase

// A server's error has a SQLSTATE: five characters, of which the first two are a class. 23505, a
// violated unique key, becomes `conflict` and "A row is there already. (SQLSTATE 23505)".
extension AccountError {
    /// A failure of PostgreSQL, as a sentence that says what to do about it. The server's own
    /// sentences quote values, so no sentence of the server is in it.
    init(_ failure: PGFailure) {
        switch failure.kind {
        case .refused: self.init(state: failure.state)
        case .unreachable:
            // libpq quotes what it was given, and the server says what it likes.
            self.init(
                .unavailable,
                failure.text.isEmpty
                    ? "No connection to PostgreSQL was made. Check the connection."
                    : "No connection to PostgreSQL was made. \(shown: failure.text, upTo: 300)")
        case .lost: self.init(.unavailable, "The connection to PostgreSQL was lost. Try again.")
        case .timedOut: self.init(.unavailable, "PostgreSQL did not answer in time. Try again.")
        case .interrupted:
            self.init(.cancelled, "The task was cancelled; nothing was written.")
        case .outOfMemory:
            self.init(.unavailable, "There is not enough memory, or there are too many open files.")
        case .unreadable, .misuse:
            self.init(.invalidParameter, "A statement or a value of it is wrong.")
        case .valueCount(let count, let expected):
            self.init(.invalidParameter, "A statement takes \(expected) values, not \(count).")
        case .valueType: self.init(.corrupt, "A value does not fit its column.")
        case .foreignType:
            self.init(.corrupt, "The database holds a value of no type of ours.")
        }
    }

    private init(state: SQLState?) {
        guard let state else {
            self.init(.unavailable, "PostgreSQL gave no reason for an error.")
            return
        }
        // The first entry that fits: longer beginnings come first.
        for (begin, code, sentence) in Self.reasons where state.begins(with: begin) {
            self.init(code, "\(sentence) (SQLSTATE \(shown: state.description))")
            return
        }
        self.init(
            .unavailable, "PostgreSQL refuses a statement (SQLSTATE \(shown: state.description)).")
    }

    /// Beginnings of a SQLSTATE, each with its code and sentence.
    private static var reasons: [(StaticString, Code, ErrorMessage)] {
        [
            ("23505", .conflict, "A row is there already."),
            ("23503", .conflict, "A row that is referred to is not there, or is still in use."),
            ("25006", .unavailable, "The server, or a transaction that reads, takes no writes."),
            ("25P03", .unavailable, "A transaction did nothing for too long."),
            ("40", .unavailable, "Other transactions were in the way, again and again. Try again."),
            ("42501", .unavailable, "The role lacks a right. It must own the tables."),
            ("55P03", .unavailable, "Another transaction holds a row for too long. Try again."),
            ("57014", .unavailable, "A statement took too long, or was cancelled. Try again."),
            ("53300", .unavailable, "The server has no connection left. Raise max_connections."),
            ("53", .unavailable, "The server lacks disk, memory or connections."),
            ("22", .corrupt, "A value does not fit its column, or is too long."),
            ("23", .corrupt, "A value does not fit its column."),
            ("54", .corrupt, "A value does not fit its column, or is too long."),
            ("0A000", .unavailable, "The tables were changed meanwhile. Try again."),
            ("26", .unavailable, "A prepared statement is gone: is there a pooler in between?"),
            ("3F", .corrupt, "The schema does not exist. Create it."),
            ("42", .corrupt, "The tables are not those of this version."),
            ("XX001", .corrupt, "The database is damaged. Restore a backup."),
            ("XX002", .corrupt, "An index of the database is damaged: REINDEX."),
            ("08", .unavailable, "The connection failed. Try again."),
            ("57", .unavailable, "The server shuts down or starts. Try again."),
        ]
    }
}

extension PGFailure {
    /// Whether the same work may succeed at once: another transaction was in the way.
    var isRetryable: Bool {
        guard let state else { return false }
        // A serialization failure, and a deadlock.
        return state.begins(with: "40001") || state.begins(with: "40P01")
    }

    /// Whether the next host may be tried after a failure to connect: this host gave no answer, is
    /// full, or is about to stop.
    var allowsNextHost: Bool {
        if [.unreachable, .lost, .timedOut].contains(kind) { return true }
        guard let state else { return false }
        // The classes "insufficient resources" and "operator intervention".
        return state.begins(with: "53") || state.begins(with: "57")
    }

    /// Whether the connection is of no more use although it is alive.
    var spoilsConnection: Bool {
        guard let state else { return false }
        // The server takes no writes, a prepared statement no longer fits its tables, or is gone.
        return ["25006", "0A000", "26"].contains { state.begins(with: $0) }
    }
}
