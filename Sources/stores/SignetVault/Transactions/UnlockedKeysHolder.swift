// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetBase

/// Holds the keys of a store while it is unlocked: from ``begin(_:)`` to ``end()``, or until no
/// call has come for some time. Each call of the store takes the keys by ``use()``, which throws
/// `locked` if there are none: `let keys = try holder.use()`.
///
/// The time is checked twice. A timer drops the keys when nobody calls any more. ``use()`` also
/// refuses a call that comes too late, because the timer may be late: the machine slept, or all
/// threads were busy.
package final class UnlockedKeysHolder<Keys: AnyObject & Sendable>: Sendable {
    private struct Held {
        /// Nil while the store is locked.
        var keys: Keys?
        /// When the last call came, by the clock.
        var lastCall = Duration.zero
        var isTimerSet = false
    }

    private let name: String
    private let idleLimit: Duration?
    /// Tells the listeners of the store that it was locked or unlocked.
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
        // From zero to some 30 years.
        self.idleLimit = idleLimit.map { min(max($0, .zero), .seconds(1_000_000_000)) }
        self.hub = hub
    }

    /// The keys, for a call that is made now. Restarts the idle time.
    ///
    /// - Throws: `locked`, also if the time has run out and the timer is late.
    package func use() throws(StoreError) -> Keys {
        guard let keys = current(restarting: true) else {
            throw StoreError(.locked, "The \(shown: name) is locked: unlock it first.")
        }
        return keys
    }

    /// The keys; nil if the store is locked. Asking does not keep the store open.
    var currentKeys: Keys? { current(restarting: false) }

    /// Whether there are no keys. Asking does not keep the store open.
    package var isLocked: Bool { currentKeys == nil }

    /// Unlocks the store with these keys.
    package func begin(_ keys: Keys) {
        // The clock may be a program's own, so it is read outside the lock.
        let now = clock.elapsed()
        let needsTimer = state.withLock { held in
            held.keys = keys
            held.lastCall = now
            defer { held.isTimerSet = true }
            return !held.isTimerSet
        }
        if needsTimer, let idleLimit { setTimer(in: idleLimit) }
        hub.send(.unlocked)
    }

    /// Puts keys that were read again in place of the old keys, unless the store was locked or
    /// another caller was first.
    func replace(_ old: Keys, with new: Keys) {
        state.withLock { held in if held.keys === old { held.keys = new } }
    }

    /// Puts the keys that this process's transaction wrote in place of the old keys, unless the
    /// store was locked.
    func replaceIfUnlocked(with new: Keys) {
        state.withLock { held in if held.keys != nil { held.keys = new } }
    }

    /// Locks the store. The keys are wiped when the last call that uses them ends.
    package func end() {
        let droppedKeys = state.withLock { held in
            defer { held.keys = nil }
            return held.keys
        }
        if droppedKeys != nil { hub.send(.locked) }
    }

    /// The keys, unless the idle time has run out: then they are dropped here, before the timer.
    ///
    /// - Parameter restarting: whether the idle time begins again.
    private func current(restarting: Bool) -> Keys? {
        guard let idleLimit else { return state.withLock { $0.keys } }
        let now = clock.elapsed()
        let (keys, hasExpired) = state.withLock { held -> (Keys?, Bool) in
            guard let keys = held.keys else { return (nil, false) }
            guard isInTime(now, since: held.lastCall, within: idleLimit) else { return (nil, true) }
            if restarting { held.lastCall = now }
            return (keys, false)
        }
        if hasExpired { end() }
        return keys
    }

    /// Whether a call at `now` is within the limit since the call before. Another thread may have
    /// called after this thread read the clock, so a small step back counts as now. A larger step,
    /// which the system's clock never makes, proves nothing.
    private func isInTime(_ now: Duration, since lastCall: Duration, within limit: Duration) -> Bool
    {
        now - lastCall < limit && lastCall - now < limit
    }

    private func setTimer(in time: Duration) {
        // Rounded up: a timer that fires too early would only be set again.
        let milliseconds = min(time.wholeMilliseconds, .max - 1) + 1
        DispatchQueue.global(qos: .utility)
            .asyncAfter(deadline: .now() + .milliseconds(Int(clamping: milliseconds))) {
                [weak self] in
                self?.timerFired()
            }
    }

    /// Drops the keys at the end of the idle time. If a call came since the timer was set, sets it
    /// for the time that remains.
    private func timerFired() {
        guard let idleLimit else { return }
        let now = clock.elapsed()
        let remaining = state.withLock { held -> Duration? in
            if held.keys != nil, isInTime(now, since: held.lastCall, within: idleLimit) {
                return min(idleLimit - (now - held.lastCall), idleLimit)
            }
            held.isTimerSet = false
            return nil
        }
        if let remaining { setTimer(in: remaining) } else { end() }
    }
}
