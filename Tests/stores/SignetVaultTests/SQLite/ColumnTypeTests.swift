// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SQLiteBridge
import Testing

@Suite("A column is typed by its row, not by its table")
struct ColumnTypeTests {
    let folder: DatabaseFolder
    let connection: SQLiteConnection

    init() throws {
        folder = try DatabaseFolder()
        connection = try folder.make()
        try connection.execute(
            "CREATE TABLE typed(k INTEGER PRIMARY KEY,b BLOB NOT NULL,n INTEGER NOT NULL)")
    }

    private struct Row {
        let integer: Int64?
        let blob: [UInt8]?
        let text: String?
    }

    private func row(_ expression: String) throws -> Row {
        let statement = try connection.prepare("SELECT \(expression)")
        try #require(try statement.step())
        return Row(
            integer: statement.integer(0), blob: statement.blob(0), text: statement.text(0))
    }

    @Test(
        "Nothing is converted",
        arguments: [
            ("1", 1, nil, nil), ("-9223372036854775807-1", .min, nil, nil),
            ("9223372036854775807", .max, nil, nil), ("1.0", nil, nil, nil),
            ("1e400", nil, nil, nil), ("'1'", nil, nil, "1"), ("''", nil, nil, ""),
            ("'a' || char(0) || 'b'", nil, nil, "a\u{0}b"), ("x''", nil, [], nil),
            ("x'31'", nil, [0x31], nil), ("zeroblob(3)", nil, [0, 0, 0], nil),
            ("NULL", nil, nil, nil), ("CAST(x'ff' AS TEXT)", nil, nil, nil),
            ("CAST(x'c080' AS TEXT)", nil, nil, nil),
            ("CAST(x'eda080' AS TEXT)", nil, nil, nil),
            ("'é'", nil, nil, "é"),
        ] as [(String, Int64?, [UInt8]?, String?)])
    func noConversion(
        expression: String, integer: Int64?, blob: [UInt8]?, text: String?
    ) throws {
        let row = try row(expression)
        #expect(row.integer == integer)
        #expect(row.blob == blob)
        #expect(row.text == text)
    }

    @Test("Text in a BLOB column and a blob in an INTEGER column keep their types")
    func typeConfusion() throws {
        try connection.execute(
            "INSERT INTO typed VALUES(1,'text',x'0102'),(2,7,'word'),(3,1.5,2.5)")
        let statement = try connection.prepare("SELECT b,n FROM typed ORDER BY k")
        #expect(try statement.step())
        #expect(
            statement.blob(0) == nil && statement.integer(1) == nil && statement.blob(1) == [1, 2])
        #expect(try statement.step())
        #expect(
            statement.blob(0) == nil && statement.integer(0) == 7 && statement.integer(1) == nil)
        #expect(try statement.step())
        #expect(
            statement.blob(0) == nil && statement.integer(0) == nil && statement.integer(1) == nil)
        #expect(try !statement.step())
    }

    @Test(
        "Without a row, and past the last column, there is no value",
        arguments: [-1, 1, 2, .max, .min] as [Int32])
    func beyond(column: Int32) throws {
        let statement = try connection.prepare("SELECT x'01' FROM (SELECT 1)")
        for _ in 0..<2 {
            #expect(statement.blob(0) == nil)
            #expect(try statement.step())
            #expect(statement.blob(0) == [1])
            #expect(statement.blob(column) == nil && statement.integer(column) == nil)
            #expect(statement.text(column) == nil)
            #expect(statement.withBlob(column) { _ in true } == nil)
            #expect(try !statement.step())
            #expect(statement.blob(0) == nil)
            try statement.reset()
        }
    }

    @Test("Bound values come back in their types")
    func binding() throws {
        let statement = try connection.prepare("SELECT ?1,?2,?3")
        try statement.bind([], at: 1)
        try statement.bind([0, 255], at: 2)
        try statement.bind(Int64.min, at: 3)
        #expect(try statement.step())
        #expect(statement.blob(0) == [] && statement.blob(1) == [0, 255])
        #expect(statement.integer(2) == .min)

        try statement.reset()
        #expect(try statement.step())
        #expect(statement.blob(1) == nil)
    }

    @Test(
        "Blobs up to a vault's longest value are stored and read",
        arguments: [0, 1, 4095, 4096, 4097, 1_000_000, 16_777_216 + 44, 32 * 1024 * 1024 - 64])
    func bigBlobs(count: Int) throws {
        let insert = try connection.prepare("INSERT INTO t(k,b) VALUES(1,?1)")
        var bytes = [UInt8](repeating: 7, count: count)
        for index in stride(from: 0, to: count, by: 509) {
            bytes[index] = UInt8(truncatingIfNeeded: index)
        }
        try insert.bind(bytes, at: 1)
        try insert.run()
        let select = try connection.prepare("SELECT b FROM t")
        #expect(try select.step())
        let isEqual = select.blob(0) == bytes
        #expect(isEqual)
        let readCount = select.withBlob(0) { $0.count }
        #expect(readCount == count)
    }

    @Test("A longer blob is refused when bound and when read")
    func tooBig() throws {
        let insert = try connection.prepare("INSERT INTO t(k,b) VALUES(1,?1)")
        let failure = #expect(throws: SQLiteFailure.self) {
            try insert.bind([UInt8](repeating: 0, count: 32 * 1024 * 1024 + 1), at: 1)
        }
        #expect(failure?.kind == .tooBig)
        let second = #expect(throws: SQLiteFailure.self) {
            try connection.execute("INSERT INTO t VALUES(1,zeroblob(33554433))")
        }
        #expect(second?.kind == .tooBig)

        try Raw.execute(folder("db"), "INSERT INTO t VALUES(2,zeroblob(40000000))")
        let select = try connection.prepare("SELECT b FROM t WHERE k=2")
        let third = #expect(throws: SQLiteFailure.self) { try select.step() }
        #expect(third?.kind == .tooBig)
    }
}
