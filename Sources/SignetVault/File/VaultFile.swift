// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SystemBridge

/// Where a vault's file is, and how connections to it are made.
struct VaultFile: Sendable {
    /// With the real path of the folder.
    let path: String
    let options: VaultOptions
    private let identity: VaultPlace.Identity

    /// A file that is there, with the right owner and mode in a folder that nobody else writes to.
    ///
    /// - Throws: `insecureFile` with what mends it, `unavailable` when there is no such file.
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
    }

    /// A connection to a database that is a vault by its header and its schema.
    func connect(for work: VaultConnection.Work) throws(StoreError) -> VaultConnection {
        let connection = try Self.open(path, .readWrite, options)
        // What was inspected and what SQLite opened have the same name: here they turn out to be the same file.
        try requireSame()
        try connection.transaction(.begin) { () throws(StoreError) -> Void in
            try VaultSchema.check(connection)
        }
        try connection.tune(for: work)
        connection.noteCompanions()
        return connection
    }

    /// Refuses to go on when another file has taken the name: what is written would be lost with the old one.
    func requireSame() throws(StoreError) {
        guard VaultPlace.identity(ofFileAt: path) == identity else {
            throw StoreError(
                .unavailable,
                "The file at \(SystemFailure.quoted(path)) is another one than was opened: it was moved, removed or put back. Open the vault again."
            )
        }
    }

    /// Makes a new file in which `fill` makes the vault, and gives it its name when it is complete and on the disk.
    ///
    /// - Throws: `alreadyExists` when there is something of that name: it stays as it is.
    static func create(
        at path: String, options: VaultOptions, _ fill: (VaultConnection) throws(StoreError) -> Void
    ) throws(StoreError) {
        let place = try inspect(path)
        guard place.identity == nil else {
            throw StoreError(
                .alreadyExists,
                "There is a file at \(SystemFailure.quoted(path)) already. Open it, or choose another name.")
        }
        let temporary = try StoreError.placing { () throws(VaultPlaceFailure) -> String in
            try VaultPlace.createTemporary(for: place)
        }
        do throws(StoreError) {
            let connection = try open(temporary, .create, options)
            // Closed whatever happens; the last connection of a file copies the log into it and removes that.
            defer { connection.close() }
            try VaultSchema.make(connection)
            try connection.transaction(.beginImmediate) { () throws(StoreError) -> Void in
                try fill(connection)
            }
            _ = try connection.checkpoint()
            connection.close()
            try StoreError.placing { () throws(VaultPlaceFailure) -> Void in
                try VaultPlace.publish(temporary: temporary, as: place)
            }
        } catch {
            VaultPlace.removeTemporary(temporary)
            throw error
        }
    }

    private static func open(
        _ path: String, _ access: SQLiteConnection.Access, _ options: VaultOptions
    ) throws(StoreError) -> VaultConnection {
        do throws(SQLiteFailure) {
            return VaultConnection(
                try SQLiteConnection(
                    path: path, access: access, vfs: options.fileSystemName,
                    busyTimeoutMilliseconds: min(max(options.busyTimeoutMilliseconds, 0), 600_000)),
                path: path)
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
