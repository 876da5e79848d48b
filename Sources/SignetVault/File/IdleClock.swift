// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SystemBridge

/// Notices that a vault was not called for some time. The time goes on while the machine sleeps.
final class IdleClock: Sendable {
    private let limit: Duration
    private let lastCall = Locked(ContinuousClock.now)
    private let onIdle: @Sendable () -> Void

    init(seconds: Int, onIdle: @escaping @Sendable () -> Void) {
        limit = .seconds(min(max(seconds, 0), 1_000_000_000))
        self.onIdle = onIdle
    }

    /// Whether the time has run out; if not, it begins anew. Checked with every call, so that a timer that comes late opens no gap.
    func isExpiredElseRestart() -> Bool {
        let now = ContinuousClock.now
        return lastCall.withLock { last in
            guard now - last < limit else { return true }
            last = now
            return false
        }
    }

    /// Begins anew, after an unlock, and sets the timer.
    func start() {
        lastCall.withLock { $0 = ContinuousClock.now }
        schedule(in: limit)
    }

    private func schedule(in time: Duration) {
        let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
        let deadline = DispatchTime.now() + .milliseconds(Int(clamping: milliseconds) + 1)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: deadline) { [weak self] in self?.look() }
    }

    private func look() {
        let left = limit - (ContinuousClock.now - lastCall.withLock { $0 })
        if left > .zero { schedule(in: left) } else { onIdle() }
    }
}
