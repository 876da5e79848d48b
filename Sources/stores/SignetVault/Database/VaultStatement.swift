// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetMemory

/// A prepared statement of the vault's database, which reads the columns of one row after another.
///
/// ``VaultConnection/withRows(of:binding:reading:)`` makes it, binds its parameters and resets it:
/// callers only `step()` to a row and read its columns by ``VaultColumn``:
///
///     while try rows.step() {
///         let id = try rows.blob(.itemID, count: 32, of: "item")
///     }
///
/// SQLite's columns take values of any type, and the file is not trusted. So there are two ways to
/// read a column:
/// - with its place in the vault (`of: "item"`): any other type or length is the error `corrupt`;
/// - without a place: any other type gives nil, and any length is taken.
struct VaultStatement {
    private let raw: SQLiteStatement
    /// The database's path, for errors.
    private let path: String

    init(_ raw: SQLiteStatement, path: String) {
        self.raw = raw
        self.path = path
    }

    // MARK: Running

    func bind(_ parameter: some VaultParameter, at index: Int32) throws(StoreError) {
        do { try parameter.bind(to: raw, at: index) } catch { throw StoreError(error, path: path) }
    }

    /// Advances to the next row.
    ///
    /// - Returns: whether there is a row; false after the last row.
    func step() throws(StoreError) -> Bool {
        do { return try raw.step() } catch { throw StoreError(error, path: path) }
    }

    /// Resets the statement for the next use. Fails only on a closed connection.
    func reset() { try? raw.reset() }

    // MARK: Columns of the row, by type alone

    func integer(_ column: VaultColumn) -> Int64? { raw.integer(column.position) }

    func blob(_ column: VaultColumn) -> [UInt8]? { raw.blob(column.position) }

    /// The text, if it is UTF-8.
    func text(_ column: VaultColumn) -> String? { raw.text(column.position) }

    /// Passes a blob to `body` without copying it; nil if it is none.
    func withBlob<R>(
        _ column: VaultColumn, _ body: (Span<UInt8>) throws(StoreError) -> R
    ) throws(StoreError) -> R? {
        try raw.withBlob(column.position, body)
    }

    // MARK: Columns of the row, by type and length

    /// An integer of 0 to 2^63 - 1.
    func integer(_ column: VaultColumn, of place: String) throws(StoreError) -> UInt64 {
        guard let value = integer(column), value >= 0 else { throw .damaged(place) }
        return UInt64(value)
    }

    /// A blob of exactly `count` octets.
    func blob(
        _ column: VaultColumn, count: Int, of place: String
    ) throws(StoreError) -> [UInt8] {
        try blob(column, in: count...count, of: place)
    }

    /// A blob whose number of octets is in `range`.
    func blob(
        _ column: VaultColumn, in range: ClosedRange<Int>, of place: String
    ) throws(StoreError) -> [UInt8] {
        guard let blob = blob(column) else { throw .damaged(place) }
        guard range.contains(blob.count) else {
            throw .damaged(place, byteCount: blob.count, expected: range)
        }
        return blob
    }

    /// Appends a blob of exactly `count` octets.
    func appendBlob(
        _ column: VaultColumn, count: Int, to octets: inout [UInt8], of place: String
    ) throws(StoreError) {
        let blobCount = try withBlob(column) { (blob) throws(StoreError) -> Int in
            if blob.count == count { blob.append(to: &octets) }
            return blob.count
        }
        guard blobCount == count else { throw .damaged(place) }
    }

    /// Appends the last `count` octets of a blob that has at least as many.
    func appendSuffix(
        _ column: VaultColumn, count: Int, to octets: inout [UInt8], of place: String
    ) throws(StoreError) {
        let blobCount = try withBlob(column) { (blob) throws(StoreError) -> Int in
            if blob.count >= count { blob.extracting(last: count).append(to: &octets) }
            return blob.count
        }
        guard let blobCount, blobCount >= count else { throw .damaged(place) }
    }
}

/// A value that can be bound to a parameter of a statement.
protocol VaultParameter {
    /// - Parameter index: the parameter's number, counted from 1.
    func bind(to statement: SQLiteStatement, at index: Int32) throws(SQLiteFailure)
}

extension [UInt8]: VaultParameter {
    func bind(to statement: SQLiteStatement, at index: Int32) throws(SQLiteFailure) {
        try statement.bind(self, at: index)
    }
}

extension Int64: VaultParameter {
    func bind(to statement: SQLiteStatement, at index: Int32) throws(SQLiteFailure) {
        try statement.bind(self, at: index)
    }
}

extension StoreError {
    /// The error for a row that is missing, extra, or of the wrong type or length.
    static func damaged(_ place: String) -> StoreError {
        .damaged(place, problem: "it is missing, or of another type or length")
    }
}
