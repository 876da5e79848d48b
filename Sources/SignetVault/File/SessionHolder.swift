// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetPlatform

/// Holds the session of an unlocked store, until it is told to end it or no call has come for some
/// time.
///
/// A timer ends the session, and ``use()`` also refuses a call after the time limit: a late timer
/// (the machine slept, all threads are busy) leaves no gap.
package final class SessionHolder<Session: AnyObject & Sendable>: Sendable {
    private struct Held {
        var session: Session?
        var lastCall = Duration.zero
        var isTimerSet = false
    }

    private let name: String
    private let idleLimit: Duration?
    private let hub: ChangeHub
    private let clock: TimeSource
    private let state = Locked(Held())

    /// - Parameters:
    ///   - name: the locked store's name in errors.
    ///   - idleLimit: nil for never; the time goes on while the machine sleeps.
    ///   - clock: decides whether a call comes too late. The timer is the system's, and reads it.
    package init(of name: String, idleLimit: Duration?, hub: ChangeHub, clock: TimeSource) {
        self.name = name
        self.clock = clock
        self.idleLimit = idleLimit.map { min(max($0, .zero), .seconds(1_000_000_000)) }
        self.hub = hub
    }

    /// The session, for a call that is made now. Restarts the idle time.
    ///
    /// - Throws: `locked`, also if the time has run out and the timer is late.
    package func use() throws(StoreError) -> Session {
        guard let session = current(restarting: true) else {
            throw StoreError(.locked, "The \(shown: name) is locked: unlock it first.")
        }
        return session
    }

    /// The session, if there is one. This does not keep it open.
    var held: Session? { current(restarting: false) }

    /// Whether there is no session. Asking does not keep it open.
    package var isLocked: Bool { held == nil }

    /// Begins a session.
    package func begin(_ session: Session) {
        // The clock may be a program's own, so it is read outside the lock.
        let now = clock.elapsed()
        let needsTimer = state.withLock { held in
            held.session = session
            held.lastCall = now
            defer { held.isTimerSet = true }
            return !held.isTimerSet
        }
        if needsTimer, let idleLimit { setTimer(in: idleLimit) }
        hub.send(.unlocked)
    }

    /// Continues with keys that were read again, unless the vault was locked or another caller was
    /// first.
    func exchange(_ old: Session, for new: Session) {
        state.withLock { held in if held.session === old { held.session = new } }
    }

    /// Continues with the keys that this process's transaction wrote, unless it was locked.
    func succeed(with new: Session) {
        state.withLock { held in if held.session != nil { held.session = new } }
    }

    /// Ends the session. The keys are wiped when the last call that uses them ends.
    package func end() {
        let was = state.withLock { held in
            defer { held.session = nil }
            return held.session
        }
        if was != nil { hub.send(.locked) }
    }

    private func current(restarting: Bool) -> Session? {
        guard let idleLimit else { return state.withLock { $0.session } }
        let now = clock.elapsed()
        let (session, hasExpired) = state.withLock { held -> (Session?, Bool) in
            guard let session = held.session else { return (nil, false) }
            guard isInTime(now, held.lastCall, idleLimit) else { return (nil, true) }
            if restarting { held.lastCall = now }
            return (session, false)
        }
        if hasExpired { end() }
        return session
    }

    /// Whether a call at `now` is within the limit since the one before. Another thread may have
    /// called after this one read the clock, so a small step back counts as now. A larger one,
    /// which the system's clock never makes, proves nothing.
    private func isInTime(_ now: Duration, _ lastCall: Duration, _ limit: Duration) -> Bool {
        now - lastCall < limit && lastCall - now < limit
    }

    private func setTimer(in time: Duration) {
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        DispatchQueue.global(qos: .utility)
            .asyncAfter(deadline: .now() + .milliseconds(Int(clamping: milliseconds))) {
                [weak self] in
                self?.timerFired()
            }
    }

    private func timerFired() {
        guard let idleLimit else { return }
        let now = clock.elapsed()
        let left = state.withLock { held -> Duration? in
            if held.session != nil, isInTime(now, held.lastCall, idleLimit) {
                return min(idleLimit - (now - held.lastCall), idleLimit)
            }
            held.isTimerSet = false
            return nil
        }
        if let left { setTimer(in: left) } else { end() }
    }
}
