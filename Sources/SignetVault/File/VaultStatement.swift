// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge

/// A prepared statement whose errors are a store's, and whose columns are believed only after their type and length were checked.
struct VaultStatement {
    private let raw: SQLiteStatement
    private let path: String

    init(_ raw: SQLiteStatement, path: String) {
        self.raw = raw
        self.path = path
    }

    func bind(_ blob: [UInt8], at index: Int32) throws(StoreError) {
        do throws(SQLiteFailure) { try raw.bind(blob, at: index) } catch {
            throw StoreError(error, path: path)
        }
    }

    func bind(_ integer: Int64, at index: Int32) throws(StoreError) {
        do throws(SQLiteFailure) { try raw.bind(integer, at: index) } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Whether there is a row.
    func step() throws(StoreError) -> Bool {
        do throws(SQLiteFailure) { return try raw.step() } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Runs a statement that gives no rows.
    func run() throws(StoreError) { while try step() {} }

    /// An integer; nil for everything else.
    func integer(_ column: Int32) -> Int64? { raw.integer(column) }

    /// A blob; nil for everything else.
    func blob(_ column: Int32) -> [UInt8]? { raw.blob(column) }

    /// A text in UTF-8; nil for everything else.
    func text(_ column: Int32) -> String? { raw.text(column) }

    /// Lends a blob without copying it; nil for everything else.
    func withBlob<R>(
        _ column: Int32, _ body: (Span<UInt8>) throws(StoreError) -> R
    ) throws(StoreError) -> R? {
        try raw.withBlob(column, body)
    }

    /// A blob of exactly `count` octets.
    func blob(_ column: Int32, count: Int, of place: String) throws(StoreError) -> [UInt8] {
        guard let blob = raw.blob(column), blob.count == count else { throw .damaged(place) }
        return blob
    }

    /// A blob of `range` octets.
    func blob(_ column: Int32, in range: ClosedRange<Int>, of place: String) throws(StoreError)
        -> [UInt8]
    {
        guard let blob = raw.blob(column), range.contains(blob.count) else { throw .damaged(place) }
        return blob
    }

    /// An integer of 0 to 2^63 - 1.
    func integer(_ column: Int32, of place: String) throws(StoreError) -> UInt64 {
        guard let value = raw.integer(column), value >= 0 else { throw .damaged(place) }
        return UInt64(value)
    }
}

extension StoreError {
    /// A row that is missing, or one too many, or of another type or length.
    static func damaged(_ place: String) -> StoreError {
        .damaged(place, "it is missing, or of another type or length")
    }
}
