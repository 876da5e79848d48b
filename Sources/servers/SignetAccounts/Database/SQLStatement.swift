// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An SQL statement from a literal in the source code: nothing that was received can be part of it.
///
/// Values stand as `$1`, `$2` …. `{now}` is the database's clock at the start of the statement, in
/// milliseconds since 1970; `{bytes}` and `{integer}` are the types of a column, beside `TEXT`;
/// `{strict}` ends the definition of a table. `{lock}` ends a `SELECT` whose row must stay as it
/// was read until the transaction ends: without it a concurrent transaction may change the row
/// before the next statement (READ COMMITTED). `{free}` does the same, and leaves out rows that
/// a concurrent transaction holds. `(SELECT {now})` is evaluated once in a statement, so that a
/// comparison with it can use an index.
public struct SQLStatement: ExpressibleByStringLiteral, Sendable {
    /// The text before ``text(in:)`` fills it in. Statements with the same text are prepared once.
    public let source: StaticString

    /// A statement from a literal.
    public init(stringLiteral value: StaticString) { source = value }

    /// The text for an engine.
    public func text(in dialect: SQLDialect) -> String { dialect.filling(source.description) }
}

/// The SQL that the engines write differently.
///
/// An engine of your own begins with ``sqlite`` or ``postgres``.
public struct SQLDialect: Sendable {
    /// The expression for the clock, in milliseconds since 1970.
    public let now: String
    /// The type of a column of bytes.
    public let bytes: String
    /// The type of a column of 64-bit integers.
    public let integer: String
    /// The end of the definition of a table, so that the types of its columns hold.
    public var strict = ""
    /// The end of a `SELECT` that locks its rows until the transaction's end; empty if only one
    /// transaction writes at a time.
    public var rowLock = ""
    /// The end of a `SELECT` of rows to delete: it locks like ``rowLock``, and leaves out rows that
    /// a concurrent transaction holds. If it is empty, a sweep waits for them.
    public var freeRowLock = ""
    /// The text before the number of a value.
    public var parameterPrefix = "$"
    /// The statement that lets only one transaction at a time change the schema, until its end; nil
    /// if only one transaction writes at a time.
    public var schemaLock: SQLStatement?

    /// A dialect.
    public init(now: String, bytes: String, integer: String) {
        self.now = now
        self.bytes = bytes
        self.integer = integer
    }

    /// SQLite's dialect: `julianday` has milliseconds. In SQLite `$1` is a name; `?1` has the
    /// number.
    public static let sqlite = {
        var dialect = SQLDialect(
            now: "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
            bytes: "BLOB", integer: "INTEGER")
        dialect.strict = "STRICT"
        dialect.parameterPrefix = "?"
        return dialect
    }()

    /// PostgreSQL's dialect: its clock is not `now()`, which stands still in a transaction.
    public static let postgres = {
        var dialect = SQLDialect(
            now: "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint", bytes: "bytea",
            integer: "bigint")
        // The number is "signet" in ASCII: one lock for all that has to do with our tables.
        dialect.schemaLock = "SELECT 1::bigint FROM pg_advisory_xact_lock(126896544048500)"
        // Does not hold off new rows that refer to the locked row.
        dialect.rowLock = "FOR NO KEY UPDATE"
        dialect.freeRowLock = "FOR UPDATE SKIP LOCKED"
        return dialect
    }()

    /// Fills in Signet's own constant text: short, and without a brace or a `$` that means anything
    /// else. It works on bytes, because it runs for every statement.
    func filling(_ source: String) -> String {
        var filled: [UInt8] = []
        filled.reserveCapacity(2 * source.utf8.count)
        var rest = Array(source.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "$"): filled += parameterPrefix.utf8
            case UInt8(ascii: "{"):
                let name = rest.prefix { $0 != UInt8(ascii: "}") }
                guard let text = replacement(for: name) else {
                    // The brace begins no name that is filled in: it stays.
                    filled.append(byte)
                    continue
                }
                filled += text.utf8
                rest = rest.dropFirst(name.count + 1)
            default: filled.append(byte)
            }
        }
        return String(decoding: filled, as: UTF8.self)
    }

    /// The SQL for a name in braces; nil for an unknown name.
    private func replacement(for name: ArraySlice<UInt8>) -> String? {
        for (known, text) in [
            ("now", now), ("bytes", bytes), ("integer", integer), ("strict", strict),
            ("lock", rowLock), ("free", freeRowLock),
        ] where name.elementsEqual(known.utf8) {
            return text
        }
        return nil
    }
}
