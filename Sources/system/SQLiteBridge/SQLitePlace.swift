// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
internal import SignetPlatform

/// The inspected place of a database that only this user may reach, for code that imports this
/// bridge and not the platform. `PrivatePlace` says what is checked.
public struct SQLitePlace: Sendable {
    private let location: PrivatePlace.Location

    /// Inspects a path, its folder, and the file if it exists.
    public init(inspecting path: String) throws(SQLitePlaceFailure) {
        location = try translatingErrors { () throws(PrivatePlaceFailure) in
            try PrivatePlace.inspect(path: path)
        }
    }

    /// The path for SQLite: absolute, without links.
    public var path: String { location.path }

    /// Whether the file existed.
    public var hasFile: Bool { location.identity != nil }

    /// Whether the inspected file is still at the path.
    public var hasSameFile: Bool {
        PrivatePlace.identity(ofFileAt: location.path) == location.identity
    }

    /// A path as a part of a sentence: in quotes, without what a terminal would obey.
    public static func shown(_ path: String) -> ErrorMessage { "\(path: path)" }

    /// Makes a new, empty file under a temporary name in the same folder. First removes the files
    /// that killed processes have left there.
    public func begin() throws(SQLitePlaceFailure) -> Unfinished {
        PrivatePlace.removeLeftovers(besideFileAt: location.path)
        let path = try translatingErrors { () throws(PrivatePlaceFailure) in
            try PrivatePlace.createTemporary(for: location)
        }
        return Unfinished(path: path, location: location)
    }

    /// A file that becomes a database. If the process is killed, the final name has a complete
    /// database or no file.
    public struct Unfinished: Sendable {
        /// The path for SQLite (`SQLiteConnection.Access.create`).
        public let path: String
        fileprivate let location: PrivatePlace.Location

        /// Runs `body` while other processes see that the file is in use. `body` must close its
        /// connection before it returns.
        public func fill<E: Error>(_ body: () throws(E) -> Void) throws(E) {
            let lock = TemporaryLock(ofFileAt: path)
            defer { withExtendedLifetime(lock) {} }
            try body()
        }

        /// Gives the file its final name. If another process was faster, its file stays.
        public func publish() throws(SQLitePlaceFailure) {
            do {
                try PrivatePlace.publish(temporary: path, as: location)
            } catch {
                guard error.kind == .taken else { throw SQLitePlaceFailure(error) }
            }
        }

        /// Removes the file, unless it has its final name.
        public func remove() { PrivatePlace.removeTemporary(path) }
    }
}

/// The files of a database, as they were when this value was made: the database and the files that
/// SQLite keeps beside it.
public struct SQLiteFiles: Sendable {
    private let files: [(path: String, identity: PrivatePlace.Identity)]

    /// The files of the database at a path; no files for a database in memory.
    public init(ofDatabaseAt path: String) {
        files = ["", "-wal", "-shm"].compactMap { suffix in
            PrivatePlace.identity(ofFileAt: path + suffix).map { (path + suffix, $0) }
        }
    }

    /// The path of the first file that is gone or was replaced; nil if no file was. What is written
    /// to a file without its name is lost.
    public var firstLost: String? {
        files.first { PrivatePlace.identity(ofFileAt: $0.path) != $0.identity }?.path
    }
}

/// Why a place is not used.
public struct SQLitePlaceFailure: Error, Sendable {
    /// Whether the path itself is at fault, and not what is there.
    public let isInvalidPath: Bool
    /// The problem with the place, and what to do.
    public let message: ErrorMessage

    fileprivate init(_ failure: PrivatePlaceFailure) {
        isInvalidPath = failure.kind == .invalidPath
        message = "\(failure)"
    }
}

private func translatingErrors<Value>(
    _ body: () throws(PrivatePlaceFailure) -> Value
) throws(SQLitePlaceFailure) -> Value {
    do { return try body() } catch { throw SQLitePlaceFailure(error) }
}
