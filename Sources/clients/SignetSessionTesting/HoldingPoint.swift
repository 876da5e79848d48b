// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Where calls wait while they are held.
package final class HoldingPoint: Sendable {
    private struct State {
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    package init() {}

    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    package func hold() { state.withLock { $0.isHeld = true } }

    package func release() {
        let waiting = state.withLock { state in
            state.isHeld = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    package func wait() async {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state -> Bool in
                if state.isHeld { state.waiting.append(continuation) }
                return !state.isHeld
            }
            if goesOn { continuation.resume() }
        }
    }
}
