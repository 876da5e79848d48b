// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import SignetPlatform

/// A call into SQLite that failed, or that was not made because it would be wrong.
///
/// It carries SQLite's codes and the operation, never SQLite's text, which may quote values and
/// file names.
public struct SQLiteFailure: Error, Sendable, Equatable {
    /// The kind of failure, which decides what to do; the codes are for a report.
    public enum Kind: Sendable, Equatable {
        /// Another connection held a needed lock for longer than the waiting time.
        case busy
        /// The file is an SQLite database, and damaged.
        case corrupt
        /// The file is not an SQLite database.
        case notADatabase
        /// The disk is full, or a quota or file size limit is reached.
        case full
        /// The file, its folder or its file system cannot be written to.
        case readOnly
        /// The file does not exist, is a symbolic link, or is not a regular file.
        case cannotOpen
        /// The system reported an I/O error; `systemErrno` says which.
        case io
        /// Access was denied.
        case permission
        /// There was not enough memory.
        case outOfMemory
        /// A constraint of the schema was violated: a duplicate key, or a forbidden NULL.
        case constraint
        /// A value or a row is larger than the connection's limit.
        case tooBig
        /// The loaded library is too old, or lacks a needed feature.
        case unsupported
        /// The call was wrong: after `close()`, on a running statement, or with text that is not
        /// exactly one statement. A bug in Signet.
        case misuse
        /// Anything else.
        case other
    }

    /// SQLite's primary result code, for example 5 (`SQLITE_BUSY`).
    package let code: Int32
    /// SQLite's extended result code, or the primary code if SQLite has no extended code.
    public let extendedCode: Int32
    /// The system's error number if SQLite has one, otherwise 0.
    public let systemErrno: Int32
    /// The operation, as a verb phrase without any value: `run a statement`.
    public let operation: String

    package init(extendedCode: Int32, systemErrno: Int32 = 0, operation: String) {
        self.code = extendedCode & 0xff
        self.extendedCode = extendedCode
        self.systemErrno = systemErrno
        self.operation = operation
    }

    /// A call that was not made because it would be wrong.
    static func misuse(_ operation: String) -> SQLiteFailure {
        SQLiteFailure(extendedCode: SQLITE_MISUSE, operation: operation)
    }

    /// A pragma that gave no row, or a value of the wrong type.
    static func unanswered(_ pragma: String) -> SQLiteFailure {
        SQLiteFailure(extendedCode: SQLITE_ERROR, operation: "read the pragma \(pragma)")
    }

    /// The kind of failure, from the codes.
    public var kind: Kind {
        switch code {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
        case SQLITE_CORRUPT: .corrupt
        case SQLITE_NOTADB, SQLITE_FORMAT: .notADatabase
        case SQLITE_FULL: .full
        case SQLITE_READONLY: .readOnly
        case SQLITE_CANTOPEN: system.isDenied ? .permission : .cannotOpen
        case SQLITE_IOERR: inputOutputKind
        case SQLITE_PERM, SQLITE_AUTH: .permission
        case SQLITE_NOMEM: .outOfMemory
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH: .constraint
        case SQLITE_TOOBIG: .tooBig
        case SQLITE_NOLFS: .unsupported
        case SQLITE_MISUSE, SQLITE_RANGE: .misuse
        default: .other
        }
    }

    /// Whether a row was refused as a duplicate, or because it refers to a missing row.
    public var isConflict: Bool { Self.conflicts.contains(extendedCode) }

    /// Whether the disk did not confirm a write, which may still be there after a crash.
    public var leavesCommitUnknown: Bool {
        code == SQLITE_IOERR && extendedCode != Self.failedWrite
    }

    // The codes for a unique index, a primary key of either kind and a foreign key. Their macros
    // are expressions, which Swift does not import.
    private static let conflicts: [Int32] = [8, 6, 10, 3].map { SQLITE_CONSTRAINT | ($0 << 8) }
    private static let failedWrite: Int32 = SQLITE_IOERR | (3 << 8)

    private var system: ErrorNumber { ErrorNumber(systemErrno) }

    /// SQLite says "full" only for ENOSPC. For people, a quota or a file size limit is the same.
    private var inputOutputKind: Kind {
        if extendedCode == csqliteNoMemory { return .outOfMemory }
        if system.isFull { return .full }
        return system.isReadOnly ? .readOnly : .io
    }
}

/// SQLITE_IOERR_NOMEM, a macro that is an expression, which Swift does not import.
private let csqliteNoMemory: Int32 = SQLITE_IOERR | (12 << 8)
