// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Remote keys: the cooldown")
struct KeySetCooldownTests {
    @Test(
        "An unknown kid asks again once in 30 s, counted from the start of the last fetch, whatever that one was for"
    )
    func unknownKey() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        source.transport.set(.body(try PublishedTestKeys.jwks("one", "two")))
        #expect(await source.set.keys(newerThan: seen) == nil)
        source.clock.advance(by: .milliseconds(29_999))
        #expect(await source.set.keys(newerThan: seen) == nil)
        #expect(source.transport.count == 1)
        source.clock.advance(by: .milliseconds(1))
        #expect(await source.set.keys(newerThan: seen)?.keyIDs == ["one", "two"])
        #expect(source.transport.count == 2)
        #expect(source.events.all.last?.trigger == .unknownKey)
        // Who still has the old ones gets the new ones without asking.
        #expect(await source.set.keys(newerThan: seen)?.generation == 2)
        #expect(source.transport.count == 2)
    }

    @Test("A flood of unknown kids makes one exchange for each cooldown, and two events")
    func flood() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        for window in 1...3 {
            source.clock.advance(by: .seconds(30))
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<1_000 { group.addTask { await source.set.keys(newerThan: seen) == nil } }
                for await isNil in group { #expect(isNil) }
            }
            // One fetch, which everybody shared or was refused after.
            for _ in 0..<500 { #expect(await source.set.keys(newerThan: seen) == nil) }
            #expect(source.transport.count == 1 + window)
            #expect(source.count(.unknownKeyHeldBack) == window)
        }
        let counts = source.events.all.filter { $0.kind == .refreshStarted }.map(\.heldBackCount)
        #expect(counts.count == 4)
        #expect(counts[2] >= 500 && counts[3] >= 500, "\(counts)")
    }

    @Test("Callers with an unknown kid share the fetch that is under way")
    func sharing() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        source.clock.advance(by: .seconds(30))
        let gate = Gate()
        let answer = FakeTransport.Answer.body(try PublishedTestKeys.jwks("two"))
        source.transport.set { _ in
            await gate.pass()
            return answer
        }
        await withTaskGroup(of: [String]?.self) { group in
            for _ in 0..<100 { group.addTask { await source.set.keys(newerThan: seen)?.keyIDs } }
            await source.waiting(100)
            // Meanwhile the keys in hand serve whoever has a known kid.
            #expect(source.set.keysInHand()?.keyIDs == ["one"])
            gate.open()
            for await keyIDs in group { #expect(keyIDs == ["two"]) }
        }
        #expect(source.transport.count == 2)
    }

    @Test("A failed attempt counts as one, and changes nothing about the keys in hand")
    func failedAttempts() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        source.transport.set(.status(500))
        for attempt in 1...3 {
            source.clock.advance(by: .seconds(30))
            for _ in 0..<10 { #expect(await source.set.keys(newerThan: seen) == nil) }
            #expect(source.transport.count == 1 + attempt)
            #expect(source.set.keysInHand()?.generation == 1)
        }
    }

    @Test("A caller that is cancelled while it waits for newer keys gets none, at once")
    func cancelled() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        source.clock.advance(by: .seconds(30))
        let gate = Gate()
        source.transport.set { _ in
            await gate.pass()
            return .status(500)
        }
        let task = Task { await source.set.keys(newerThan: seen) }
        await source.waiting(1)
        task.cancel()
        #expect(await task.value == nil)
        gate.open()
        await source.ended(2)
    }

    @Test(
        "Without keys a failure is remembered: until the cooldown is over nobody waits and nothing is asked")
    func negativeCache() async throws {
        let source = try Source(FakeTransport(.status(503)))
        #expect(await code { () throws(KeySourceError) in try await source.set.keys() } == .status)
        for _ in 0..<100 {
            #expect(await code { () throws(KeySourceError) in try await source.set.keys() } == .coolingDown)
            #expect(source.set.keysInHand() == nil)
        }
        #expect(source.transport.count == 1)
        source.clock.advance(by: .seconds(30))
        source.transport.set(.body(try PublishedTestKeys.jwks("one")))
        #expect(try await source.set.keys().keyIDs == ["one"])
        #expect(source.transport.count == 2)
    }

    @Test("A clock that goes back neither holds a refresh back for ever nor keeps keys for ever")
    func clockGoesBack() async throws {
        let source = try Source(FakeTransport(.status(503)))
        #expect(await code { () throws(KeySourceError) in try await source.set.keys() } == .status)
        source.clock.advance(by: .seconds(-900))
        source.transport.set(.body(try PublishedTestKeys.jwks("one")))
        // No cooldown of 930 s.
        let seen = try await source.set.keys()
        source.clock.advance(by: .seconds(-50))
        #expect(await source.set.keys(newerThan: seen) == nil)
        #expect(source.transport.count == 3)

        // With keys: they are due at once, while they serve, and end as if a fifth of their lifetime were left.
        source.transport.set(.status(503))
        source.clock.advance(by: .seconds(-100_000))
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
        await source.ended(4)
        source.clock.advance(by: .seconds(120 + 3_599))
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
        await source.ended(5)
        source.clock.advance(by: .seconds(1))
        #expect(source.set.keysInHand() == nil)
    }
}
