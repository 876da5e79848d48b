// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import Testing

@Suite("Kinds of SQLite failures")
struct FailureTests {
    @Test(
        "Codes and system errors are mapped to kinds",
        arguments: [
            (5, 0, .busy), (261, 0, .busy), (517, 0, .busy), (6, 0, .busy), (15, 0, .busy),
            (11, 0, .corrupt),
            (267, 0, .corrupt), (26, 0, .notADatabase), (13, 0, .full), (8, 0, .readOnly),
            (1032, 0, .readOnly),
            (14, 0, .cannotOpen), (14, ENOENT, .cannotOpen), (14, EACCES, .permission),
            (1550, 0, .cannotOpen),
            (10, EIO, .io), (778, EIO, .io), (778, ENOSPC, .full), (778, EFBIG, .full),
            (778, EDQUOT, .full),
            (778, EROFS, .readOnly), (3082, 0, .outOfMemory), (3, 0, .permission),
            (7, 0, .outOfMemory),
            (19, 0, .constraint), (1555, 0, .constraint), (18, 0, .tooBig), (9, 0, .other),
            (21, 0, .misuse), (25, 0, .misuse), (1, 0, .other), (4, 0, .other), (99, 0, .other),
            (-1, 0, .other),
        ] as [(Int32, Int32, SQLiteFailure.Kind)])
    func kinds(code: Int32, systemErrno: Int32, kind: SQLiteFailure.Kind) {
        let failure = SQLiteFailure(
            extendedCode: code, systemErrno: systemErrno, operation: "do it")
        #expect(failure.kind == kind)
    }

    @Test("A full database is reported, and committed data stays")
    func full() throws {
        let folder = try DatabaseFolder()
        let connection = try folder.make()
        try connection.execute("INSERT INTO t VALUES(1,1)")
        try connection.execute("PRAGMA max_page_count=4")
        try connection.execute("BEGIN IMMEDIATE")
        let failure = #expect(throws: SQLiteFailure.self) {
            try connection.execute("INSERT INTO t VALUES(2,zeroblob(100000))")
        }
        #expect(failure?.kind == .full)
        // SQLite may have ended it already.
        if connection.isInTransaction { try connection.execute("ROLLBACK") }
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
        #expect(try connection.text(ofPragma: "integrity_check") == "ok")
    }

    @Test("No error shows a value")
    func noValues() throws {
        let folder = try DatabaseFolder()
        let connection = try folder.make()
        try connection.execute(
            "CREATE TABLE u(s TEXT PRIMARY KEY CHECK(CAST(s AS TEXT)<>'secret-a')) WITHOUT ROWID")
        let insert = try connection.prepare("INSERT INTO u VALUES(?1)")
        for value in ["secret-b", "secret-b", "secret-a"] {
            try insert.bind(Array(value.utf8), at: 1)
            do {
                try insert.run()
            } catch {
                var dumped = ""
                dump(error, to: &dumped)
                #expect(!"\(error) \(dumped)".contains("secret"))
            }
        }
    }

    @Test("A file-size limit in a transaction is reported as a full disk")
    func fileSizeLimit() async {
        await #expect(processExitsWith: .success) {
            let folder = try DatabaseFolder()
            let connection = try folder.make()
            try connection.execute("INSERT INTO t VALUES(1,1)")
            _ = signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let failure = #expect(throws: SQLiteFailure.self) {
                try connection.execute("INSERT INTO t VALUES(2,zeroblob(200000))")
            }
            #expect(failure?.kind == .full)
            // What still fits goes in.
            try connection.execute("INSERT INTO t VALUES(3,3)")
            #expect(try connection.text(ofPragma: "integrity_check") == "ok")
        }
    }

    @Test("A folder or file that is not writable is refused on opening")
    func readOnly() async {
        await #expect(processExitsWith: .success) {
            let folder = try DatabaseFolder()
            try folder.make().close()
            // Permissions do not hold root back: continue as another user.
            if geteuid() == 0 {
                for path in [folder.path, folder("db")] {
                    #expect(unsafe chown(path, 54_321, 54_321) == 0)
                }
                #expect(seteuid(54_321) == 0)
            }
            #expect(unsafe chmod(folder.path, 0o500) == 0)
            let first = #expect(throws: SQLiteFailure.self) { try folder.open() }
            #expect(
                first?.kind == .permission || first?.kind == .cannotOpen || first?.kind == .readOnly
            )

            #expect(unsafe chmod(folder.path, 0o700) == 0)
            #expect(unsafe chmod(folder("db"), 0o400) == 0)
            #expect((#expect(throws: SQLiteFailure.self) { try folder.open() })?.kind == .readOnly)

            #expect(unsafe chmod(folder("db"), 0) == 0)
            #expect(
                (#expect(throws: SQLiteFailure.self) { try folder.open() })?.kind == .permission)
            #expect(unsafe chmod(folder("db"), 0o600) == 0)
            #expect(try folder.open().integer("SELECT count(*) FROM t") == 0)
            _ = seteuid(0)
        }
    }
}
