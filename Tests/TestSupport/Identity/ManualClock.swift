// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
import SystemBridge

/// A clock that a test sets. Whoever sleeps by it wakes when it has been set far enough.
package final class ManualClock: Sendable {
    private struct State {
        var now: Duration = .seconds(1_000)
        var lastID = 0
        var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state = Locked(State())

    package init() {}

    package var clock: KeySetClock {
        KeySetClock(now: { self.state.withLock { $0.now } }, sleep: { await self.sleep($0) })
    }

    /// How many sleep now.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Sets the clock; a negative duration sets it back.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.now += duration
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    private func sleep(_ duration: Duration) async {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state -> Bool in
                    if Task.isCancelled { return true }
                    state.sleepers[id] = (state.now + duration, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id)?.continuation }?.resume()
        }
    }
}
