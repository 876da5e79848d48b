// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import Testing

/// A folder of its own for one test, with databases in it; removed with what is in it.
final class DatabaseFolder: Sendable {
    let path: String

    /// - Parameter inMemory: For thousands of files that no disk is to be waited for; an ordinary folder where there is none
    ///   in memory.
    init(inMemory: Bool = false) throws {
        // Resolved: SQLite is told to refuse every symbolic link in a path.
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        let memory = "/dev/shm"
        let base =
            inMemory && FileManager.default.isWritableFile(atPath: memory) ? memory : temporary
        path = "\(base)/signet-sqlite-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a database in WAL mode with one table, t(k INTEGER PRIMARY KEY, b).
    func make(_ name: String = "db", timeout: Int = 600_000) throws -> SQLiteConnection {
        try Data().write(to: URL(fileURLWithPath: self(name)))
        let connection = try SQLiteConnection(
            path: self(name), access: .create, busyTimeoutMilliseconds: timeout)
        try connection.execute("PRAGMA journal_mode=WAL")
        try connection.execute("CREATE TABLE t(k INTEGER PRIMARY KEY,b)")
        return connection
    }

    func open(_ name: String = "db", timeout: Int = 600_000) throws -> SQLiteConnection {
        try SQLiteConnection(path: self(name), access: .readWrite, busyTimeoutMilliseconds: timeout)
    }
}

extension SQLiteConnection {
    /// The first column of the first row, where it is an integer.
    func integer(_ sql: String) throws -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }
}
