// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
internal import SignetPlatform

/// The inspected place of a database that only this user may reach, for those who open one through
/// this wall alone (`PrivatePlace` says what is checked).
public struct SQLitePlace: Sendable {
    private let location: PrivatePlace.Location

    /// Inspects a path, its folder, and the file if there is one.
    public init(inspecting path: String) throws(SQLitePlaceFailure) {
        location = try placing { () throws(PrivatePlaceFailure) in
            try PrivatePlace.inspect(path: path)
        }
    }

    /// The path for SQLite: absolute, without links.
    public var path: String { location.path }

    /// Whether there was a file.
    public var hasFile: Bool { location.identity != nil }

    /// Whether the file there now is the one that was inspected.
    public var hasSameFile: Bool {
        PrivatePlace.identity(ofFileAt: location.path) == location.identity
    }

    /// A path as a part of a sentence: in quotes, without what a terminal would obey.
    public static func shown(_ path: String) -> ErrorMessage { "\(path: path)" }

    /// A new and empty file under a name of its own in the same folder. What processes that were
    /// killed have left there goes first.
    public func begin() throws(SQLitePlaceFailure) -> Unfinished {
        PrivatePlace.removeLeftovers(besideFileAt: location.path)
        let path = try placing { () throws(PrivatePlaceFailure) in
            try PrivatePlace.createTemporary(for: location)
        }
        return Unfinished(path: path, location: location)
    }

    /// A file that becomes a database: a process that is killed leaves a whole one of the final
    /// name, or none.
    public struct Unfinished: Sendable {
        /// The path for SQLite (`SQLiteConnection.Access.create`).
        public let path: String
        fileprivate let location: PrivatePlace.Location

        /// Runs `body` while other processes see that the file is worked on. It closes its
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

        /// Removes what has not got its final name.
        public func remove() { PrivatePlace.removeTemporary(path) }
    }
}

/// The files of a database, as they are now: itself and those that SQLite keeps beside it.
public struct SQLiteFiles: Sendable {
    private let files: [(path: String, identity: PrivatePlace.Identity)]

    /// The files of the database at a path; none for one in memory.
    public init(ofDatabaseAt path: String) {
        files = ["", "-wal", "-shm"].compactMap { suffix in
            PrivatePlace.identity(ofFileAt: path + suffix).map { (path + suffix, $0) }
        }
    }

    /// The first of them that is not there any more, or another file by now: what is written to a
    /// file without its name is lost.
    public var firstLost: String? {
        files.first { PrivatePlace.identity(ofFileAt: $0.path) != $0.identity }?.path
    }
}

/// Why a place is not used.
public struct SQLitePlaceFailure: Error, Sendable {
    /// Whether the path itself is at fault, and not what is there.
    public let isInvalidPath: Bool
    /// What is wrong with it, and what to do.
    public let message: ErrorMessage

    fileprivate init(_ failure: PrivatePlaceFailure) {
        (isInvalidPath, message) = (failure.kind == .invalidPath, "\(failure)")
    }
}

private func placing<Answer>(
    _ body: () throws(PrivatePlaceFailure) -> Answer
) throws(SQLitePlaceFailure) -> Answer {
    do { return try body() } catch { throw SQLitePlaceFailure(error) }
}
