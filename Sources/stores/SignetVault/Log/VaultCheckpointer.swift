// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SQLiteBridge
internal import SignetPlatform

/// Writes a vault's log (SQLite's `-wal` file) back into the vault's file, which is a checkpoint.
/// Each ``FileVault`` has one, and tells it of each unlock and each write:
/// `checkpointer.noteUnlock()`, `checkpointer.noteWrite()`.
///
/// After a checkpoint the single file that people copy is the vault; before it, the newest writes
/// are in the log alone. Checkpoints are made
/// - after a second without writes, by a timer that ``noteWrite()`` sets;
/// - after a write that made the log long, by the writer (``checkpointIfLong(_:)``);
/// - when the vault is closed, when the process ends, and on request.
///
/// SQLite checkpoints any log that fits the file by its form, and the log of another file would
/// destroy this file. So this type makes a checkpoint only after an unlock, which proves that the
/// state is authentic, and only of a log that is proved to be this file's: the log was empty when
/// the vault was opened, or `VaultCheckpointer+Proof.swift` has compared it with the file.
///
/// The writer's checkpoints use the writer's connection. Each other checkpoint makes a connection
/// of its own, so no read or write waits for it.
final class VaultCheckpointer: Sendable {
    /// How long a checkpoint waits for other connections. A checkpoint that waits at all may also
    /// verify the whole vault first.
    enum WaitLimit {
        case none, short, long

        var milliseconds: Int {
            switch self {
            case .none: 0
            case .short: 200
            case .long: 2000
            }
        }
    }

    /// What a checkpoint does with the log's file, once all of the log is in the vault's file.
    enum LogFileEnd {
        /// Keeps its length: the next write begins at its start, in blocks that the disk has. The
        /// checkpoint stays due.
        case kept
        /// Shortens it, unless an object of any process has reserved room in it.
        case shortened
        /// Shortens it likewise, and lets SQLite remove it if the vault is open nowhere else.
        case removed
    }

    /// A little more than the second that readers may take.
    private static let readersMilliseconds = 1200

    let file: VaultFile
    /// Returns the keys, while the vault is unlocked.
    private let unlocked: @Sendable () -> UnlockedKeys?
    /// The process that made this object, not a child of `fork`.
    private let process = ProcessIdentity.current
    private let state: Locked<CheckpointState>
    /// Held while checkpointing: SQLite refuses a second checkpoint at the same time.
    private let checkpointLock = Lock()

    /// - Parameters:
    ///   - logWasEmpty: whether the log was empty before the first connection was made.
    ///   - unlocked: returns the keys, while the vault is unlocked.
    init(
        _ file: VaultFile, logWasEmpty: Bool, unlocked: @escaping @Sendable () -> UnlockedKeys?
    ) {
        self.file = file
        self.unlocked = unlocked
        state = Locked(CheckpointState(isLogProved: logWasEmpty))
        OpenCheckpointers.add(self)
    }

    /// Whether something that this object wrote may be only in the log.
    var isDue: Bool { state.withLock { $0.lastWrite != nil } }

    /// Whether the log is known to be this file's.
    var isLogProved: Bool { state.withLock { $0.isLogProved } }

    /// Whether the log is known to be this file's, and is empty.
    var hasEmptyLog: Bool {
        isLogProved && PrivatePlace.logByteCount(ofFileAt: file.path) == 0
    }

    /// Called after an unlock, which has opened the state.
    func noteUnlock() { state.withLock { $0.wasUnlocked = true } }

    /// Ensures, before a write, that the log is known to be this file's.
    func requireProvedLog(_ unlocked: UnlockedKeys) throws(StoreError) {
        guard !isLogProved else { return }
        try checkpointLock.withLock { () throws(StoreError) in
            let connection = try file.connect(
                for: .checkpointing, atMostMilliseconds: WaitLimit.long.milliseconds)
            defer { connection.close() }
            try proveLog(unlocked, on: connection, waiting: .long)
        }
    }

    /// Called after a write of this object.
    func noteWrite() {
        state.withLock { $0.lastWrite = .now }
        setTimerUnlessSet()
    }

    // MARK: The writer's checkpoint

    /// Called by the writer after its commit: checkpoints a log that has become long, on the
    /// writer's connection, before the next write of this object can begin. Another connection
    /// could not keep up with a writer that never pauses.
    func checkpointIfLong(_ connection: VaultConnection) {
        let written = connection.writtenByteCount(beginningAnew: false)
        let logLength = state.withLock { state in
            state.writtenByteCount += written
            return state.logLength
        }
        let limit: Int
        switch logLength {
        case .short: return
        case .long: limit = 0
        case .tooLong: limit = min(Self.readersMilliseconds, file.options.busyTimeoutMilliseconds)
        }
        // The write is committed already, so an error here does not fail the write: a later write
        // tries again. `askBlocking` calls its closure until it returns true or the time is over.
        let isCheckpointed = checkpointLock.withLock {
            LockPauses.askBlocking(within: .milliseconds(limit)) {
                (try? connection.checkpoint(.restarting, within: limit)) ?? false
            }
        }
        state.withLock { state in
            if isCheckpointed {
                state.noteCheckpoint()
            } else {
                state.noteReadersInTheWay(ofLog: logLength)
            }
        }
    }

    // MARK: Checkpoints on connections of their own

    /// Checkpoints now, and shortens the log.
    ///
    /// - Returns: whether the file alone is now the vault. False if other connections read or write
    ///   for too long, if the vault was never unlocked, or if it is locked and the log is not known
    ///   to be this file's.
    /// - Throws: `corrupt` for another file's log: nothing was checkpointed.
    @discardableResult
    func checkpoint(_ limit: WaitLimit) throws(StoreError) -> Bool {
        try checkpointLocking(within: limit, logFile: .shortened)
    }

    /// Checkpoints without shortening the log, so that the next writer begins at its start.
    func checkpointKeepingLength() throws(StoreError) -> Bool {
        try checkpointLocking(within: .short, logFile: .kept)
    }

    /// Checkpoints after the object's own connections are closed.
    ///
    /// Errors are dropped: the log then stays beside the file, and the next process that opens the
    /// vault reads it.
    func checkpointAfterClosing() {
        _ = try? checkpointLocking(within: .long, logFile: .removed)
    }

    /// Checkpoints at the end of the process, if no lock is in the way right now. After an error
    /// the log stays, as in ``checkpointAfterClosing()``.
    func tryCheckpointAtEnd() {
        guard ProcessIdentity.current == process, isDue else { return }
        _ = try? checkpointLock.withLockIfFree { () throws(StoreError) -> Bool in
            try checkpointHoldingLock(within: .none, logFile: .removed)
        }
    }

    /// Checkpoints when no other thread does.
    ///
    /// - Returns: as in ``checkpoint(_:)``.
    private func checkpointLocking(
        within limit: WaitLimit, logFile: LogFileEnd
    ) throws(StoreError) -> Bool {
        try checkpointLock.withLock { () throws(StoreError) -> Bool in
            try checkpointHoldingLock(within: limit, logFile: logFile)
        }
    }

    /// Checkpoints; the caller holds `checkpointLock`.
    ///
    /// - Returns: as in ``checkpoint(_:)``.
    private func checkpointHoldingLock(
        within limit: WaitLimit, logFile: LogFileEnd
    ) throws(StoreError) -> Bool {
        // A child of `fork` leaves the file to its parent.
        guard ProcessIdentity.current == process, !file.isReadOnly else { return false }
        // Before an unlock nothing has shown that the state is authentic.
        guard state.withLock({ $0.wasUnlocked }) else { return false }
        let start = ContinuousClock.now
        let connection = try file.connect(
            for: .checkpointing, atMostMilliseconds: limit.milliseconds)
        defer { connection.close() }
        // Another file may have the vault's path by now.
        try file.requireSame()
        guard try proveLogIfUnlocked(on: connection, waiting: limit) else { return false }
        // Checkpoints most of the log while others keep writing; then they wait for the remaining
        // part.
        _ = try connection.checkpoint(.passive)
        let shortening: Shortening = logFile == .kept ? .forbidden : allowShortening()
        // Until the log is shortened, the lock prevents that an object reserves room in it.
        defer { shortening.lock?.unlock() }
        let kind: SQLiteConnection.Checkpoint = shortening.isAllowed ? .truncating : .restarting
        guard try connection.checkpoint(kind) else { return false }
        // The last connection of all processes removes the log, however long it is.
        if logFile == .removed { try connection.setCheckpointsOnClose(true) }
        state.withLock { state in
            // A write that came after `start` may not be checkpointed.
            guard let last = state.lastWrite, last <= start else { return }
            state.noteCheckpoint()
            if shortening.isAllowed { state.lastWrite = nil }
        }
        return true
    }

    /// Whether the log may be shortened, and the lock that keeps it so until it is freed.
    private struct Shortening {
        static let forbidden = Shortening(isAllowed: false, lock: nil)

        let isAllowed: Bool
        let lock: FolderLock?
    }

    /// Allows shortening if no object of any process has reserved room in the log.
    private func allowShortening() -> Shortening {
        do {
            let lock = try FolderLock(ofFileAt: file.path, held: .alone)
            return Shortening(isAllowed: true, lock: lock)
        } catch {
            // A lock that another object holds is its reservation. After any other error folders
            // cannot be locked here, and no process can reserve room either.
            return Shortening(isAllowed: !error.isLockedByOther, lock: nil)
        }
    }

    /// Proves that the log is this file's, unless that is known already.
    ///
    /// - Returns: false if the vault is locked, or if its keys are outdated: then nothing proves
    ///   whose log it is.
    private func proveLogIfUnlocked(
        on connection: VaultConnection, waiting limit: WaitLimit
    ) throws(StoreError) -> Bool {
        if isLogProved { return true }
        guard let unlocked = unlocked() else { return false }
        do {
            try proveLog(unlocked, on: connection, waiting: limit)
            return true
        } catch {
            guard error == .rootReplaced else { throw error }
            return false
        }
    }

    /// Proves that the log is this file's, and remembers it.
    private func proveLog(
        _ unlocked: UnlockedKeys, on connection: VaultConnection, waiting limit: WaitLimit
    ) throws(StoreError) {
        try prove(unlocked, on: connection, mayTakeLong: limit != .none)
        state.withLock { $0.isLogProved = true }
    }

    // MARK: The timer

    private func setTimerUnlessSet() {
        let wasSet = state.withLock { state in
            defer { state.isTimerSet = true }
            return state.isTimerSet
        }
        if !wasSet { setTimer(in: CheckpointState.quietTime) }
    }

    private func setTimer(in time: Duration) {
        let milliseconds = Int(time / .milliseconds(1))
        DispatchQueue.global(qos: .utility).asyncAfter(
            deadline: .now() + .milliseconds(milliseconds)
        ) {
            [weak self] in self?.timerFired()
        }
    }

    /// Checkpoints if no write has come for a second, or if readers kept the writer from
    /// checkpointing a log that is too long. In all other cases it sets the timer again.
    private func timerFired() {
        switch state.withLock({ $0.stepOfTimer() }) {
        case .stop: return
        case .wait(let time): return setTimer(in: time)
        case .checkpoint(let logFile):
            // If this fails, the next write and the end try again.
            _ = try? checkpointLocking(within: .short, logFile: logFile)
        }
        let isDue = state.withLock { state in
            state.isTimerSet = false
            return state.lastWrite != nil
        }
        // A lock was in the way, or a write came in the meantime.
        if isDue { setTimerUnlessSet() }
    }
}
