// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import TestSupport
import Testing

@Suite("Hostile database files give typed errors")
struct HostileFileTests {
    let folder: DatabaseFolder

    init() throws { folder = try DatabaseFolder(inMemory: true) }

    /// Uses a file in every way; anything wrong must be an SQLiteFailure.
    private func use(_ bytes: [UInt8], log: [UInt8]? = nil) throws -> SQLiteFailure? {
        let name = UUID().uuidString
        try Data(bytes).write(to: URL(fileURLWithPath: folder(name)))
        if let log { try Data(log).write(to: URL(fileURLWithPath: folder(name + "-wal"))) }
        defer {
            for suffix in ["", "-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: folder(name + suffix))
            }
        }
        do throws(SQLiteFailure) {
            let connection = try SQLiteConnection(
                path: folder(name), access: .readWrite, busyTimeoutMilliseconds: 0)
            let schema = try connection.prepare("SELECT type,name,tbl_name,sql FROM sqlite_schema")
            while try schema.step() { _ = schema.text(3) }
            let select = try connection.prepare("SELECT k,b FROM t ORDER BY k")
            while try select.step() {
                _ = select.integer(0)
                _ = select.blob(1)
            }
            let check = try connection.prepare("PRAGMA integrity_check(10)")
            while try check.step() { _ = check.text(0) }
            try connection.execute(
                "BEGIN IMMEDIATE; DELETE FROM t WHERE k=3; INSERT INTO t VALUES(-1,x'00'); COMMIT")
            _ = try connection.checkpoint(.truncating)
            return nil
        } catch {
            return error
        }
    }

    private func sound() throws -> (database: [UInt8], log: [UInt8]) {
        let connection = try folder.make()
        try connection.execute("CREATE INDEX i ON t(b)")
        for number in 0..<40 {
            try connection.execute("INSERT INTO t VALUES(\(number),randomblob(\(number * 40)))")
        }
        let database: [UInt8]
        #expect(try connection.checkpoint(.truncating))
        database = Array(try Data(contentsOf: URL(fileURLWithPath: folder("db"))))
        try connection.execute("INSERT INTO t VALUES(100,x'01'); DELETE FROM t WHERE k=5")
        let log = Array(try Data(contentsOf: URL(fileURLWithPath: folder("db-wal"))))
        return (database, log)
    }

    @Test("Random bytes are refused, even after a database's first bytes", arguments: 0..<60)
    func randomBytes(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var bytes = generator.bytes(Int.random(in: 0...20_000, using: &generator))
        if seed.isMultiple(of: 2) {
            let header = Array(try sound().database.prefix(seed.isMultiple(of: 4) ? 16 : 100))
            bytes.replaceSubrange(0..<min(header.count, bytes.count), with: header)
        }
        let failure = try use(bytes)
        if seed % 2 == 1, bytes.count > 100 { #expect(failure?.kind == .notADatabase) }
    }

    @Test("A database cut off at any 512 bytes is refused or read")
    func truncation() throws {
        let (database, log) = try sound()
        #expect(try use(database) == nil)
        #expect(try use(database, log: log) == nil)
        for count in stride(from: 512, to: database.count, by: 512) {
            let failure = try use(Array(database.prefix(count)))
            #expect(
                failure == nil || [.corrupt, .notADatabase, .other].contains(failure?.kind),
                "\(count)")
        }
        for count in stride(from: 0, to: log.count, by: 512) {
            #expect(try use(database, log: Array(log.prefix(count))) == nil, "\(count)")
        }
    }

    @Test("Changed bytes in the database or its log are refused or read", arguments: 0..<8)
    func damage(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let (database, log) = try sound()
        for _ in 0..<40 {
            var damaged = database
            var damagedLog = log
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                // Headers of the file and of its pages are hit more often than chance would.
                let page = Int.random(in: 0..<damaged.count / 4096, using: &generator) * 4096
                damaged[page + Int.random(in: 0..<120, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
                damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
                damagedLog[Int.random(in: 0..<log.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            _ = try use(damaged)
            _ = try use(damaged, log: damagedLog)
            _ = try use(database, log: damagedLog)
        }
    }

    @Test(
        "Expensive schemas are refused or cost little",
        arguments: [
            "CREATE TABLE wide(" + (0..<200).map { "c\($0)" }.joined(separator: ",") + ")",
            "CREATE TABLE deep(x CHECK(" + String(repeating: "(", count: 90) + "x"
                + String(repeating: ")", count: 90) + "))",
            "CREATE TABLE plus(x CHECK(x" + String(repeating: "+1", count: 90) + "))",
            "CREATE TABLE long(x DEFAULT '" + String(repeating: "a", count: 40_000) + "')",
            "CREATE TABLE made(x, y AS (zeroblob(1000000000)), z AS (replace(hex(zeroblob(99999999)), 0, x)))",
        ])
    func schemas(sql: String) throws {
        try Raw.execute(folder("db"), "CREATE TABLE t(k INTEGER PRIMARY KEY,b); \(sql)")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder("db"))))
        _ = try use(bytes)
    }
}
