// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Remote keys: lifetime, early refresh, and outages")
struct KeySetAgeTests {
    @Test(
        "The server's max-age counts within 60 s to 24 h; 600 s without one",
        arguments: [
            ([], 600), (["max-age=3600"], 3_600),
            (["public, max-age=21600, must-revalidate"], 21_600),
            (["MAX-AGE=120"], 120), (["max-age=\"900\""], 900), (["  max-age = 700 "], 700),
            (["max-age=0"], 60), (["max-age=59"], 60), (["max-age=61"], 61),
            (["max-age=86400"], 86_400), (["max-age=86401"], 86_400),
            (["max-age=31536000"], 86_400),
            (["max-age=99999999999999999999999999"], 86_400),
            (["max-age=-1"], 60), (["max-age="], 60), (["max-age"], 60), (["max-age=1e9"], 60),
            (["max-age=0x10"], 60), (["max-age=٣"], 60),
            (["no-store"], 60), (["no-cache"], 60), (["max-age=3600, no-cache"], 60),
            (["No-Store, max-age=3600"], 60),
            (["no-cache=\"set-cookie, max-age=7\", max-age=3600"], 60),
            (["public", "max-age=1200"], 1_200), (["max-age=3600", "max-age=300"], 300),
            (["ext=\"no-store, max-age=5\", max-age=800"], 800),
            (["ext=\"a\\\"b, no-cache\", max-age=900"], 900),
            (["xmax-age=5"], 600), (["s-maxage=5"], 600), (["private"], 600), ([",,,"], 600),
            (["\""], 600),
        ] as [([String], Int)])
    func lifetimes(lines: [String], seconds: Int) async throws {
        let source = try Source(
            FakeTransport(
                .success(
                    TransportResponse(
                        status: 200, fields: lines.map { .init(name: "cache-CONTROL", value: $0) },
                        body: Array(PublishedTestKeys.jwks("one").utf8)))))
        _ = try await source.set.keys()
        #expect(source.events.all.last?.lifetime == .seconds(seconds))
    }

    @Test(
        "Time that an answer spent in caches counts against its lifetime",
        arguments: [
            (3_600, ["600"], 3_000), (3_600, ["3590"], 60), (3_600, ["99999999999999999999"], 60),
            (3_600, ["ten"], 3_600), (3_600, ["-5"], 3_600), (3_600, ["10", "100"], 3_500),
        ])
    func age(maximumAge: Int, ages: [String], seconds: Int) async throws {
        let fields =
            [TransportResponse.Field(name: "Cache-Control", value: "max-age=\(maximumAge)")]
            + ages.map { TransportResponse.Field(name: "Age", value: $0) }
        let body = Array(try PublishedTestKeys.jwks("one").utf8)
        let source = try Source(
            FakeTransport(.success(TransportResponse(status: 200, fields: fields, body: body))))
        _ = try await source.set.keys()
        #expect(source.events.all.last?.lifetime == .seconds(seconds))
    }

    @Test(
        "From four fifths of the lifetime a use starts a refresh in the background"
    )
    func refreshAhead() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        _ = try await source.set.keys()
        source.clock.advance(by: .milliseconds(479_999))
        #expect(source.set.keysInHand() != nil)
        #expect(source.transport.count == 1)
        source.clock.advance(by: .milliseconds(1))
        let gate = Gate()
        let answer = FakeTransport.Answer.body(try PublishedTestKeys.jwks("two"))
        source.transport.set { _ in
            await gate.pass()
            return answer
        }
        for _ in 0..<1_000 {
            #expect(source.set.keysInHand()?.keyIDs == ["one"])
            // If it ever waits, it does not return before the gate opens.
            #expect(try await source.set.keys().keyIDs == ["one"])
        }
        #expect(source.set.waitingCount == 0)
        gate.open()
        await source.ended(2)
        #expect(source.transport.count == 2)
        #expect(source.set.keysInHand()?.keyIDs == ["two"])
        #expect(source.events.all.map(\.trigger) == [.noKeys, .noKeys, .age, .age])
    }

    @Test(
        "Expired keys serve during their refetch, until the staleness limit"
    )
    func expired() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        _ = try await source.set.keys()
        source.transport.set(.body(try PublishedTestKeys.jwks("two")))
        source.clock.advance(by: .seconds(600))
        #expect(try await source.set.keys().keyIDs == ["one"])
        await source.ended(2)
        // One use, and the withdrawn key is gone.
        #expect(try await source.set.keys().keyIDs == ["two"])
        #expect(source.transport.count == 2)
        let started = source.events.all.filter { $0.kind == .refreshStarted }
        #expect(
            started.map(\.trigger) == [.noKeys, .age] && started.map(\.staleness) == [nil, .zero])
        #expect(source.count(.staleKeysServed) == 0, "nothing is wrong")

        source.transport.set(.body(try PublishedTestKeys.jwks("three")))
        source.clock.advance(by: .seconds(600 + 3_600))
        #expect(try await source.set.keys().keyIDs == ["three"])
        source.clock.advance(by: .seconds(600 + 3_600))
        #expect(source.set.keysInHand() == nil)
        await source.ended(4)
        #expect(source.set.keysInHand()?.keyIDs == ["three"])
    }

    @Test(
        "With an issuer that hangs after an idle night, no caller waits before the staleness limit")
    func hanging() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        _ = try await source.set.keys()
        let gate = Gate()
        source.transport.set { _ in
            await gate.pass()
            return .status(500)
        }
        source.clock.advance(by: .seconds(600 + 3_599))
        // The gate is shut: a caller who waited would wait forever.
        for _ in 0..<100 { #expect(try await source.set.keys().keyIDs == ["one"]) }
        #expect(source.set.waitingCount == 0)
        gate.open()
        await source.ended(2)
        #expect(try await source.set.keys().keyIDs == ["one"])
        #expect(source.transport.count == 2)
        #expect(source.kinds().suffix(3) == [.refreshStarted, .refreshFailed, .staleKeysServed])
    }

    @Test(
        "During an outage keys serve for an hour past their lifetime, then the source is an error"
    )
    func outage() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        _ = try await source.set.keys()
        source.transport.set(.failure(TransportFailure(.unreachable, "")))
        // The early refresh fails.
        source.clock.advance(by: .seconds(480))
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
        await source.ended(2)
        #expect(source.count(.staleKeysServed) == 0)
        // Past the lifetime, every 10 s for an hour: after pauses of 2, 4, 8 and 16 s one of 30 s
        // each time.
        var attempts = 2
        for step in 0..<360 {
            source.clock.advance(by: .seconds(step == 0 ? 120 : 10))
            #expect(source.set.keysInHand()?.keyIDs == ["one"], "\(step)")
            #expect(try await source.set.keys().keyIDs == ["one"], "\(step)")
            if step < 4 || step % 3 == 2 {
                attempts += 1
                await source.ended(attempts)
            }
        }
        #expect(source.transport.count == attempts)
        #expect(attempts == 2 + 4 + 119)
        let stale = source.events.all.filter { $0.kind == .staleKeysServed }
        // Once for each failure.
        #expect((123...124).contains(stale.count), "\(stale.count)")
        #expect(stale.first?.staleness == .zero)
        #expect(stale.first?.error?.code == .unreachable)
        // The hour is over.
        source.clock.advance(by: .seconds(10))
        #expect(source.set.keysInHand() == nil)
        #expect(
            await code { () throws(KeySourceError) in try await source.set.keys() } == .coolingDown)
        // And the server is back.
        source.clock.advance(by: .seconds(30))
        source.transport.set(.body(try PublishedTestKeys.jwks("two")))
        #expect(try await source.set.keys().keyIDs == ["two"])
    }

    @Test("Without staleness, keys end with their lifetime and the next caller waits")
    func noStaleness() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one"))) {
            $0.maximumStaleness = .zero
        }
        _ = try await source.set.keys()
        source.transport.set(.body(try PublishedTestKeys.jwks("two")))
        source.clock.advance(by: .seconds(600))
        #expect(try await source.set.keys().keyIDs == ["two"])
        source.transport.set(.status(500))
        source.clock.advance(by: .seconds(600))
        #expect(await code { () throws(KeySourceError) in try await source.set.keys() } == .status)
        #expect(
            await code { () throws(KeySourceError) in try await source.set.keys() } == .coolingDown)
    }

    @Test("A fetch drops withdrawn keys, and reports which keys came and went")
    func removedKeys() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one", "two")))
        _ = try await source.set.keys()
        #expect(source.events.all.last?.addedKeyIDs == ["one", "two"])
        source.transport.set(.body(try PublishedTestKeys.jwks("two", "three")))
        let snapshot = try await source.set.refresh()
        #expect(snapshot.keyIDs == ["two", "three"])
        #expect(snapshot.generation == 2)
        let event = try #require(source.events.all.last)
        #expect(event.addedKeyIDs == ["three"])
        #expect(event.removedKeyIDs == ["one"])
        #expect(event.keyCount == 2)
        #expect(source.set.keysInHand()?.keyIDs == ["two", "three"])
    }

    @Test("A key that is replaced under its kid is reported as come and gone, and once")
    func replacedKey() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one", "three")))
        _ = try await source.set.keys()
        let other = try PublishedTestKeys.member("two").replacing("\"two\"", with: "\"one\"")
        let set = "{\"keys\":[\(other),\(try PublishedTestKeys.member("three"))]}"
        source.transport.set(.body(set))
        #expect(try await source.set.refresh().generation == 2)
        let event = try #require(source.events.all.last)
        #expect(event.addedKeyIDs == ["one"] && event.removedKeyIDs == ["one"])
        #expect(event.description.contains("added one, removed one"))
        #expect(try await source.set.refresh().generation == 2)
        let again = try #require(source.events.all.last)
        #expect(again.kind == .refreshed)
        #expect(again.addedKeyIDs.isEmpty && again.removedKeyIDs.isEmpty)
    }

    @Test("Fetching the same keys keeps their generation and resets their age")
    func unchanged() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        _ = try await source.set.keys()
        source.clock.advance(by: .seconds(500))
        #expect(try await source.set.refresh().generation == 1)
        source.clock.advance(by: .seconds(479))
        #expect(source.set.keysInHand() != nil)
        #expect(source.transport.count == 2)
        // A member that is now skipped makes another set.
        let changed = try PublishedTestKeys.jwks("one").replacing(
            "]}", with: ",{\"kty\":\"oct\",\"kid\":\"x\",\"k\":\"AA\"}]}")
        source.transport.set(.body(changed))
        #expect(try await source.set.refresh().generation == 2)
    }
}
