// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetPlatform
internal import Synchronization

/// A sealed vault in one file, safe for several threads and processes at once.
///
/// ```swift
/// let vault = try FileVault.openOrCreate(at: path, with: PassphraseUnlock(passphrase))
/// let token = ItemKey.token(service: "api.example.com", account: "alice")
/// // Writes all of it or nothing. It is on the disk when the call returns.
/// try vault.write { writer in
///     try writer.set("v1.first-token", for: token)
/// }
/// // nil means that there is none. Locked, damaged and unreachable are errors, never nil.
/// if let text = try vault.read({ try $0.get(token)?.string() }) {
///     print("read \(text.utf8.count) octets")
/// }
/// ```
///
/// SQLite makes writes durable; everything in the file is sealed and bound to its place
/// (Documentation/VAULT-FORMAT.md). Read items inside `read(_:)` and write them inside `write(_:)`,
/// as many as belong together. A write is one transaction: when the call returns, it is on the disk
/// and every process sees it. A read sees one moment and does not wait for a write. Reads and
/// writes block their thread: a read for some microseconds, a write until it is on the disk. In
/// async code write `try await`: then they run on ``queue`` and block no thread of Swift's
/// pool. The calls of ``SecureStore`` handle a single item each, by a read or a write.
/// ``VaultOptions/readLevel`` decides how much a read proves, unless the call says otherwise.
///
/// **Not** promised: detecting an older copy of the whole file that was put back while no process
/// had the newer file open (unless there is a ``RollbackAnchor``), hiding the number of items and
/// their padded sizes, and any protection from a process of the same user. After `fork`, the child
/// must open the vault again: every call of an inherited vault throws `forked`.
public final class FileVault: SecureStore {
    // The files FileVault+… in the order to read them:
    // 1. Opening, Unlocking: how a vault is made or found, and how a method gives its keys.
    // 2. Transactions: `read` and `write`, through which all the calls below go.
    // 3. Items, Keys, Changes: the calls of SecureStore; slots, rotations, `verify`; who is told.
    // 4. Closing, Whole: the end of a handle; the check before work on the whole vault.
    // 5. Backup, Compacting, Room, SettingAside: care for the file.

    /// The queue of the async calls, which run in sequence. Synchronous calls from several threads
    /// read and write in parallel.
    public let queue = StoreQueue(label: "signet.vault")
    /// 16 bytes that identify the vault.
    public let id: [UInt8]

    /// Whether the vault is only read: by ``VaultOptions/isReadOnly``, or because of its file
    /// system.
    public var isReadOnly: Bool { file.isReadOnly }

    /// The path, and how to connect to it.
    let file: VaultFile
    let options: VaultOptions
    /// Tells the listeners of this process about changes.
    let hub: ChangeHub
    /// The keys, while the vault is unlocked.
    let holder: UnlockedKeysHolder<UnlockedKeys>
    /// The newest generation that is known, to notice an older copy of the file: each write raises
    /// this number.
    let freshness: VaultFreshness
    /// Looks for the writes of other processes.
    let polling: ChangePolling
    /// Copies the log, SQLite's `-wal` file of the newest writes, into the vault's file.
    let checkpointer: VaultCheckpointer
    /// The room that is reserved in the log for a later write.
    let room = VaultRoom()
    let isClosed = Atomic(false)
    /// Two connections, so that reads do not wait for writes.
    let readingConnection: LockedVaultConnection
    let writingConnection: LockedVaultConnection
    private let process = ProcessIdentity.current

    /// Opens the connections. The vault is locked: nothing is authenticated yet.
    private init(_ file: VaultFile, options: VaultOptions) throws(StoreError) {
        // Asked before a connection may write to the log.
        let logWasEmpty = PrivatePlace.logByteCount(ofFileAt: file.path) == 0
        let reader = try file.connect(for: .reading)
        let tables = try reader.transaction(.begin) { () throws(StoreError) -> VaultTables in
            try VaultTables.read(from: reader)
        }
        id = try HeadRecord(parsing: tables.head).vaultID
        // The id is authentic once the vault is unlocked, because the keys depend on it.
        guard options.expectedID == nil || options.expectedID == id else {
            throw StoreError(
                .otherVault,
                "The file is another vault than the one expected: it was exchanged. Put the right one back."
            )
        }
        self.file = file
        self.options = options
        hub = ChangeHub.hub(for: "vault:" + id.hexadecimal)
        let idleLimit = options.autoLockSeconds.map { Duration.seconds($0) }
        let holder = UnlockedKeysHolder<UnlockedKeys>(
            of: "vault", idleLimit: idleLimit, hub: hub, clock: options.clock)
        self.holder = holder
        checkpointer = VaultCheckpointer(file, logWasEmpty: logWasEmpty) { holder.currentKeys }
        polling = ChangePolling(hub)
        freshness = VaultFreshness(
            vaultID: id, at: file.path, options: options,
            watch: ChangeWatch.watch(of: id, at: file.path, hub: hub))
        readingConnection = LockedVaultConnection(reader)
        writingConnection = LockedVaultConnection(try file.connect(for: .writing))
    }

    deinit { close() }

    /// Creates a vault with one key slot, and leaves it unlocked.
    ///
    /// - Parameters:
    ///   - path: in an existing folder in which no other user may replace files, and not on a
    ///     network file system.
    ///   - method: opens the slot, now and later.
    ///   - options: how the vault is read and checkpointed.
    /// - Throws: `alreadyExists` if the name is taken, `insecureFile` with the remedy for the
    ///   folder, `unavailable` if nothing can be written there, and the errors of `method`.
    public static func create(
        at path: String, with method: any UnlockMethod, options: VaultOptions = VaultOptions()
    ) throws(StoreError) -> FileVault {
        try options.anchor?.checkPlace()
        let new = try NewVault(with: method, created: .now(by: options.clock))
        try VaultFile.create(at: path, options: options) { (connection) throws(StoreError) in
            try VaultSchema.make(connection)
            try connection.transaction(.beginImmediate) { () throws(StoreError) in
                try new.write(to: connection)
            }
        }
        let vault = try open(at: path, options: options)
        guard vault.id == new.unlocked.root.vaultID else {
            throw StoreError(
                .unavailable, "The new vault was exchanged for another one. Look at its folder.")
        }
        try vault.beginUnlocked(new.unlocked)
        return vault
    }

    /// Opens a vault's file; it is locked. Header, schema, types, lengths and limits are checked;
    /// nothing is authenticated yet. Unfinished files that killed processes left in the folder more
    /// than an hour ago are removed, unless a process still uses them.
    ///
    /// - Throws: `unavailable` if there is no such file, `insecureFile` with the remedy,
    ///   `notAVault` for another file or version, `corrupt`; the errors of the anchor's place.
    public static func open(
        at path: String, options: VaultOptions = VaultOptions()
    ) throws(StoreError) -> FileVault {
        let file = try VaultFile(existing: path, options: options)
        if !file.isReadOnly {
            try options.anchor?.checkPlace()
            let now = options.clock.millisecondsSince1970() / 1000
            PrivatePlace.removeLeftovers(besideFileAt: file.path, now: Int64(clamping: now))
        }
        return try FileVault(file, options: options)
    }

    // MARK: The connections

    /// Throws if the vault is only read.
    func requireWritable() throws(StoreError) {
        try requireProcess()
        guard !isReadOnly else {
            throw StoreError(
                .readOnly,
                "\(path: file.path) is open to be read only, or is on a file "
                    + "system that is mounted read-only. Write to a vault elsewhere."
            )
        }
    }

    /// Throws in a child of `fork`, which must not touch the parent's locks or databases.
    func requireProcess() throws(StoreError) {
        guard ProcessIdentity.current == process else {
            throw StoreError(
                .forked,
                "The process was forked after the vault was opened: open it again in the child.")
        }
    }

    /// Runs `body` on the reading connection, without keys. If the vault is only read, its file
    /// must not change meanwhile.
    func readWithoutKeys<R>(_ body: (VaultConnection) throws(StoreError) -> R) throws(StoreError)
        -> R
    {
        try requireProcess()
        return try file.whileUnchanged { () throws(StoreError) -> R in
            try readingConnection.run(apartFrom: writingConnection) {
                (connection, _) throws(StoreError) -> R in
                try body(connection)
            }
        }
    }

    /// Closes both connections, and checkpoints the log.
    func closeConnections() {
        room.end()
        // Usually the log is empty, and the last connection only has to remove it: then SQLite may
        // do that.
        let isCheckpointed = checkpointer.hasEmptyLog
        readingConnection.close()
        writingConnection.close(checkpointsLog: isCheckpointed)
        if !isCheckpointed { checkpointer.checkpointAfterClosing() }
    }
}
