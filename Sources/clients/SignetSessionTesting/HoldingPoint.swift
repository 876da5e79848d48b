// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Where calls wait while they are held.
package final class HoldingPoint: Sendable {
    private struct State {
        var isHeld = false
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
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
        for continuation in waiting.values { continuation.resume(returning: true) }
    }

    /// Waits while calls are held.
    ///
    /// - Returns: false if the caller's task was cancelled while its call was held.
    @discardableResult
    package func wait() async -> Bool {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    guard state.isHeld else { return true }
                    if Task.isCancelled { return false }
                    state.waiting[id] = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: false)
        }
    }
}
