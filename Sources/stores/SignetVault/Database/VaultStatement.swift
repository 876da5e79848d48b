// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetMemory

/// A prepared statement with the store's errors, whose columns are used only after their type and
/// length were checked.
struct VaultStatement {
    private let raw: SQLiteStatement
    private let path: String

    init(_ raw: SQLiteStatement, path: String) {
        self.raw = raw
        self.path = path
    }

    func bind(_ parameter: some VaultParameter, at index: Int32) throws(StoreError) {
        do { try parameter.bind(to: raw, at: index) } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Whether there is a row.
    func step() throws(StoreError) -> Bool {
        do { return try raw.step() } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Resets the statement for the next use. Fails only on a closed connection.
    func reset() { try? raw.reset() }

    /// The integer in a column; nil if the column has another type.
    func integer(_ column: Int32) -> Int64? { raw.integer(column) }

    /// The blob in a column; nil if the column has another type.
    func blob(_ column: Int32) -> [UInt8]? { raw.blob(column) }

    /// The UTF-8 text in a column; nil if the column has another type.
    func text(_ column: Int32) -> String? { raw.text(column) }

    /// Passes a blob to `body` without copying it; nil if the column has another type.
    func withBlob<R>(
        _ column: Int32, _ body: (Span<UInt8>) throws(StoreError) -> R
    ) throws(StoreError) -> R? {
        try raw.withBlob(column, body)
    }

    /// A blob of exactly `count` octets.
    func blob(_ column: Int32, count: Int, of place: String) throws(StoreError) -> [UInt8] {
        try blob(column, in: count...count, of: place)
    }

    /// A blob of `range` octets.
    func blob(_ column: Int32, in range: ClosedRange<Int>, of place: String) throws(StoreError)
        -> [UInt8]
    {
        guard let blob = raw.blob(column) else { throw .damaged(place) }
        guard range.contains(blob.count) else {
            throw .damaged(place, byteCount: blob.count, expected: range)
        }
        return blob
    }

    /// Appends the last `count` octets of a blob.
    ///
    /// - Parameter isAll: whether the blob must have exactly `count` octets, not only at least.
    /// - Throws: `corrupt` if the blob is too short, too long or missing.
    func append(
        _ column: Int32, last count: Int, isAll: Bool = false, to octets: inout [UInt8],
        of place: String
    ) throws(StoreError) {
        let before = octets.count
        _ = try raw.withBlob(column) { (blob) throws(StoreError) in
            let hasRightLength = isAll ? blob.count == count : blob.count >= count
            // Then nothing is appended, which throws below.
            guard hasRightLength else { return }
            blob.extracting(last: count).append(to: &octets)
        }
        guard octets.count == before + count else { throw .damaged(place) }
    }

    /// An integer of 0 to 2^63 - 1.
    func integer(_ column: Int32, of place: String) throws(StoreError) -> UInt64 {
        guard let value = raw.integer(column), value >= 0 else { throw .damaged(place) }
        return UInt64(value)
    }
}

/// Values for a statement's parameters, in order.
protocol VaultParameter {
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
