// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import Testing

@Suite("SQLiteConnection")
struct ConnectionTests {
    let folder: DatabaseFolder

    init() throws { folder = try DatabaseFolder() }

    @Test(
        "A connection is set up as the format says",
        arguments: [
            ("synchronous", 2), ("secure_delete", 1), ("trusted_schema", 0), ("cell_size_check", 1),
            ("mmap_size", 0), ("temp_store", 2), ("foreign_keys", 0), ("writable_schema", 0),
        ] as [(String, Int64)])
    func pragmas(name: String, value: Int64) throws {
        let made = try folder.make()
        #expect(try made.integer(ofPragma: name) == value)
        #expect(try folder.open().integer(ofPragma: name) == value)
        #expect(try made.text(ofPragma: "journal_mode") == "wal")
    }

    @Test("Rows go in and come out")
    func rows() throws {
        let connection = try folder.make()
        let insert = try connection.prepare("INSERT INTO t(k,b) VALUES(?1,?2)")
        for number in 0..<100 {
            try insert.bind(Int64(number), at: 1)
            try insert.bind([UInt8](repeating: UInt8(number), count: number), at: 2)
            try insert.run()
        }
        let select = try connection.prepare("SELECT k,b FROM t ORDER BY k")
        var seen = 0
        while try select.step() {
            #expect(select.integer(0) == Int64(seen))
            #expect(select.blob(1) == [UInt8](repeating: UInt8(seen), count: seen))
            #expect(select.blobCount(1) == seen)
            seen += 1
        }
        #expect(seen == 100)
    }
}
