// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetPlatform

/// A vault's file, and how to connect to it:
/// `let connection = try VaultFile(existing: path, options: options).connect(for: .reading)`.
///
/// The file is an SQLite database. SQLite writes to the *log*, a file beside it with the suffix
/// `-wal`, and a *checkpoint* copies the log into the file. A vault that is only read is read
/// *alone*: without a log, and without locks. A *place* is a path whose owner, mode and links were
/// checked (`PrivatePlace`).
struct VaultFile: Sendable {
    /// The path of the file, with the real path of its folder.
    let path: String
    let options: VaultOptions
    /// Device and inode, by which a file is known whatever its name.
    private let identity: PrivatePlace.Identity
    /// The file's identity, length and times before it was opened, if it is only read; otherwise
    /// nil.
    private let stamp: PrivatePlace.Stamp?

    /// Whether the file is read alone, without a log or a lock, and never written.
    var isReadOnly: Bool { stamp != nil }

    /// An existing file with the right owner and mode, in a folder that no other user can write to.
    ///
    /// - Throws: `insecureFile` with the remedy, `unavailable` if there is no such file, or if it
    ///   is to be read alone and has a log.
    init(existing path: String, options: VaultOptions) throws(StoreError) {
        let place = try Self.inspect(path)
        guard let identity = place.identity else {
            throw StoreError(
                .unavailable,
                "There is no vault at \(path: path). Check the path, or make one.")
        }
        self.path = place.path
        self.identity = identity
        self.options = options
        let isReadOnly = options.isReadOnly || PrivatePlace.isMountedReadOnly(place)
        stamp = isReadOnly ? try Self.stampToReadAlone(place.path) : nil
    }

    /// The stamp of a file that is to be read alone.
    private static func stampToReadAlone(
        _ path: String
    ) throws(StoreError) -> PrivatePlace.Stamp {
        // Nil if the file is gone since it was inspected.
        guard let stamp = PrivatePlace.stamp(ofFileAt: path) else {
            throw changedSinceOpening(path)
        }
        guard PrivatePlace.hasEmptyLog(ofFileAt: path) else {
            throw StoreError(
                .unavailable,
                "\(path: path) has a log (-wal), so that the file alone is "
                    + "not everything. Unlock the vault once where it can be written, or copy it "
                    + "there together with its -wal, or make a backup there."
            )
        }
        return stamp
    }

    /// Runs a read of the file. If it is read alone it must be unchanged since it was opened,
    /// because SQLite would not notice a write.
    func whileUnchanged<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        guard let stamp else { return try body() }
        let result = Result(catching: body)
        guard PrivatePlace.stamp(ofFileAt: path) == stamp,
            PrivatePlace.hasEmptyLog(ofFileAt: path)
        else {
            throw Self.changedSinceOpening(path)
        }
        return try result.get()
    }

    private static func changedSinceOpening(_ path: String) -> StoreError {
        StoreError(
            .unavailable,
            "\(path: path) was changed while it was open to be read only. Open it "
                + "again.")
    }

    // MARK: Connections

    /// A connection to a database that is a vault by its header and schema.
    ///
    /// - Parameter limit: how long to wait for other connections; nil for the options' limit.
    func connect(
        for work: VaultConnection.Work, atMostMilliseconds limit: Int? = nil
    ) throws(StoreError) -> VaultConnection {
        guard !isReadOnly else { return try connectToFileAlone() }
        var options = options
        if let limit {
            options.busyTimeoutMilliseconds = min(options.busyTimeoutMilliseconds, limit)
        }
        let connection = try Self.open(path, access: .readWrite, options: options)
        // Checks that the inspected file and the one that SQLite opened are the same.
        try requireSame()
        // Reads in a transaction, in which SQLite opens the log.
        try connection.transaction(.begin) { () throws(StoreError) in
            try VaultSchema.check(connection)
        }
        try connection.tune(for: work)
        connection.noteCompanions()
        return connection
    }

    /// A connection that reads the file alone, without its log, and locks nothing.
    func connectToFileAlone() throws(StoreError) -> VaultConnection {
        let connection = try Self.open(path, access: .fileAlone, options: options)
        try connection.transaction(.begin) { () throws(StoreError) in
            try VaultSchema.check(connection)
        }
        return connection
    }

    /// A connection to whatever SQLite can read, for a salvage: with the log, or without it if it
    /// is damaged. A log that merely cannot be read now is an error, because it may hold
    /// acknowledged writes.
    func connectToSalvage() throws(StoreError) -> VaultConnection {
        guard !isReadOnly else { return try Self.open(path, access: .fileAlone, options: options) }
        let reason: StoreError
        do {
            let connection = try Self.open(path, access: .readWrite, options: options)
            try connection.tune(for: .reading)
            return connection
        } catch {
            guard error.code == .corrupt || error.code == .notAVault else { throw error }
            reason = error
        }
        do throws(StoreError) {
            return try Self.open(path, access: .fileAlone, options: options)
        } catch {
            // Without the log it opens no better: the first error says more.
            throw reason
        }
    }

    /// - Throws: `unavailable` if another file has the name of the database or of its log. Writes
    ///   through this connection would be lost with the process, and other processes would not see
    ///   them.
    func requireSame(_ connection: VaultConnection) throws(StoreError) {
        try requireSame()
        try connection.requireSameCompanions()
    }

    /// - Throws: `unavailable` if another file has the name of the database: writes would be lost
    ///   with the old file.
    func requireSame() throws(StoreError) {
        guard PrivatePlace.identity(ofFileAt: path) == identity else {
            throw StoreError(
                .unavailable,
                "The file at \(path: path) is another one than was opened: it was moved, removed or put back. Open the vault again."
            )
        }
    }

    // MARK: Creating and replacing

    /// Creates a file in which `fill` makes the vault, and names it when it is complete and on the
    /// disk.
    ///
    /// - Throws: `alreadyExists` if the name is taken; that file is not changed.
    static func create(
        at path: String, options: VaultOptions, _ fill: (VaultConnection) throws(StoreError) -> Void
    ) throws(StoreError) {
        let place = try inspect(path)
        guard place.identity == nil else {
            throw StoreError(
                .alreadyExists,
                "There is a file at \(path: path) already. Choose another name.")
        }
        try makeTemporary(for: place, options: options, filling: fill) {
            (temporary) throws(StoreError) in
            try StoreError.translatingErrors { () throws(PrivatePlaceFailure) in
                try PrivatePlace.publish(temporary: temporary, as: place)
            }
        }
    }

    /// Like ``create(at:options:_:)``, replacing the existing file, whose log is checkpointed into
    /// it first. If the process is killed at any moment, the name belongs to the old or the new
    /// file, and neither needs a log.
    ///
    /// - Parameter look: inspects the existing file, locked, and may refuse; not called for a file
    ///   that SQLite cannot read.
    /// - Throws: `busy` if anyone has that file open.
    static func replace(
        at path: String, options: VaultOptions,
        filling fill: (VaultConnection) throws(StoreError) -> Void,
        lookingAtOld look: (VaultConnection) throws(StoreError) -> Void
    ) throws(StoreError) {
        let place = try inspect(path)
        try makeTemporary(for: place, options: options, filling: fill) {
            (temporary) throws(StoreError) in
            let old =
                place.identity == nil ? nil : try lockExclusively(place.path, options: options)
            // Locked until the new file has the name.
            defer { old?.close() }
            if let old {
                try look(old)
                try checkpoint(old)
            }
            try StoreError.translatingErrors { () throws(PrivatePlaceFailure) in
                try PrivatePlace.replace(with: temporary, at: place)
            }
        }
    }

    /// Makes a temporary file and fills it; `publish` then gives it its name. After an error the
    /// temporary file is removed.
    private static func makeTemporary(
        for place: PrivatePlace.Location, options: VaultOptions,
        filling fill: (VaultConnection) throws(StoreError) -> Void,
        _ publish: (String) throws(StoreError) -> Void
    ) throws(StoreError) {
        let temporary = try StoreError.translatingErrors {
            () throws(PrivatePlaceFailure) -> String in
            try PrivatePlace.createTemporary(for: place)
        }
        do {
            try fillTemporary(temporary, options: options, fill)
            try publish(temporary)
        } catch {
            PrivatePlace.removeTemporary(temporary)
            throw error
        }
    }

    /// Fills a temporary file, which is locked meanwhile, so no process takes it for a leftover.
    private static func fillTemporary(
        _ temporary: String, options: VaultOptions,
        _ fill: (VaultConnection) throws(StoreError) -> Void
    ) throws(StoreError) {
        let lock = TemporaryLock(ofFileAt: temporary)
        // Keeps the lock until the end; Swift might free it after its last use.
        defer { withExtendedLifetime(lock) {} }
        let connection = try open(temporary, access: .create, options: options)
        // Always closed: a file's last connection copies the log into it and removes the log.
        defer { connection.close() }
        try fill(connection)
        _ = try connection.checkpoint(.truncating)
    }

    /// Locks a database for this connection alone; nil for a file that SQLite cannot read, which no
    /// other process can use either.
    static func lockExclusively(
        _ path: String, options: VaultOptions
    ) throws(StoreError) -> VaultConnection? {
        do {
            let connection = try open(path, access: .readWrite, options: options)
            // With a log, SQLite locks the file itself only in this mode, from the first
            // transaction on.
            try connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            try connection.run(.beginImmediate)
            try connection.run(.commit)
            return connection
        } catch {
            guard error.code == .corrupt || error.code == .notAVault else { throw error }
            return nil
        }
    }

    /// Checkpoints the log of a file that is locked for this connection alone. If the log does not
    /// fit the file, it is left: read together with it, the file is damaged, so nothing is lost.
    private static func checkpoint(_ connection: VaultConnection) throws(StoreError) {
        do throws(StoreError) {
            guard try connection.checkpoint(.truncating) else {
                throw StoreError(
                    .busy,
                    "The log of \(path: connection.path) could not be checkpointed.")
            }
        } catch {
            guard error.code == .corrupt || error.code == .notAVault else { throw error }
        }
    }

    // MARK: Steps

    private static func open(
        _ path: String, access: SQLiteConnection.Access, options: VaultOptions
    ) throws(StoreError) -> VaultConnection {
        // SQLite removes the log of an empty file.
        guard access == .create || PrivatePlace.byteCount(ofFileAt: path) > 0 else {
            throw StoreError(
                .notAVault, "\(path: path) is not a vault: the file is empty.")
        }
        do {
            let connection = try SQLiteConnection(
                path: path, access: access, vfs: options.fileSystemName,
                busyTimeoutMilliseconds: options.busyTimeoutMilliseconds)
            // Set before anything is read: closing a damaged database must not checkpoint its log.
            if access == .readWrite { try connection.setCheckpointsOnClose(false) }
            return VaultConnection(connection, path: path, isFileAlone: access == .fileAlone)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Inspects the place. If a process was killed while it set a vault aside, completes that
    /// first.
    static func inspect(
        _ path: String, allowsLeftovers: Bool = false
    ) throws(StoreError) -> PrivatePlace.Location {
        try StoreError.translatingErrors {
            () throws(PrivatePlaceFailure) -> PrivatePlace.Location in
            do throws(PrivatePlaceFailure) {
                return try PrivatePlace.inspect(path: path, allowsLeftovers: allowsLeftovers)
            } catch {
                // The killed process left a log with two names, or without its database.
                guard error.kind == .hardLinked || error.kind == .leftover,
                    PrivatePlace.completeSettingAside(ofFileAt: path)
                else { throw error }
                return try PrivatePlace.inspect(path: path, allowsLeftovers: allowsLeftovers)
            }
        }
    }
}
