// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Where calls wait while they are held.
package final class HoldingPoint: Sendable {
    private struct State {
        var isHeld = false
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Locked(State())

    package init() {}

    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    package func hold() { state.withLock { $0.isHeld = true } }

    package func release() {
        let waiting = state.withLock { state in
            state.isHeld = false
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Waits while calls are held, or until the caller's task is cancelled.
    package func wait() async {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state -> Bool in
                    if !state.isHeld || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }
}
