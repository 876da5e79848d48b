// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Remote keys: one fetch for all", .timeLimit(.minutes(20)))
struct KeySetFetchTests {
    @Test("Nothing is fetched before the first use")
    func construction() throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        #expect(source.transport.count == 0)
        #expect(source.events.all.isEmpty)
    }

    @Test("Looking for cached keys when there are none starts one fetch")
    func looking() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        #expect(source.set.keysInHand() == nil)
        _ = source.set.keysInHand()
        await source.ended(1)
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
        #expect(source.transport.count == 1)
    }

    @Test("1,000 callers on an empty set make one exchange, and all get its keys")
    func singleFlight() async throws {
        let gate = Gate()
        let answer = FakeTransport.Answer.body(try PublishedTestKeys.jwks("one"))
        let source = try Source(
            FakeTransport { _ in
                await gate.pass()
                return answer
            })
        let generations = await withTaskGroup(of: UInt64?.self) { group in
            for _ in 0..<1_000 { group.addTask { try? await source.set.keys().generation } }
            await source.waiting(1_000)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(generations.count == 1_000)
        #expect(generations.allSatisfy { $0 == 1 })
        #expect(source.transport.count == 1)
        #expect(source.events.all.last?.waitingCount == 1_000)
        #expect(source.kinds() == [.refreshStarted, .refreshed])
    }

    @Test("A cancelled caller returns at once, and the fetch serves the others")
    func cancellation() async throws {
        let gate = Gate()
        let answer = FakeTransport.Answer.body(try PublishedTestKeys.jwks("one"))
        let source = try Source(
            FakeTransport { _ in
                await gate.pass()
                return Task.isCancelled ? .failure(TransportFailure(.cancelled, "")) : answer
            })
        let impatient = Task {
            await code { () throws(KeySourceError) in try await source.set.keys() }
        }
        await source.waiting(1)
        let waiting = Task { try? await source.set.keys().keyIDs }
        await source.waiting(2)
        impatient.cancel()
        // The gate is shut: only cancelling can end this.
        #expect(await impatient.value == .cancelled)
        #expect(source.set.waitingCount == 1)
        gate.open()
        #expect(await waiting.value == ["one"])
        #expect(source.transport.count == 1)
    }

    @Test("A caller cancelled before it asks starts no fetch")
    func cancelledBefore() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        let gate = Gate()
        let task = Task {
            await gate.pass()
            let first = await code { () throws(KeySourceError) in try await source.set.keys() }
            let second = await code { () throws(KeySourceError) in try await source.set.refresh() }
            return [first, second]
        }
        task.cancel()
        gate.open()
        #expect(await task.value == [.cancelled, .cancelled])
        #expect(source.transport.count == 0)
    }

    @Test(
        "A requested refresh ignores age and cooldown, and shares a running fetch"
    )
    func requested() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        for count in 1...3 {
            #expect(try await source.set.refresh().generation == 1)
            #expect(source.transport.count == count)
        }
        let gate = Gate()
        let answer = FakeTransport.Answer.body(try PublishedTestKeys.jwks("two"))
        source.transport.set { _ in
            await gate.pass()
            return answer
        }
        async let first = source.set.refresh()
        async let second = source.set.refresh()
        await source.waiting(2)
        gate.open()
        #expect(try await first.keyIDs == ["two"])
        #expect(try await second.generation == 2)
        #expect(source.transport.count == 4)
        #expect(source.events.all.last?.trigger == .request)
    }

    @Test("A callback can use the key set that calls it, as no lock is held")
    func reentrancy() async throws {
        let box = Recorder<RemoteKeySet>()
        let seen = Recorder<Bool>()
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one"))) { options in
            options.onEvent = { _ in
                for set in box.all { seen.append(set.keysInHand() != nil) }
            }
        }
        // Otherwise the set, its callback and the box would retain each other.
        defer { box.removeAll() }
        box.append(source.set)
        _ = try await source.set.keys()
        #expect(seen.all == [false, true])
    }

    @Test(
        "A key set is freed at once when released, and cancels its fetch"
    )
    func lifetimeOfTheObject() async throws {
        let cancelled = Gate()
        let transport = FakeTransport { _ in
            // A transport that reacts to its cancellation.
            await withTaskCancellationHandler {
                await cancelled.pass()
            } onCancel: {
                cancelled.open()
            }
            return .failure(TransportFailure(.cancelled, ""))
        }
        var set: RemoteKeySet? = try Source(transport).set
        weak let observed = set
        #expect(set?.keysInHand() == nil)
        await transport.requests.wait(forCount: 1)
        set = nil
        #expect(observed == nil)
        await cancelled.pass()
    }

    @Test(
        "Options out of range are refused",
        arguments: [
            ("no algorithm", { @Sendable in $0.algorithms = [] }),
            ("cooldown", { $0.cooldown = .milliseconds(999) }),
            ("cooldown", { $0.cooldown = .seconds(3_601) }),
            ("lifetime", { $0.defaultLifetime = .zero }),
            ("bounds", { $0.lifetimeBounds = .zero ... .seconds(60) }),
            ("bounds", { $0.lifetimeBounds = .seconds(60) ... .seconds(86_401) }),
            ("share", { $0.refreshAheadShare = 0 }),
            ("share", { $0.refreshAheadShare = 1.01 }),
            ("share", { $0.refreshAheadShare = .nan }),
            ("staleness", { $0.maximumStaleness = .seconds(-1) }),
            ("staleness", { $0.maximumStaleness = .seconds(86_401) }),
            ("bytes", { $0.maximumByteCount = 524_289 }),
            ("bytes", { $0.maximumByteCount = 0 }),
            ("keys", { $0.maximumKeyCount = 0 }),
            ("timeout", { $0.timeout = .zero }),
            ("timeout", { $0.timeout = .seconds(61) }),
            ("redirects", { $0.maximumRedirects = 4 }),
            ("redirects", { $0.maximumRedirects = -1 }),
        ] as [(String, @Sendable (inout KeySetOptions) -> Void)])
    func optionsOutOfRange(name: String, adjust: @Sendable (inout KeySetOptions) -> Void) throws {
        #expect(throws: IdentityConfigurationError(.outOfRange, "")) {
            _ = try Source(FakeTransport(body: ""), adjust: adjust)
        }
    }

    @Test("An issuer is required, and must be an address for discovery")
    func issuers() {
        for (issuer, expected) in [
            ("", IdentityConfigurationError.Code.invalidIdentifier),
            ("issuer.example", .invalidURL),
            ("http://issuer.example", .invalidURL),
            ("https://issuer.example/?tenant=1", .invalidURL),
        ] {
            #expect(throws: IdentityConfigurationError(expected, ""), "\(issuer)") {
                _ = try Source(FakeTransport(body: ""), location: .discovery, issuer: issuer)
            }
        }
    }
}
