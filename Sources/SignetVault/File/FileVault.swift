// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import Synchronization
internal import SystemBridge

/// A sealed vault in one file, safe for several threads and processes at once.
///
/// SQLite keeps it durable; everything in it is sealed and bound to its place (Documentation/VAULT-FORMAT.md). A write has
/// reached the disk when the call returns, and then every process sees it; a read does not wait for a write. How much a read proves
/// is the ``ReadLevel`` of ``VaultOptions/readLevel`` unless the call says otherwise.
///
/// **Not** promised: that an older copy of the whole file is noticed (unless there is a ``RollbackAnchor``), that the number of items
/// and their padded sizes are hidden, and anything against a process of the same user. After `fork`, the child opens the vault anew:
/// every call of an inherited one throws `forked`.
public final class FileVault: SynchronousSecureStore {
    /// Where the async calls run, one after another. Synchronous calls from several threads read and write side by side.
    public let queue = StoreQueue(label: "signet.vault")
    /// 16 bytes that name the vault.
    public let id: [UInt8]

    /// Whether it is read and never written: by ``VaultOptions/isReadOnly``, or by its file system.
    public var isReadOnly: Bool { file.isReadOnly }

    let file: VaultFile
    let options: VaultOptions
    let hub: ChangeHub
    let holder: SessionHolder
    let freshness: VaultFreshness
    let fold: VaultFold
    let isClosed = Atomic(false)
    private let reading: VaultLane
    private let writing: VaultLane
    private let process = ProcessIdentity.current

    private init(_ file: VaultFile, _ options: VaultOptions) throws(StoreError) {
        let logWasEmpty = VaultPlace.logByteCount(ofFileAt: file.path) == 0
        let reader = try file.connect(for: .reading)
        let tables = try reader.transaction(.begin) { () throws(StoreError) -> VaultTables in
            try VaultTables.read(from: reader)
        }
        id = try HeadRecord(parsing: tables.head).vaultID
        // The id is authentic once the vault is unlocked: the keys are made with it.
        guard options.expectedID == nil || options.expectedID == id else {
            throw StoreError(
                .otherVault,
                "The file is another vault than the one expected: it was exchanged. Put the right one back.")
        }
        self.file = file
        self.options = options
        hub = ChangeHub.hub(for: "vault:" + Hexadecimal.text(of: id))
        let holder = SessionHolder(idleSeconds: options.autoLockSeconds, hub: hub)
        self.holder = holder
        fold = VaultFold(file, logWasEmpty: logWasEmpty) { holder.held }
        freshness = VaultFreshness(vaultID: id, anchor: options.anchor)
        reading = VaultLane(reader)
        writing = VaultLane(try file.connect(for: .writing))
    }

    deinit { close() }

    /// Makes a new vault with one key slot, and leaves it unlocked.
    ///
    /// - Parameter path: in a folder that is there, where nobody else may exchange files; not on a network file system.
    /// - Throws: `alreadyExists` when the name is taken, `insecureFile` with what mends the folder, `unavailable` when nothing can be
    ///   written there, and what `method` throws.
    public static func create(
        at path: String, with method: any UnlockMethod, options: VaultOptions = VaultOptions()
    ) throws(StoreError) -> FileVault {
        let new = try NewVault(with: method, created: options.now())
        try VaultFile.create(at: path, options: options) { (connection) throws(StoreError) -> Void in
            try VaultSchema.make(connection)
            try connection.transaction(.beginImmediate) { () throws(StoreError) -> Void in
                try new.write(to: connection)
            }
        }
        let vault = try open(at: path, options: options)
        guard vault.id == new.session.root.vaultID else {
            throw StoreError(.unavailable, "The new vault was exchanged for another one. Look at its folder.")
        }
        try vault.begin(new.session)
        return vault
    }

    /// Opens a vault's file; it is locked. Header, schema, types, lengths and limits are checked; nothing is authentic yet.
    ///
    /// - Throws: `unavailable` when there is no such file, `insecureFile` with what mends it, `notAVault` when it is another file or of
    ///   another version, `corrupt`.
    public static func open(
        at path: String, options: VaultOptions = VaultOptions()
    ) throws(StoreError) -> FileVault {
        let file = try VaultFile(existing: path, options: options)
        if !file.isReadOnly { VaultPlace.removeLeftovers(besideFileAt: file.path) }
        return try FileVault(file, options)
    }

    // MARK: The lanes

    /// Refuses to write where the vault is only read.
    func requireWritable() throws(StoreError) {
        try requireProcess()
        guard !isReadOnly else {
            throw StoreError(
                .readOnly,
                "\(SystemFailure.quoted(file.path)) is open to be read only, or is on a file "
                    + "system that is mounted read-only. Write to a vault elsewhere."
            )
        }
    }

    /// Refuses in a child of `fork`, where neither locks nor databases of the parent may be touched.
    func requireProcess() throws(StoreError) {
        guard ProcessIdentity.current == process else {
            throw StoreError(
                .forked, "The process was forked after the vault was opened: open it again in the child.")
        }
    }

    /// Runs `body` on the reading connection, without keys.
    func look<R>(_ body: (VaultConnection) throws(StoreError) -> R) throws(StoreError) -> R {
        try requireProcess()
        return try file.whileUnchanged { () throws(StoreError) -> R in
            try reading.run { (connection, _) throws(StoreError) -> R in try body(connection) }
        }
    }

    /// Runs `body` with the keys. Where it meets a key that it does not know, the keys are read again, and it runs once more.
    func read<R>(_ body: (VaultReader) throws(StoreError) -> R) throws(StoreError) -> R {
        try requireProcess()
        let session = try holder.use()
        return try file.whileUnchanged { () throws(StoreError) -> R in try readFresh(session, body) }
    }

    private func readFresh<R>(
        _ session: VaultSession, _ body: (VaultReader) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        do throws(StoreError) {
            return try read(session, body)
        } catch {
            guard error == .rootReplaced else { throw error }
        }
        // A thread of ours that replaces the root key gives the new one to the holder before it lets the writing lane go.
        try writing.run { (_, _) throws(StoreError) -> Void in }
        let successor = try holder.use()
        do throws(StoreError) {
            guard successor !== session else { throw .rootReplaced }
            return try read(successor, body)
        } catch {
            guard error == .rootReplaced else { throw error }
            throw lockedByRotation()
        }
    }

    /// How often the keys are read again for one read. Rotations pause between their transactions, so that two are rare.
    private static let rereadLimit = 50

    private func read<R>(
        _ session: VaultSession, _ body: (VaultReader) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try reading.run { (connection, proof) throws(StoreError) -> R in
            var session = session
            for _ in 0..<Self.rereadLimit {
                do throws(StoreError) {
                    return try body(reader(connection, proof, session))
                } catch {
                    guard error == .unknownDataKey else { throw error }
                }
                let fresh = try settle(session) { () throws(StoreError) -> VaultSession in
                    try connection.transaction(.begin) { () throws(StoreError) -> VaultSession in
                        try session.reloaded(from: connection)
                    }
                }
                // Between two snapshots others may have changed the head once more. Only when it is the one that was
                // tried is the key nowhere.
                guard fresh.head.bytes != session.head.bytes else {
                    throw .damaged("item", StoreError.unknownDataKey.message)
                }
                session = fresh
            }
            throw StoreError(.busy, "Other processes change the vault's keys without a pause: try again.")
        }
    }

    /// Runs `body` in one transaction, and keeps it when `body` returns: all or nothing. On a full
    /// disk, once more after the log was folded.
    func write<R>(
        _ body: (VaultWriter) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try requireWritable()
        do throws(StoreError) {
            return try writeOnce(body)
        } catch {
            guard error.isDiskFull else { throw error }
        }
        return try foldingFirst { () throws(StoreError) -> R in try writeOnce(body) }
    }

    private func writeOnce<R>(
        _ body: (VaultWriter) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        _ = try holder.use()
        let now = options.now()
        return try writing.run { (connection, proof) throws(StoreError) -> R in
            // Not before it is our turn: the thread before us may have replaced the root key.
            let held = try holder.use()
            try connection.requireSame(file)
            _ = connection.writtenByteCount(beginningAnew: true)
            try requireTrustedLog(held)
            let (result, outcome, writer) = try connection.transaction(.beginImmediate) {
                () throws(StoreError) -> (R, VaultWriter.Outcome?, VaultWriter) in
                let session: VaultSession
                do throws(StoreError) {
                    session = try settle(held) { () throws(StoreError) -> VaultSession in
                        try held.current(on: connection)
                    }
                } catch {
                    throw error == .rootReplaced ? lockedByRotation() : error
                }
                let writer = try VaultWriter(reader(connection, proof, session), now: now)
                try freshness.requireAnchored(writer.state.generation)
                do throws(StoreError) {
                    let result = try body(writer)
                    return (result, try writer.finish(), writer)
                } catch {
                    // The ring is the newest: a row that names another key is damaged.
                    guard error == .unknownDataKey else { throw error }
                    throw .damaged("item", error.message)
                }
            }
            guard let outcome else { return result }
            fold.noteWrite()
            if let successor = writer.successor { holder.succeed(with: successor) }
            try? proof.advance(outcome, writer.session)
            reading.advanceIfFree(outcome, writer.session)
            hub.send(writer.changes)
            try freshness.committed(outcome.generation)
            return result
        }
    }

    /// Before anything is added to the log: it must be this file's.
    func requireTrustedLog(_ held: VaultSession) throws(StoreError) {
        do throws(StoreError) {
            try fold.requireTrusted(held)
        } catch {
            throw error == .rootReplaced ? lockedByRotation() : error
        }
    }

    /// Folds the log, which frees the room that it takes, and runs a write that found no room.
    ///
    /// - Throws: how many bytes are missing, if there still is none.
    private func foldingFirst<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        _ = try? fold.fold(.long)
        let free = VaultPlace.freeByteCount(besideFileAt: file.path)
        do throws(StoreError) {
            return try body()
        } catch {
            guard error.isDiskFull else { throw error }
            let needed = try writing.run { (connection, _) throws(StoreError) in
                connection.writtenByteCount(beginningAnew: false)
            }
            // What was tried still takes its room.
            _ = try? fold.fold(.short)
            throw .noRoom(for: file.path, needed: needed, free: free)
        }
    }

    private func reader(
        _ connection: VaultConnection, _ proof: VaultProof, _ session: VaultSession
    ) -> VaultReader {
        VaultReader(
            connection: connection, proof: proof, session: session, freshness: freshness,
            floor: freshness.newest)
    }

    /// Ends both connections, and folds the log.
    func finish() {
        // Most often the log is empty, and the last connection only has to remove it.
        let isFolded = fold.hasEmptyLog
        reading.close()
        writing.close(foldsLog: isFolded)
        if !isFolded { fold.finish() }
    }

    /// Keys that were read again take the place of the old ones.
    private func settle(
        _ old: VaultSession, _ reload: () throws(StoreError) -> VaultSession
    ) throws(StoreError) -> VaultSession {
        let fresh = try reload()
        if fresh !== old { holder.exchange(old, for: fresh) }
        return fresh
    }

    /// Locks: the keys are of a root key that another process replaced.
    private func lockedByRotation() -> StoreError {
        holder.end()
        return StoreError(.locked, StoreError.rootReplaced.message)
    }
}
