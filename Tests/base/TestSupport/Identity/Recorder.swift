// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase

/// Records events, and lets a test wait for them without sleeping.
package final class Recorder<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiting:
            [(
                predicate: @Sendable ([Element]) -> Bool,
                continuation: CheckedContinuation<Void, Never>
            )] =
                []
    }

    private let state = Locked(State())

    package init() {}

    package var all: [Element] { state.withLock { $0.elements } }

    package func removeAll() { state.withLock { $0.elements = [] } }

    package func append(_ element: Element) {
        let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.elements.append(element)
            let elements = state.elements
            let ready = state.waiting.filter { $0.predicate(elements) }
            state.waiting.removeAll { $0.predicate(elements) }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Returns when the events so far satisfy `predicate`.
    package func wait(until predicate: @escaping @Sendable ([Element]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state -> Bool in
                if predicate(state.elements) { return true }
                state.waiting.append((predicate, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    package func wait(forCount count: Int) async { await wait { $0.count >= count } }
}

/// Lets tasks through once it is open.
package final class Gate: Sendable {
    private let recorder = Recorder<Void>()

    package init() {}

    package func open() { recorder.append(()) }

    package func pass() async { await recorder.wait(forCount: 1) }
}
