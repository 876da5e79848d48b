// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import Testing

@Suite("SQLiteConnection")
struct ConnectionTests {
    let folder: DatabaseFolder

    init() throws { folder = try DatabaseFolder() }

    private func kind(
        _ path: String, access: SQLiteConnection.Access = .readWrite, vfs: String? = nil
    )
        -> SQLiteFailure.Kind?
    {
        let failure = #expect(throws: SQLiteFailure.self, "\(path)") {
            try SQLiteConnection(path: path, access: access, vfs: vfs, busyTimeoutMilliseconds: 100)
        }
        return failure?.kind
    }

    @Test(
        "A connection is configured as the format says",
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

    @Test("The loaded library is recent enough, and has a version")
    func library() {
        #expect(SQLiteLibrary.versionNumber >= SQLiteLibrary.oldestVersionNumber)
        #expect(SQLiteLibrary.version.hasPrefix("3."))
    }

    @Test("Rows are stored and read")
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
            seen += 1
        }
        #expect(seen == 100)
    }

    @Test("Transactions commit and roll back")
    func transactions() throws {
        let connection = try folder.make()
        #expect(!connection.isInTransaction)
        try connection.execute("BEGIN IMMEDIATE")
        #expect(connection.isInTransaction)
        try connection.execute("INSERT INTO t VALUES(1,1)")
        try connection.execute("ROLLBACK")
        #expect(!connection.isInTransaction)
        try connection.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES(2,2); COMMIT")
        #expect(try connection.integer("SELECT sum(k) FROM t") == 2)
    }

    @Test("A checkpoint empties the log unless a reader needs it")
    func checkpoint() throws {
        let connection = try folder.make(timeout: 50)
        try connection.execute("INSERT INTO t VALUES(1,1)")
        let reader = try folder.open()
        try reader.execute("BEGIN")
        #expect(try reader.integer("SELECT count(*) FROM t") == 1)
        try connection.execute("INSERT INTO t VALUES(2,2)")
        #expect(try !connection.checkpoint(.truncating))
        try reader.execute("COMMIT")
        #expect(try connection.checkpoint(.truncating))
        let log = try FileManager.default.attributesOfItem(atPath: folder("db-wal"))
        #expect((log[.size] as? Int) == 0)
    }

    @Test("SQLite's companion files have the database's mode, and go when it is closed")
    func companions() throws {
        let connection = try folder.make()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder("db"))
        connection.close()
        let second = try folder.open()
        try second.execute("INSERT INTO t VALUES(1,1)")
        for suffix in ["-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder("db" + suffix))
            #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(suffix)")
        }
        second.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["db"])
    }

    @Test("A path that is not plain and absolute is refused")
    func paths() throws {
        try folder.make().close()
        for path in [
            "", ":memory:", "db", "file:" + folder("db"), folder("db") + "\u{0}x", folder("absent"),
            folder.path,
            folder("db/x"), "/dev/null/x",
        ] {
            #expect(kind(path) == .cannotOpen)
        }
        #expect(kind("/dev/null") != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["db"])
    }

    @Test("A symbolic link is refused anywhere in the path")
    func links() throws {
        try folder.make().close()
        try FileManager.default.createSymbolicLink(
            atPath: folder("link"), withDestinationPath: folder("db"))
        #expect(kind(folder("link")) == .cannotOpen)
        let other = try DatabaseFolder()
        try FileManager.default.createSymbolicLink(
            atPath: other("folder"), withDestinationPath: folder.path)
        #expect(kind(other("folder/db")) == .cannotOpen)
    }

    @Test("Creating needs an empty file, opening an existing database")
    func access() throws {
        try folder.make().close()
        #expect(kind(folder("db"), access: .create) == .cannotOpen)
        #expect(kind(folder("absent"), access: .create) == .cannotOpen)
        #expect(kind(folder("db"), vfs: "no such vfs") == .other)
        #expect(kind(folder("db"), vfs: "unix\u{0}") == .cannotOpen)
    }

    @Test(
        "Pragmas are read by name and type only",
        arguments: ["", "page_count=1", "page_count;", "Page_count", "a b", "integrity_check(1)"])
    func pragmaNames(name: String) throws {
        let connection = try folder.make()
        let failure = #expect(throws: SQLiteFailure.self) { try connection.integer(ofPragma: name) }
        #expect(failure?.kind == .misuse)
    }

    @Test("A pragma with an unexpected answer is an error")
    func pragmaTypes() throws {
        let connection = try folder.make()
        #expect(throws: SQLiteFailure.self) { try connection.integer(ofPragma: "journal_mode") }
        #expect(throws: SQLiteFailure.self) { try connection.text(ofPragma: "page_count") }
        #expect(throws: SQLiteFailure.self) { try connection.integer(ofPragma: "no_such_pragma") }
        #expect(try connection.text(ofPragma: "integrity_check") == "ok")
    }

    @Test(
        "No schema code runs: triggers and views do nothing, and the schema cannot be written"
    )
    func defences() throws {
        try folder.make().close()
        try Raw.execute(
            folder("db"),
            "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END; CREATE VIEW v AS SELECT 1 AS x"
        )
        let connection = try folder.open()
        try connection.execute("INSERT INTO t VALUES(1,1)")
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
        for sql in [
            "SELECT * FROM v", "UPDATE sqlite_schema SET sql='x'", "ATTACH ':memory:' AS m",
            "VACUUM",
        ] {
            #expect(throws: SQLiteFailure.self, "\(sql)") { try connection.execute(sql) }
        }
        try connection.execute("PRAGMA writable_schema=ON")
        #expect(throws: SQLiteFailure.self) {
            try connection.execute("UPDATE sqlite_schema SET sql='x'")
        }
    }
}
