// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetPlatform

/// Where a vault's file is, and how connections to it are made.
struct VaultFile: Sendable {
    /// With the real path of the folder.
    let path: String
    let options: VaultOptions
    private let identity: VaultPlace.Identity
    /// How the file looked before it was opened, where it is read and never written; else nil.
    private let stamp: VaultPlace.Stamp?

    /// Whether it is read alone, without a log and without a lock, and never written.
    var isReadOnly: Bool { stamp != nil }

    /// An existing file with the right owner and mode, in a folder that no other user can write to.
    ///
    /// - Throws: `insecureFile` with what mends it, `unavailable` when there is no such file, or
    ///   when it is to be read alone and has a log.
    init(existing path: String, options: VaultOptions) throws(StoreError) {
        let place = try Self.inspect(path)
        guard let identity = place.identity else {
            throw StoreError(
                .unavailable,
                "There is no vault at \(SystemFailure.quoted(path)). Check the path, or make one.")
        }
        self.path = place.path
        self.identity = identity
        self.options = options
        let isReadOnly = options.isReadOnly || VaultPlace.isMountedReadOnly(place)
        stamp = isReadOnly ? VaultPlace.stamp(ofFileAt: place.path) : nil
        guard !isReadOnly || stamp != nil else { throw Self.changed(place.path) }
        guard !isReadOnly || VaultPlace.logByteCount(ofFileAt: place.path) == 0 else {
            throw StoreError(
                .unavailable,
                "\(SystemFailure.quoted(place.path)) has a log (-wal), so that the file alone is "
                    + "not everything. Unlock the vault once where it can be written, or copy it "
                    + "there together with its -wal, or make a backup there."
            )
        }
    }

    /// Runs what reads the file. One that is read alone must be as it was when it was opened:
    /// SQLite would not notice that it was written to.
    func whileUnchanged<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        guard let stamp else { return try body() }
        let result = Result { () throws(StoreError) -> R in try body() }
        guard VaultPlace.stamp(ofFileAt: path) == stamp,
            VaultPlace.logByteCount(ofFileAt: path) == 0
        else {
            throw Self.changed(path)
        }
        return try result.get()
    }

    private static func changed(_ path: String) -> StoreError {
        StoreError(
            .unavailable,
            "\(SystemFailure.quoted(path)) was changed while it was open to be read only. Open it "
                + "again.")
    }

    /// A connection to a database that is a vault by its header and its schema.
    ///
    /// - Parameter patience: how long it waits for others; nil for as long as the options say.
    func connect(
        for work: VaultConnection.Work, atMostMilliseconds patience: Int? = nil
    ) throws(StoreError) -> VaultConnection {
        guard !isReadOnly else { return try connectToFileAlone() }
        var options = options
        if let patience {
            options.busyTimeoutMilliseconds = min(options.busyTimeoutMilliseconds, patience)
        }
        let connection = try Self.open(path, .readWrite, options)
        // What was inspected and what SQLite opened have the same name: here they turn out to be
        // the same file.
        try requireSame()
        try connection.transaction(.begin) { () throws(StoreError) -> Void in
            try VaultSchema.check(connection)
        }
        try connection.tune(for: work)
        connection.noteCompanions()
        return connection
    }

    /// A connection that reads the file alone, without its log, and locks nothing.
    func connectToFileAlone() throws(StoreError) -> VaultConnection {
        let connection = try Self.open(path, .fileAlone, options)
        try connection.transaction(.begin) { () throws(StoreError) -> Void in
            try VaultSchema.check(connection)
        }
        return connection
    }

    /// A connection to whatever SQLite can read, for a salvage: with the log, or without one that
    /// is damaged with the file. What only keeps the log from being read now is an error: what was
    /// acknowledged may be in it.
    func connectToSalvage() throws(StoreError) -> VaultConnection {
        guard !isReadOnly else { return try Self.open(path, .fileAlone, options) }
        let reason: StoreError
        do throws(StoreError) {
            let connection = try Self.open(path, .readWrite, options)
            try connection.tune(for: .reading)
            return connection
        } catch {
            guard error.code == .corrupt || error.code == .notAVault else { throw error }
            reason = error
        }
        do throws(StoreError) { return try Self.open(path, .fileAlone, options) } catch {
            throw reason
        }
    }

    /// Refuses to go on when the database or its log has lost its name: what is written would be
    /// lost with the process, and others would write without seeing it.
    func requireSame(_ connection: VaultConnection) throws(StoreError) {
        try requireSame()
        try connection.requireSameCompanions()
    }

    /// Refuses to go on when another file has taken the name: what is written would be lost with
    /// the old one.
    func requireSame() throws(StoreError) {
        guard VaultPlace.identity(ofFileAt: path) == identity else {
            throw StoreError(
                .unavailable,
                "The file at \(SystemFailure.quoted(path)) is another one than was opened: it was moved, removed or put back. Open the vault again."
            )
        }
    }

    /// Makes a new file in which `fill` makes the vault, and gives it its name when it is complete
    /// and on the disk.
    ///
    /// - Throws: `alreadyExists` when there is something of that name: it stays as it is.
    static func create(
        at path: String, options: VaultOptions, _ fill: (VaultConnection) throws(StoreError) -> Void
    ) throws(StoreError) {
        let place = try inspect(path)
        guard place.identity == nil else {
            throw StoreError(
                .alreadyExists,
                "There is a file at \(SystemFailure.quoted(path)) already. Choose another name.")
        }
        try make(for: place, options, fill) { (temporary) throws(StoreError) -> Void in
            try StoreError.placing { () throws(VaultPlaceFailure) -> Void in
                try VaultPlace.publish(temporary: temporary, as: place)
            }
        }
    }

    /// As ``create(at:options:_:)``, in place of the file that is there, whose log is folded into
    /// it first: killed at any moment, the name is that of the old file or of the new one, and
    /// neither needs a log.
    ///
    /// - Parameter look: looks at the file that is there, locked, and may refuse; not called for
    ///   one that SQLite cannot read.
    /// - Throws: `busy` when anybody has that file open.
    static func replace(
        at path: String, options: VaultOptions,
        _ fill: (VaultConnection) throws(StoreError) -> Void,
        lookingAtOld look: (VaultConnection) throws(StoreError) -> Void
    ) throws(StoreError) {
        let place = try inspect(path)
        try make(for: place, options, fill) { (temporary) throws(StoreError) -> Void in
            let lock = place.identity == nil ? nil : try lockForGood(place.path, options)
            defer { lock?.close() }
            try lock.map { (lock) throws(StoreError) -> Void in
                try look(lock)
                try fold(lock)
            }
            try StoreError.placing { () throws(VaultPlaceFailure) -> Void in
                try VaultPlace.replace(with: temporary, at: place)
            }
        }
    }

    private static func make(
        for place: VaultPlace.Location, _ options: VaultOptions,
        _ fill: (VaultConnection) throws(StoreError) -> Void,
        _ publish: (String) throws(StoreError) -> Void
    ) throws(StoreError) {
        let temporary = try StoreError.placing { () throws(VaultPlaceFailure) -> String in
            try VaultPlace.createTemporary(for: place)
        }
        do throws(StoreError) {
            let connection = try open(temporary, .create, options)
            // Closed whatever happens; the last connection of a file copies the log into it and
            // removes that.
            defer { connection.close() }
            try fill(connection)
            _ = try connection.checkpoint(.truncating)
            connection.close()
            try publish(temporary)
        } catch {
            VaultPlace.removeTemporary(temporary)
            throw error
        }
    }

    /// Locks a database for this connection alone; nil for a file that SQLite cannot read, which no
    /// other process can use either.
    private static func lockForGood(
        _ path: String, _ options: VaultOptions
    ) throws(StoreError) -> VaultConnection? {
        do throws(StoreError) {
            let connection = try open(path, .readWrite, options)
            // With the log, SQLite takes the lock on the file itself in this mode only.
            try connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            try connection.run(.beginImmediate)
            try connection.run(.commit)
            return connection
        } catch {
            guard error.code == .corrupt || error.code == .notAVault else { throw error }
            return nil
        }
    }

    /// Folds the log of a file that is locked for good. One that does not fit it is no loss:
    /// read through it, the file is damaged.
    private static func fold(_ connection: VaultConnection) throws(StoreError) {
        do throws(StoreError) {
            guard try connection.checkpoint(.truncating) else {
                throw StoreError(
                    .busy,
                    "The log of \(SystemFailure.quoted(connection.path)) could not be folded.")
            }
        } catch {
            guard error.code == .corrupt || error.code == .notAVault else { throw error }
        }
    }

    private static func open(
        _ path: String, _ access: SQLiteConnection.Access, _ options: VaultOptions
    ) throws(StoreError) -> VaultConnection {
        do throws(SQLiteFailure) {
            let connection = try SQLiteConnection(
                path: path, access: access, vfs: options.fileSystemName,
                busyTimeoutMilliseconds: min(max(options.busyTimeoutMilliseconds, 0), 600_000))
            // Before anything is read: what is found to be damaged must not be folded by giving it
            // up.
            if access == .readWrite { try connection.setFoldsOnClose(false) }
            return VaultConnection(connection, path: path, isFileAlone: access == .fileAlone)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func inspect(_ path: String) throws(StoreError) -> VaultPlace.Location {
        try StoreError.placing { () throws(VaultPlaceFailure) -> VaultPlace.Location in
            try VaultPlace.inspect(path: path)
        }
    }
}
