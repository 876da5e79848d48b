// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SystemBridge

/// Notices that a store has not been used for some time.
///
/// It looks twice: a timer runs what `start` was given, and ``begin()`` refuses a call that comes after the time was over, so that a timer that is
/// late (the machine slept, all threads are busy) opens no gap. Time while the machine sleeps counts.
package final class IdleTimer: Sendable {
    private struct State {
        // nil while nothing is counted: stopped, or the time was over.
        var lastUse: ContinuousClock.Instant?
        var users = 0
        var isScheduled = false
        var onIdle: (@Sendable () -> Void)?
    }

    private let limit: Duration
    private let state = Locked(State())

    /// A timer that stands still.
    package init(after limit: Duration) { self.limit = max(limit, .milliseconds(1)) }

    /// Begins to count: the store was unlocked.
    ///
    /// - Parameter onIdle: runs on a thread of Dispatch when the time is over. By the time it runs the store may have been unlocked
    ///   again: it takes the store's own lock and does nothing if ``isCounting``. It should hold its store weakly.
    package func start(_ onIdle: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.lastUse = .now
            state.onIdle = onIdle
            schedule(in: limit, &state)
        }
    }

    /// Stops counting: the store was locked.
    package func stop() { state.withLock { $0.lastUse = nil } }

    /// Whether it counts, and the time is not over.
    package var isCounting: Bool { state.withLock { isOver(&$0) == false } }

    /// A call begins; no time is over before its ``end()``.
    ///
    /// - Returns: false when it does not count or the time is over: the store is to be locked, and `end()` is not called.
    package func begin() -> Bool {
        state.withLock { state in
            guard !isOver(&state) else { return false }
            state.users += 1
            return true
        }
    }

    /// A call ends, and the time begins anew.
    package func end() {
        state.withLock { state in
            state.users -= 1
            if state.lastUse != nil { state.lastUse = .now }
        }
    }

    private func isOver(_ state: inout State) -> Bool {
        guard let lastUse = state.lastUse else { return true }
        guard state.users == 0, .now - lastUse >= limit else { return false }
        state.lastUse = nil
        return true
    }

    /// One timer is on its way at most, whatever the number of calls: it looks when the last of them was.
    private func schedule(in pause: Duration, _ state: inout State) {
        guard !state.isScheduled else { return }
        state.isScheduled = true
        let (seconds, attoseconds) = pause.components
        let milliseconds = Int(clamping: seconds).multipliedReportingOverflow(by: 1000)
        let wait = milliseconds.overflow ? Int.max / 2 : milliseconds.partialValue
        let rest = Int(attoseconds / 1_000_000_000_000_000) + 1
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(wait + rest)) { [weak self] in
            self?.look()
        }
    }

    private func look() {
        let onIdle = state.withLock { state -> (@Sendable () -> Void)? in
            state.isScheduled = false
            guard let lastUse = state.lastUse else { return nil }
            if isOver(&state) { return state.onIdle }
            // Whoever is in a call ends it first, and the time begins then.
            let used = state.users > 0 ? ContinuousClock.now : lastUse
            schedule(in: limit - (.now - used), &state)
            return nil
        }
        onIdle?()
    }
}
