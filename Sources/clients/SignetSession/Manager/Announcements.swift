// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Sends events to any number of listeners, in order, beginning with the present value.
final class Announcements<Value: Sendable & Equatable, Event: Sendable>: Sendable {
    private struct State {
        var current: Value
        var lastID = 0
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
    }

    private let state: Locked<State>
    private let event: @Sendable (Value) -> Event

    /// - Parameter event: the event that announces a value.
    init(_ first: Value, event: @escaping @Sendable (Value) -> Event) {
        state = Locked(State(current: first))
        self.event = event
    }

    var current: Value { state.withLock { $0.current } }

    /// A stream that buffers the newest 256 events.
    func stream() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream<Event>.makeStream(
            bufferingPolicy: .bufferingNewest(256))
        let id = state.withLock { state -> Int in
            state.lastID += 1
            state.listeners[state.lastID] = continuation
            continuation.yield(event(state.current))
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[id] = nil }
        }
        return stream
    }

    /// Announces a value unless it is the present value.
    func publish(_ new: Value) {
        state.withLock { state in
            guard new != state.current else { return }
            state.current = new
            for listener in state.listeners.values { listener.yield(event(new)) }
        }
    }

    /// Sends an event that changes no value.
    func announce(_ event: Event) {
        state.withLock { state in
            for listener in state.listeners.values { listener.yield(event) }
        }
    }

    /// Ends all streams.
    func finish() {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.finish() }
    }
}
