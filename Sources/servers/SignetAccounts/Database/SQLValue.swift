// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A value that goes into a statement or comes out of it. All engines have the same four types, and
/// convert none of them.
public enum SQLValue: Sendable, Equatable {
    /// A 64-bit integer; times in milliseconds since 1970, yes and no as 1 and 0.
    case integer(Int64)
    /// UTF-8 without a zero byte.
    case text(String)
    /// Bytes.
    case bytes([UInt8])
    /// Nothing.
    case null

    fileprivate var kind: StaticString {
        switch self {
        case .integer: "an integer"
        case .text: "a text"
        case .bytes: "bytes"
        case .null: "NULL"
        }
    }
}

/// A row of an answer, its columns in the order of the statement.
public struct SQLRow: Sendable {
    /// The columns.
    public let values: [SQLValue]

    /// A row.
    public init(_ values: [SQLValue]) { self.values = values }

    /// The integer of a column, counted from 0.
    ///
    /// - Throws: `corrupt` if the column is missing or holds a different type.
    public func integer(_ column: Int) throws(AccountError) -> Int64 {
        guard values.indices.contains(column), case .integer(let value) = values[column] else {
            throw mismatch(at: column, expected: "an integer")
        }
        return value
    }

    /// The text of a column, counted from 0.
    ///
    /// - Throws: `corrupt` if the column is missing or holds a different type.
    public func text(_ column: Int) throws(AccountError) -> String {
        guard values.indices.contains(column), case .text(let value) = values[column] else {
            throw mismatch(at: column, expected: "a text")
        }
        return value
    }

    /// The bytes of a column, counted from 0.
    ///
    /// - Throws: `corrupt` if the column is missing or holds a different type.
    public func bytes(_ column: Int) throws(AccountError) -> [UInt8] {
        guard values.indices.contains(column), case .bytes(let value) = values[column] else {
            throw mismatch(at: column, expected: "bytes")
        }
        return value
    }

    /// Whether the column is missing or NULL.
    public func isNull(_ column: Int) -> Bool {
        !values.indices.contains(column) || values[column] == .null
    }

    private func mismatch(at column: Int, expected: StaticString) -> AccountError {
        let found: StaticString = values.indices.contains(column) ? values[column].kind : "missing"
        return .column(column, expected: expected, found: found)
    }
}
