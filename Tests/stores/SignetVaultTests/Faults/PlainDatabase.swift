// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import SignetBase

/// A small table in a bare SQLite database, and transactions of which each leaves a state that is like no other.
///
/// In state n every row holds n, and there are 20 + n rows: a state that is half old and half new shows.
final class PlainDatabase {
    let folder: String
    var path: String { folder + "/db" }
    /// The state after the last commit that was reported.
    private(set) var acknowledged = 0

    private static let rowCount = 20

    init(journalMode: String) throws {
        let bytes = try Self.templates.bytes(journalMode: journalMode)
        folder = try Self.makeFolder()
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Runs transactions, with checkpoints between them, until one fails; then closes the connection.
    func work(transactions: Int = 3, vfs: String) -> SQLiteFailure? {
        do throws(SQLiteFailure) {
            let connection = try SQLiteConnection(
                path: path, access: .readWrite, vfs: vfs, busyTimeoutMilliseconds: 0)
            defer { connection.close() }
            for state in acknowledged + 1...acknowledged + transactions {
                try connection.execute(
                    """
                    BEGIN IMMEDIATE;
                    UPDATE t SET n=\(state),b=randomblob(300);
                    INSERT INTO t VALUES(\(Self.rowCount + state),\(state),randomblob(3000));
                    COMMIT
                    """)
                acknowledged = state
                if state % 2 == 0 { _ = try connection.checkpoint(.truncating) }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Which state the file is in, through the default VFS; nil when it is none, or SQLite finds damage.
    func state() throws -> Int? {
        let connection = try SQLiteConnection(
            path: path, access: .readWrite, busyTimeoutMilliseconds: 1000)
        guard try connection.text(ofPragma: "integrity_check") == "ok" else { return nil }
        let rows = try connection.prepare("SELECT min(n),max(n),count(*),max(k) FROM t")
        guard try rows.step(), let state = rows.integer(0), rows.integer(1) == state,
            rows.integer(2) == Int64(Self.rowCount) + state,
            rows.integer(3) == Int64(Self.rowCount) + state
        else { return nil }
        return Int(state)
    }

    /// In memory where there is such a folder: the simulated disk decides what a power cut loses,
    /// and a real disk would only be slow.
    private static func makeFolder() throws -> String {
        let memory = "/dev/shm"
        let base =
            FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        let folder = "\(base)/signet-fault-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        return folder
    }

    /// State 0, made once for each journal mode.
    private static let templates = Templates()

    private final class Templates: Sendable {
        // Not Data: LeakSanitizer does not recognise its tagged pointers, and would report what is kept here.
        private let made = Locked<[String: [UInt8]]>([:])

        func bytes(journalMode: String) throws -> [UInt8] {
            if let known = made.withLock({ $0[journalMode] }) { return known }
            let folder = try makeFolder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data().write(to: URL(fileURLWithPath: folder + "/db"))
            let connection = try SQLiteConnection(
                path: folder + "/db", access: .create, busyTimeoutMilliseconds: 1000)
            try connection.execute("PRAGMA journal_mode=\(journalMode)")
            try connection.execute(
                "CREATE TABLE t(k INTEGER PRIMARY KEY,n,b); CREATE INDEX i ON t(n); BEGIN")
            for key in 1...rowCount {
                try connection.execute("INSERT INTO t VALUES(\(key),0,randomblob(300))")
            }
            try connection.execute("COMMIT")
            connection.close()
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/db")))
            made.withLock { $0[journalMode] = bytes }
            return bytes
        }
    }
}
