// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Remote keys: the cooldown, and the pause after a failure", .timeLimit(.minutes(20)))
struct KeySetCooldownTests {
    /// The outcome of asking for newer keys.
    private enum Outcome: Equatable {
        case newer([String])
        /// A fetch brought no new keys.
        case none
        case refused(KeySourceError.Code, retryAfter: Int?)
    }

    private static func ask(_ source: Source, _ seen: KeySnapshot) async -> Outcome {
        do throws(KeySourceError) {
            guard let newer = try await source.set.keys(newerThan: seen) else { return .none }
            return .newer(newer.keyIDs)
        } catch {
            return .refused(error.code, retryAfter: error.retryAfterSeconds)
        }
    }

    @Test(
        "An unknown kid causes three fetches, then one in 30 s, and the caller learns how long"
    )
    func unknownKey() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        for count in 2...4 {
            #expect(await Self.ask(source, seen) == .none)
            #expect(source.transport.count == count)
        }
        source.transport.set(.body(try PublishedTestKeys.jwks("one", "two")))
        #expect(await Self.ask(source, seen) == .refused(.keyHeldBack, retryAfter: 30))
        source.clock.advance(by: .milliseconds(12_500))
        #expect(await Self.ask(source, seen) == .refused(.keyHeldBack, retryAfter: 18))
        source.clock.advance(by: .milliseconds(17_499))
        #expect(await Self.ask(source, seen) == .refused(.keyHeldBack, retryAfter: 1))
        #expect(source.transport.count == 4)
        source.clock.advance(by: .milliseconds(1))
        #expect(await Self.ask(source, seen) == .newer(["one", "two"]))
        #expect(source.transport.count == 5)
        #expect(source.events.all.last?.trigger == .unknownKey)
        // A caller with the old keys gets the new ones without a fetch.
        #expect(await Self.ask(source, seen) == .newer(["one", "two"]))
        #expect(source.transport.count == 5)
        // After three quiet cooldowns the whole burst is available again, and no more.
        let newest = try await source.set.keys()
        source.clock.advance(by: .seconds(400))
        for _ in 0..<3 { #expect(await Self.ask(source, newest) == .none) }
        #expect(await Self.ask(source, newest) == .refused(.keyHeldBack, retryAfter: 30))
        #expect(source.transport.count == 8)
    }

    @Test("Refreshes by age or on request do not count against unknown kids")
    func routineRefresh() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        source.clock.advance(by: .seconds(480))
        #expect(source.set.keysInHand()?.generation == 1)
        await source.ended(2)
        for _ in 0..<5 { _ = try await source.set.refresh() }
        source.transport.set(.body(try PublishedTestKeys.jwks("one", "two")))
        #expect(await Self.ask(source, seen) == .newer(["one", "two"]))
    }

    @Test("If held-back keys are refused, no retry time is given")
    func refused() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one"))) {
            $0.refusesHeldBackKeys = true
        }
        let seen = try await source.set.keys()
        for _ in 0..<3 { #expect(await Self.ask(source, seen) == .none) }
        #expect(await Self.ask(source, seen) == .refused(.keyHeldBack, retryAfter: nil))
        // An outage does not count as that.
        source.transport.set(.status(500))
        source.clock.advance(by: .seconds(30))
        #expect(await Self.ask(source, seen) == .refused(.status, retryAfter: nil))
        #expect(await Self.ask(source, seen) == .refused(.coolingDown, retryAfter: 1))
    }

    @Test(
        "A flood of unknown kids causes three fetches, then one per cooldown, and two events")
    func flood() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        for window in 0...3 {
            await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<1_000 { group.addTask { await Self.ask(source, seen) } }
                for await outcome in group {
                    #expect(outcome == .none || outcome == .refused(.keyHeldBack, retryAfter: 30))
                }
            }
            var outcomes = [Outcome]()
            for _ in 0..<500 { outcomes.append(await Self.ask(source, seen)) }
            #expect(outcomes.last == .refused(.keyHeldBack, retryAfter: 30))
            #expect(source.transport.count == 4 + window)
            #expect(source.count(.keyHeldBack) == 1 + window)
            source.clock.advance(by: .seconds(30))
        }
        let counts = source.events.all.filter { $0.kind == .refreshStarted }.map(\.heldBackCount)
        #expect(counts.count == 7)
        #expect(counts[5] >= 500 && counts[6] >= 500, "\(counts)")
    }

    @Test("Callers with an unknown kid share the running fetch")
    func sharing() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        let gate = Gate()
        let answer = FakeTransport.Answer.body(try PublishedTestKeys.jwks("two"))
        source.transport.set { _ in
            await gate.pass()
            return answer
        }
        await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<100 { group.addTask { await Self.ask(source, seen) } }
            await source.waiting(100)
            // Meanwhile the cached keys serve every known kid.
            #expect(source.set.keysInHand()?.keyIDs == ["one"])
            gate.open()
            for await outcome in group { #expect(outcome == .newer(["two"])) }
        }
        #expect(source.transport.count == 2)
    }

    @Test("A failed fetch counts as one, and leaves the current keys")
    func failedAttempts() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        source.transport.set(.status(500))
        for attempt in 1...3 {
            source.clock.advance(by: .seconds(30))
            #expect(await Self.ask(source, seen) == .refused(.status, retryAfter: nil))
            for _ in 0..<10 {
                #expect(
                    await Self.ask(source, seen)
                        == .refused(.coolingDown, retryAfter: 1 << (attempt - 1)))
            }
            #expect(source.transport.count == 1 + attempt)
            #expect(source.set.keysInHand()?.generation == 1)
        }
    }

    @Test("A caller cancelled while waiting for newer keys returns at once without any")
    func cancelled() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let seen = try await source.set.keys()
        let gate = Gate()
        source.transport.set { _ in
            await gate.pass()
            return .status(500)
        }
        let task = Task { await Self.ask(source, seen) }
        await source.waiting(1)
        task.cancel()
        #expect(await task.value == .refused(.cancelled, retryAfter: nil))
        gate.open()
        await source.ended(2)
    }

    @Test(
        "Without keys a failure is remembered for 1, 2, 4 … 30 s, and no caller waits"
    )
    func negativeCache() async throws {
        let source = try Source(FakeTransport(.status(503)))
        func fails(_ expected: KeySourceError.Code) async -> Int? {
            do throws(KeySourceError) {
                _ = try await source.set.keys()
                Issue.record("keys")
            } catch {
                #expect(error.code == expected)
                return error.retryAfterSeconds
            }
            return nil
        }
        for (attempt, pause) in [1, 2, 4, 8, 16, 30, 30, 30].enumerated() {
            #expect(await fails(.status) == nil)
            for _ in 0..<20 {
                #expect(await fails(.coolingDown) == pause)
                #expect(source.set.keysInHand() == nil)
            }
            source.clock.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(await fails(.coolingDown) == 1)
            #expect(source.transport.count == attempt + 1)
            source.clock.advance(by: .milliseconds(1))
        }
        source.transport.set(.body(try PublishedTestKeys.jwks("one")))
        #expect(try await source.set.keys().keyIDs == ["one"])
        #expect(source.transport.count == 9)
        // A good fetch resets it.
        source.transport.set(.status(503))
        source.clock.advance(by: .seconds(600 + 3_600))
        #expect(await fails(.status) == nil)
        #expect(await fails(.coolingDown) == 1)
    }

    @Test("The pause is at most the cooldown, and starts when the fetch fails")
    func pause() async throws {
        let source = try Source(FakeTransport { _ in .status(500) }) { $0.cooldown = .seconds(3) }
        var pauses = [Int?]()
        for _ in 0..<4 {
            _ = try? await source.set.refresh()
            do throws(KeySourceError) { _ = try await source.set.keys() } catch {
                pauses.append(error.retryAfterSeconds)
            }
        }
        #expect(pauses == [1, 2, 3, 3])

        let gate = Gate()
        let slow = try Source(
            FakeTransport { _ in
                await gate.pass()
                return .status(500)
            })
        let task = Task { await code { () throws(KeySourceError) in try await slow.set.keys() } }
        await slow.waiting(1)
        slow.clock.advance(by: .seconds(4))
        gate.open()
        #expect(await task.value == .status)
        #expect(
            await code { () throws(KeySourceError) in try await slow.set.keys() } == .coolingDown)
    }

    @Test("A clock set back neither blocks a refresh forever nor keeps keys forever")
    func clockGoesBack() async throws {
        let source = try Source(FakeTransport(.status(503)))
        #expect(await code { () throws(KeySourceError) in try await source.set.keys() } == .status)
        source.clock.advance(by: .seconds(-900))
        source.transport.set(.body(try PublishedTestKeys.jwks("one")))
        // Not a pause of 901 s.
        let seen = try await source.set.keys()
        for _ in 0..<3 { #expect(await Self.ask(source, seen) == .none) }
        #expect(await Self.ask(source, seen) == .refused(.keyHeldBack, retryAfter: 30))
        source.clock.advance(by: .seconds(-50))
        #expect(await Self.ask(source, seen) == .none)
        #expect(source.transport.count == 6)

        // With keys: they are due at once, still serve, and end as if a fifth of their lifetime
        // were left.
        source.transport.set(.status(503))
        source.clock.advance(by: .seconds(-100_000))
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
        await source.ended(7)
        source.clock.advance(by: .seconds(120 + 3_599))
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
        await source.ended(8)
        source.clock.advance(by: .seconds(1))
        #expect(source.set.keysInHand() == nil)
    }
}
