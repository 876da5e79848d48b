// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SQLiteConnection {
    /// The integer value of a pragma.
    ///
    /// - Throws: `misuse` for an invalid name; `other` if there is no value, or its type differs.
    public func integer(ofPragma name: String) throws(SQLiteFailure) -> Int64 {
        let statement = try pragma(name)
        guard try statement.step(), let value = statement.integer(0) else {
            throw .unanswered(name)
        }
        return value
    }

    /// The text value of a pragma.
    ///
    /// - Throws: `misuse` for an invalid name; `other` if there is no value, or its type differs.
    public func text(ofPragma name: String) throws(SQLiteFailure) -> String {
        let statement = try pragma(name)
        guard try statement.step(), let value = statement.text(0) else { throw .unanswered(name) }
        return value
    }

    private func pragma(_ name: String) throws(SQLiteFailure) -> SQLiteStatement {
        let isName = name.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "_") }
        guard isName, !name.isEmpty else { throw .misuse("read a pragma") }
        return try prepare("PRAGMA \(name)")
    }
}
