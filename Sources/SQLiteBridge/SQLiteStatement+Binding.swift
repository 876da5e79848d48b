// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

// Parameters are numbered from 1. A statement that has begun to run must be reset first (`misuse`); a number that is no
// parameter's is `misuse` as well; what is longer than the connection's limit is `tooBig`.
extension SQLiteStatement {
    /// Binds a copy of the bytes, as a blob: an empty one is a blob too.
    package func bind(_ blob: [UInt8], at index: Int32) throws(SQLiteFailure) {
        let statement = unsafe try open(Self.binding)
        let code = unsafe blob.withUnsafeBufferPointer { bytes in
            unsafe csqlite_bind_blob(statement, index, bytes.baseAddress, UInt64(bytes.count))
        }
        guard code == SQLITE_OK else { throw connection.failure(code, Self.binding) }
    }

    /// Binds an integer.
    package func bind(_ integer: Int64, at index: Int32) throws(SQLiteFailure) {
        let code = unsafe sqlite3_bind_int64(try open(Self.binding), index, integer)
        guard code == SQLITE_OK else { throw connection.failure(code, Self.binding) }
    }

    private static let binding = "bind a value"
}
