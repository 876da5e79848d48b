// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SQLiteBridge
internal import SignetPlatform

/// Folds the log into the vault's file, so that the one file that people copy is the vault: when
/// nothing was written for a second, when the log has grown, at the end, and when told so.
///
/// SQLite itself folds any log that fits the file by its form. This folds a log once the vault was
/// unlocked, which proves its state, and only one that was empty when the vault was opened or that
/// was proved to be this file's (`VaultFold+Proof.swift`): folding another one would destroy the
/// file. Each fold has a connection of its own, so that no call waits for one.
final class VaultFold: Sendable {
    /// How long others are waited for, and whether the whole vault may be verified first.
    enum Patience {
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
        /// When this object last wrote something that was not folded yet.
        var lastWrite: ContinuousClock.Instant?
        var isScheduled = false
    }

    /// A log of so many bytes is folded while writing goes on. It keeps its room then: in a file
    /// that grows, the sync of each write has more to do.
    private static let longLog: Int64 = 8 << 20
    private static let pause = Duration.seconds(1)

    let file: VaultFile
    private let session: @Sendable () -> VaultSession?
    private let process = ProcessIdentity.current
    private let state: Locked<State>
    /// Held while folding.
    private let turn = Lock()

    /// - Parameters:
    ///   - logWasEmpty: before the first connection was made.
    ///   - session: the keys, while the vault is unlocked.
    init(
        _ file: VaultFile, logWasEmpty: Bool, session: @escaping @Sendable () -> VaultSession?
    ) {
        self.file = file
        self.session = session
        state = Locked(State(isTrusted: logWasEmpty))
        OpenFolds.add(self)
    }

    /// Whether something that this object wrote may be in the log alone.
    var isDue: Bool { state.withLock { $0.lastWrite != nil } }

    var isTrusted: Bool { state.withLock { $0.isTrusted } }

    /// Whether the log is known to be this file's, and holds nothing.
    var hasEmptyLog: Bool {
        state.withLock { $0.isTrusted } && VaultPlace.logByteCount(ofFileAt: file.path) == 0
    }

    /// After an unlock, which has opened the state.
    func noteUnlock() { state.withLock { $0.wasUnlocked = true } }

    /// Before a write: the log that it is added to must be this file's.
    func requireTrusted(_ session: VaultSession) throws(StoreError) {
        guard !state.withLock({ $0.isTrusted }) else { return }
        try turn.withLock { () throws(StoreError) -> Void in
            let connection = try file.connect(
                for: .folding, atMostMilliseconds: Patience.long.milliseconds)
            defer { connection.close() }
            try trust(session, connection, .long)
        }
    }

    /// After a write of this object.
    func noteWrite() {
        state.withLock { $0.lastWrite = .now }
        scheduleOnce()
    }

    /// Folds now.
    ///
    /// - Returns: whether the file alone is the vault; not while others read or write for longer
    ///   than is waited, nor when the vault was never unlocked, nor when the log is not known to be
    ///   this file's and the vault is locked.
    /// - Throws: `corrupt` for a log that belongs to another file: nothing was folded.
    @discardableResult
    func fold(_ patience: Patience) throws(StoreError) -> Bool {
        try turn.withLock { () throws(StoreError) -> Bool in try run(patience) }
    }

    /// Folds, once the object's own connections are closed, and lets SQLite remove an empty log if
    /// the vault is open nowhere else.
    func finish() {
        _ = try? turn.withLock { () throws(StoreError) -> Bool in try run(.long, removesLog: true) }
    }

    /// Folds if no lock is in the way at this very moment.
    func tryAtEnd() {
        guard ProcessIdentity.current == process, isDue else { return }
        _ = try? turn.withLockIfFree { () throws(StoreError) -> Bool in
            try run(.none, removesLog: true)
        }
    }

    /// - Parameter keepsRoom: leaves the log its length; it stays due.
    private func run(
        _ patience: Patience, removesLog: Bool = false, keepsRoom: Bool = false
    ) throws(StoreError) -> Bool {
        guard ProcessIdentity.current == process, !file.isReadOnly,
            state.withLock({ $0.wasUnlocked })
        else { return false }
        let begin = ContinuousClock.now
        let connection = try file.connect(
            for: .folding, atMostMilliseconds: patience.milliseconds)
        defer { connection.close() }
        try file.requireSame()
        if !state.withLock({ $0.isTrusted }) {
            guard let session = session() else { return false }
            do throws(StoreError) {
                try trust(session, connection, patience)
            } catch {
                // As good as locked: the keys are of before.
                guard error == .rootReplaced else { throw error }
                return false
            }
        }
        // Most of it while others go on to write; then they wait for what they added meanwhile.
        _ = try connection.checkpoint(.passive)
        guard try connection.checkpoint(keepsRoom ? .restarting : .truncating) else { return false }
        guard !keepsRoom else { return true }
        state.withLock { state in
            if let last = state.lastWrite, last <= begin { state.lastWrite = nil }
        }
        if removesLog { try connection.setFoldsOnClose(true) }
        return true
    }

    private func trust(
        _ session: VaultSession, _ connection: VaultConnection, _ patience: Patience
    ) throws(StoreError) {
        try prove(session, connection, mayTakeLong: patience != .none)
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

    private func timerFired() {
        let left = state.withLock { state -> Duration? in
            guard let last = state.lastWrite else {
                state.isScheduled = false
                return nil
            }
            return Self.pause - (.now - last)
        }
        guard let left else { return }
        let isWriting = left > .zero
        let isLong = VaultPlace.logByteCount(ofFileAt: file.path) >= Self.longLog
        if isWriting, !isLong { return schedule(in: left) }
        // What fails here is tried again by the next write and at the end.
        _ = try? turn.withLock { () throws(StoreError) -> Bool in
            try run(.short, keepsRoom: isWriting)
        }
        let isDue = state.withLock { state in
            state.isScheduled = false
            return state.lastWrite != nil
        }
        // A lock was in the way, or a write came meanwhile.
        if isDue { scheduleOnce() }
    }

    private func scheduleOnce() {
        let schedules = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if schedules { schedule(in: Self.pause) }
    }
}
