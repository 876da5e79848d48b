// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import TestSupport
import Testing

@Suite("ChangeHub", .timeLimit(.minutes(20)))
struct ChangeHubTests {
    private let identity = "test:\(UInt64.random(in: .min ... .max))"

    @Test("A listener hears every object of its store, and no other store")
    func everyObjectOfAStoreIsHeard() async {
        let stream = ChangeHub.hub(for: identity).stream()
        ChangeHub.hub(for: identity).send(.locked)
        ChangeHub.hub(for: identity + "x").send(.unlocked)
        ChangeHub.hub(for: identity).send([.unlocked, .cleared(service: "s", count: 1)])
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next(isolation: nil) == .locked)
        #expect(await iterator.next(isolation: nil) == .unlocked)
        #expect(await iterator.next(isolation: nil) == .cleared(service: "s", count: 1))
    }

    @Test("The newest 256 changes are kept for a listener")
    func theNewest256AreKept() async {
        let hub = ChangeHub.hub(for: identity)
        let stream = hub.stream()
        for count in 0..<300 { hub.send(.cleared(service: "s", count: count)) }
        hub.send(.locked)
        var heard: [StoreChange] = []
        for await change in stream {
            heard.append(change)
            if change == .locked { break }
        }
        #expect(heard.count == 256)
        #expect(heard.first == .cleared(service: "s", count: 45))
    }

    @Test("A stopped or cancelled listener is forgotten")
    func aStoppedListenerIsForgotten() async {
        let hub = ChangeHub.hub(for: identity)
        do {
            let first = hub.stream()
            let second = hub.stream()
            #expect(hub.listenerCount == 2)
            _ = (first, second)
        }
        #expect(hub.listenerCount == 0)
        let task = Task { for await _ in hub.stream() {} }
        while hub.listenerCount == 0 { await Task.yield() }
        task.cancel()
        await task.value
        #expect(hub.listenerCount == 0)
    }

    @Test("Threads may listen and send at once")
    func manyThreadsAtOnce() {
        let hub = ChangeHub.hub(for: identity)
        let failures = failuresOnThreads(rounds: 200) { _, _ in
            let stream = hub.stream()
            hub.send(.locked)
            _ = stream
            return true
        }
        #expect(failures == 0)
        #expect(hub.listenerCount == 0)
    }
}
