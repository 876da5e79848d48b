// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Tells any number of listeners what happens, each in order, the state first.
final class SessionAnnouncements: Sendable {
    private struct State {
        var current = SessionState.checking
        var lastID = 0
        var listeners: [Int: AsyncStream<SessionEvent>.Continuation] = [:]
    }

    private let state = Locked(State())

    var current: SessionState { state.withLock { $0.current } }

    /// A stream that holds what was not taken yet, the newest 256.
    func stream() -> AsyncStream<SessionEvent> {
        let (stream, continuation) = AsyncStream<SessionEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(256))
        let id = state.withLock { state -> Int in
            state.lastID += 1
            state.listeners[state.lastID] = continuation
            continuation.yield(.state(state.current))
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[id] = nil }
        }
        return stream
    }

    /// Another state than before is told; the same one is not told twice.
    func become(_ new: SessionState) {
        state.withLock { state in
            guard new != state.current else { return }
            state.current = new
            for listener in state.listeners.values { listener.yield(.state(new)) }
        }
    }

    func tell(_ event: SessionEvent) {
        state.withLock { state in
            for listener in state.listeners.values { listener.yield(event) }
        }
    }

    func finish() {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.finish() }
    }
}
