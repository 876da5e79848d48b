// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SQLiteBridge
internal import SignetPlatform

/// Checkpoints the log into the vault's file, so the single file that people copy is the vault:
/// after a second without writes, after a write that made the log long, at the end, and on request.
///
/// SQLite itself checkpoints any log that fits the file by its form. `VaultCheckpointer`
/// checkpoints only after an unlock, which proves the state, and only a log that was empty when the
/// vault was opened or was proved to be this file's (`VaultCheckpointer+Proof.swift`):
/// checkpointing a foreign log would destroy the file. Every checkpoint except the writer's has its
/// own connection, so no call waits for it.
final class VaultCheckpointer: Sendable {
    /// How long to wait for other connections, and whether the whole vault may be verified first.
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

    private struct State {
        /// Whether the log is known to be this file's.
        var isTrusted: Bool
        /// Whether the vault was unlocked: its state is authentic.
        var wasUnlocked = false
        /// When this object last wrote something that is not checkpointed yet.
        var lastWrite: ContinuousClock.Instant?
        var isScheduled = false
        /// How many bytes this object has written to the log since it was last checkpointed.
        var writtenByteCount: Int64 = 0
        /// The number of written bytes at which the writer tries to checkpoint next.
        var nextCheckpointByteCount = VaultCheckpointer.longLogByteCount

        mutating func noteCheckpoint() {
            writtenByteCount = 0
            nextCheckpointByteCount = VaultCheckpointer.longLogByteCount
        }
    }

    /// After this many bytes the writer checkpoints, if no reader is in the way. The log keeps its
    /// space then: syncing writes to a growing file costs more.
    private static let longLogByteCount: Int64 = 6 << 20
    /// After this many bytes the writer waits for readers. With a transaction of 4 MiB more, the
    /// log stays below 16 MB.
    private static let waitingByteCount: Int64 = 11 << 20
    /// A little more than the second that readers may take.
    private static let readersMilliseconds = 1200
    /// How long no write has come before the timer checkpoints.
    private static let quietTime = Duration.seconds(1)

    let file: VaultFile
    private let unlocked: @Sendable () -> UnlockedKeys?
    private let process = ProcessIdentity.current
    private let state: Locked<State>
    /// Held while checkpointing.
    private let runLock = Lock()

    /// - Parameters:
    ///   - logWasEmpty: whether the log was empty before the first connection was made.
    ///   - unlocked: the keys, while the vault is unlocked.
    init(
        _ file: VaultFile, logWasEmpty: Bool, unlocked: @escaping @Sendable () -> UnlockedKeys?
    ) {
        self.file = file
        self.unlocked = unlocked
        state = Locked(State(isTrusted: logWasEmpty))
        OpenCheckpointers.add(self)
    }

    /// Whether something that this object wrote may be only in the log.
    var isDue: Bool { state.withLock { $0.lastWrite != nil } }

    var isTrusted: Bool { state.withLock { $0.isTrusted } }

    /// Whether the log is known to be this file's, and is empty.
    var hasEmptyLog: Bool {
        state.withLock { $0.isTrusted } && PrivatePlace.logByteCount(ofFileAt: file.path) == 0
    }

    /// Called after an unlock, which has opened the state.
    func noteUnlock() { state.withLock { $0.wasUnlocked = true } }

    /// Ensures, before a write, that the log is known to be this file's.
    func requireTrusted(_ unlocked: UnlockedKeys) throws(StoreError) {
        guard !state.withLock({ $0.isTrusted }) else { return }
        try runLock.withLock { () throws(StoreError) in
            let connection = try file.connect(
                for: .checkpointing, atMostMilliseconds: WaitLimit.long.milliseconds)
            defer { connection.close() }
            try proveTrust(unlocked, on: connection, waiting: .long)
        }
    }

    /// Called after a write of this object.
    func noteWrite() {
        state.withLock { $0.lastWrite = .now }
        scheduleOnce()
    }

    /// Called by the writer after its commit: checkpoints a log that has become long, on the
    /// writer's connection, before the next write of this object can begin. Another connection
    /// could not keep up with a writer that never pauses.
    ///
    /// If readers of an older state are in the way even after the waiting time, the log is twice as
    /// long at the next attempt, so that writes do not wait for them again and again.
    func checkpointIfLong(_ connection: VaultConnection) {
        let written = connection.writtenByteCount(beginningAnew: false)
        let (isLong, waitsForReaders) = state.withLock { state in
            state.writtenByteCount += written
            return (
                state.writtenByteCount >= state.nextCheckpointByteCount,
                state.writtenByteCount >= Self.waitingByteCount
            )
        }
        guard isLong else { return }
        let limit =
            waitsForReaders
            ? min(Self.readersMilliseconds, file.options.busyTimeoutMilliseconds) : 0
        // One checkpoint at a time, because SQLite refuses the second. The write is committed
        // already, so an error here is none of the write's: a later write tries again.
        let isCheckpointed = runLock.withLock {
            LockPauses.askBlocking(within: .milliseconds(limit)) {
                (try? connection.checkpoint(.restarting, within: limit)) ?? false
            }
        }
        state.withLock { state in
            if isCheckpointed {
                state.noteCheckpoint()
            } else {
                state.nextCheckpointByteCount =
                    waitsForReaders ? 2 * state.writtenByteCount : Self.waitingByteCount
            }
        }
    }

    /// Checkpoints now.
    ///
    /// - Returns: whether the file alone is now the vault. False if other connections read or write
    ///   for too long, if the vault was never unlocked, or if it is locked and the log is not known
    ///   to be this file's.
    /// - Throws: `corrupt` for another file's log: nothing was checkpointed.
    @discardableResult
    func checkpoint(_ limit: WaitLimit) throws(StoreError) -> Bool {
        try runLock.withLock { () throws(StoreError) -> Bool in try checkpointHoldingLock(limit) }
    }

    /// Checkpoints without shortening the log, so that the next writer begins at its start.
    func checkpointKeepingLength() throws(StoreError) -> Bool {
        try runLock.withLock { () throws(StoreError) -> Bool in
            try checkpointHoldingLock(.short, keepsRoom: true)
        }
    }

    /// Checkpoints after the object's own connections are closed, and lets SQLite remove an empty
    /// log if the vault is open nowhere else.
    ///
    /// Errors are dropped: the log then stays beside the file, and the next process that opens the
    /// vault reads it.
    func checkpointAfterClosing() {
        _ = try? runLock.withLock { () throws(StoreError) -> Bool in
            try checkpointHoldingLock(.long, removesLog: true)
        }
    }

    /// Checkpoints at the end of the process, if no lock is in the way right now. After an error the
    /// log stays, as in ``checkpointAfterClosing()``.
    func tryCheckpointAtEnd() {
        guard ProcessIdentity.current == process, isDue else { return }
        _ = try? runLock.withLockIfFree { () throws(StoreError) -> Bool in
            try checkpointHoldingLock(.none, removesLog: true)
        }
    }

    /// Checkpoints; the caller holds `runLock`.
    ///
    /// - Parameters:
    ///   - removesLog: whether SQLite may remove the log when this connection is closed.
    ///   - keepsRoom: whether to keep the log's length. It is also kept while room is reserved. A
    ///     checkpoint stays due then.
    private func checkpointHoldingLock(
        _ limit: WaitLimit, removesLog: Bool = false, keepsRoom: Bool = false
    ) throws(StoreError) -> Bool {
        // A child of `fork` leaves the file to its parent, and before an unlock nothing has shown
        // that the state is authentic.
        guard ProcessIdentity.current == process, !file.isReadOnly,
            state.withLock({ $0.wasUnlocked })
        else { return false }
        let start = ContinuousClock.now
        let connection = try file.connect(
            for: .checkpointing, atMostMilliseconds: limit.milliseconds)
        defer { connection.close() }
        // Another file may have the vault's path by now.
        try file.requireSame()
        if !state.withLock({ $0.isTrusted }) {
            // Without keys nothing proves that the log is this file's.
            guard let unlocked = unlocked() else { return false }
            do {
                try proveTrust(unlocked, on: connection, waiting: limit)
            } catch {
                // Counts as locked: the keys are outdated.
                guard error == .rootReplaced else { throw error }
                return false
            }
        }
        // Checkpoints most of the log while others keep writing; then they wait for the remaining
        // part.
        _ = try connection.checkpoint(.passive)
        let (shortens, lock) = keepsRoom ? (false, nil) : lockForShortening()
        // Until the log is shortened, the lock prevents that an object reserves room in it.
        defer { withExtendedLifetime(lock) {} }
        guard try connection.checkpoint(shortens ? .truncating : .restarting) else { return false }
        // The last connection of all processes removes the log, however long it is.
        if removesLog { try connection.setCheckpointsOnClose(true) }
        state.withLock { state in
            // A write that came after `start` may not be checkpointed.
            guard let last = state.lastWrite, last <= start else { return }
            state.noteCheckpoint()
            if shortens { state.lastWrite = nil }
        }
        return true
    }

    /// Whether the log may be shortened, because no object of any process has reserved room in it.
    /// The lock keeps that so while it is held; nil if folders cannot be locked here.
    private func lockForShortening() -> (mayShorten: Bool, lock: FolderLock?) {
        do {
            return (true, try FolderLock(ofFileAt: file.path, held: .alone))
        } catch {
            // A lock that another object holds is its reservation. After any other error folders
            // cannot be locked here, and no process can reserve room either.
            return (!error.isLockedByOther, nil)
        }
    }

    /// Proves that the log is this file's, and remembers it.
    private func proveTrust(
        _ unlocked: UnlockedKeys, on connection: VaultConnection, waiting limit: WaitLimit
    ) throws(StoreError) {
        try prove(unlocked, on: connection, mayTakeLong: limit != .none)
        state.withLock { $0.isTrusted = true }
    }

    private func schedule(in time: Duration) {
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
        let remaining = state.withLock { state -> Duration? in
            guard let last = state.lastWrite else {
                state.isScheduled = false
                return nil
            }
            return Self.quietTime - (.now - last)
        }
        // Nil: nothing is due.
        guard let remaining else { return }
        let isWriting = remaining > .zero
        // The writer has tried, and found readers in the way.
        let isTooLong = state.withLock { $0.writtenByteCount >= Self.waitingByteCount }
        if isWriting, !isTooLong { return schedule(in: remaining) }
        // If this fails, the next write and the end try again.
        _ = try? runLock.withLock { () throws(StoreError) -> Bool in
            try checkpointHoldingLock(.short, keepsRoom: isWriting)
        }
        let isDue = state.withLock { state in
            state.isScheduled = false
            return state.lastWrite != nil
        }
        // A lock was in the way, or a write came in the meantime.
        if isDue { scheduleOnce() }
    }

    private func scheduleOnce() {
        let schedules = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if schedules { schedule(in: Self.quietTime) }
    }
}
