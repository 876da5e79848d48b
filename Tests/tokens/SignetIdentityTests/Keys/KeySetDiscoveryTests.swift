// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Remote keys: discovery")
struct KeySetDiscoveryTests {
    static let issuer = "https://issuer.example/tenant"
    static let place = issuer + "/.well-known/openid-configuration"

    static func metadata(_ issuer: String = issuer, jwks: String = "https://keys.example/jwks")
        -> String
    {
        "{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"\(jwks)\"}"
    }

    /// Serves metadata and keys by address.
    static func transport(_ documents: [String: FakeTransport.Answer]) -> FakeTransport {
        FakeTransport { documents[$0.url.text] ?? .status(404) }
    }

    private func addresses(_ source: Source) -> [String] {
        source.transport.requests.all.map(\.url.text)
    }

    @Test("The metadata is fetched first, then the keys from its address")
    func discovery() async throws {
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata()),
                "https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one")),
            ]), location: .discovery, issuer: Self.issuer)
        #expect(try await source.set.keys().keyIDs == ["one"])
        #expect(addresses(source) == [Self.place, "https://keys.example/jwks"])
    }

    @Test(
        "An issuer's final slash is dropped for the address, and kept for the comparison")
    func slash() async throws {
        let documents: [String: FakeTransport.Answer] = [
            "https://issuer.example/.well-known/openid-configuration":
                .body(Self.metadata("https://issuer.example/")),
            "https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one")),
        ]
        let right = try Source(
            Self.transport(documents), location: .discovery, issuer: "https://issuer.example/")
        #expect(try await right.set.keys().keyIDs == ["one"])
        let wrong = try Source(
            Self.transport(documents), location: .discovery, issuer: "https://issuer.example")
        #expect(
            await code { () throws(KeySourceError) in try await wrong.set.keys() }
                == .issuerMismatch)
        #expect(wrong.transport.count == 1)
    }

    @Test(
        "Metadata is kept for its own lifetime, and no longer than the keys",
        arguments: [
            // Seconds that each of them is good, and how many requests there were after each
            // refresh, 700 s apart.
            (300, 2_000, [2, 4, 6, 8]), (2_000, 2_000, [2, 3, 4, 6]), (86_400, 600, [2, 4, 6, 8]),
        ])
    func metadataLifetime(metadata: Int, keys: Int, counts: [Int]) async throws {
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata(), ["Cache-Control": "max-age=\(metadata)"]),
                "https://keys.example/jwks":
                    .body(try PublishedTestKeys.jwks("one"), ["Cache-Control": "max-age=\(keys)"]),
            ]), location: .discovery, issuer: Self.issuer)
        for expected in counts {
            _ = try await source.set.refresh()
            #expect(source.transport.count == expected)
            source.clock.advance(by: .seconds(700))
        }
    }

    @Test(
        "Keys that moved while the old address still answers are found by a new key's token"
    )
    func movedQuietly() async throws {
        let (one, two) = (try PublishedTestKeys.jwks("one"), try PublishedTestKeys.jwks("two"))
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata(), ["Cache-Control": "max-age=86400"]),
                "https://keys.example/jwks": .body(one, ["Cache-Control": "max-age=86400"]),
            ]), location: .discovery, issuer: Self.issuer)
        let seen = try await source.set.keys()
        // They have not moved: both documents are read, and the issuer has no such key.
        #expect(try await source.set.keys(newerThan: seen) == nil)
        #expect(addresses(source).suffix(2) == ["https://keys.example/jwks", Self.place])
        let documents: [String: FakeTransport.Answer] = [
            Self.place: .body(Self.metadata(jwks: "https://new.example/jwks")),
            "https://new.example/jwks": .body(two), "https://keys.example/jwks": .body(one),
        ]
        source.transport.set { documents[$0.url.text] ?? .status(404) }
        #expect(try await source.set.keys(newerThan: seen)?.keyIDs == ["two"])
        #expect(
            addresses(source).suffix(3) == [
                "https://keys.example/jwks", Self.place, "https://new.example/jwks",
            ])
        #expect(source.count(.refreshStarted) == 3, "one fetch of the three that a burst has")
        // From now on there.
        _ = try await source.set.refresh()
        #expect(addresses(source).last == "https://new.example/jwks")
        #expect(source.transport.count == 2 + 2 + 3 + 1)
    }

    @Test(
        "A new key's token that arrives during a routine fetch is not refused"
    )
    func movedDuringRoutine() async throws {
        let (one, two) = (try PublishedTestKeys.jwks("one"), try PublishedTestKeys.jwks("two"))
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata(), ["Cache-Control": "max-age=86400"]),
                "https://keys.example/jwks": .body(one, ["Cache-Control": "max-age=86400"]),
            ]), location: .discovery, issuer: Self.issuer)
        let seen = try await source.set.keys()
        let gate = Gate()
        let documents: [String: FakeTransport.Answer] = [
            Self.place: .body(Self.metadata(jwks: "https://new.example/jwks")),
            "https://new.example/jwks": .body(two), "https://keys.example/jwks": .body(one),
        ]
        source.transport.set { request in
            await gate.pass()
            return documents[request.url.text] ?? .status(404)
        }
        // A routine refresh, with metadata that lives long.
        source.clock.advance(by: .seconds(70_000))
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
        async let newer = source.set.keys(newerThan: seen)
        await source.waiting(1)
        gate.open()
        #expect(try await newer?.keyIDs == ["two"])
        let started = source.events.all.filter { $0.kind == .refreshStarted }
        #expect(started.map(\.trigger) == [.noKeys, .age, .unknownKey])
    }

    @Test("A new key at the old address needs no fetch of the metadata")
    func rotation() async throws {
        let metadata = FakeTransport.Answer.body(Self.metadata())
        let source = try Source(
            Self.transport([
                Self.place: metadata,
                "https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one")),
            ]), location: .discovery, issuer: Self.issuer)
        let seen = try await source.set.keys()
        let rotated = FakeTransport.Answer.body(try PublishedTestKeys.jwks("one", "two"))
        source.transport.set { $0.url.text == Self.place ? metadata : rotated }
        #expect(try await source.set.keys(newerThan: seen)?.keyIDs == ["one", "two"])
        #expect(source.transport.count == 3)
    }

    @Test("If the metadata is unreachable, new keys stay unknown and current keys stay")
    func metadataOutOfReach() async throws {
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata()),
                "https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one")),
            ]), location: .discovery, issuer: Self.issuer)
        let seen = try await source.set.keys()
        let keys = FakeTransport.Answer.body(try PublishedTestKeys.jwks("one"))
        for (answer, expected) in [
            (FakeTransport.Answer.status(500), KeySourceError.Code.status),
            (
                .body(Self.metadata("https://evil.example", jwks: "https://evil.example/jwks")),
                .issuerMismatch
            ),
        ] {
            source.transport.set { $0.url.text == Self.place ? answer : keys }
            #expect(
                await code { () throws(KeySourceError) in try await source.set.keys(newerThan: seen)
                }
                    == expected)
            #expect(source.events.all.last?.kind == .refreshed)
            #expect(try await source.set.keys().keyIDs == ["one"])
        }
        #expect(!addresses(source).contains("https://evil.example/jwks"))
    }

    @Test(
        "Keys that left the old address are found within the same fetch",
        arguments: [
            FakeTransport.Answer.status(404), .status(410), .body("moved"),
            .failure(TransportFailure(.unreachable, "")),
        ])
    func moved(_ answer: FakeTransport.Answer) async throws {
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata(), ["Cache-Control": "max-age=86400"]),
                "https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one")),
            ]), location: .discovery, issuer: Self.issuer)
        _ = try await source.set.keys()
        let documents: [String: FakeTransport.Answer] = [
            Self.place: .body(Self.metadata(jwks: "https://new.example/jwks")),
            "https://new.example/jwks": .body(try PublishedTestKeys.jwks("two")),
        ]
        source.transport.set { documents[$0.url.text] ?? answer }
        #expect(try await source.set.refresh().keyIDs == ["two"])
        #expect(
            addresses(source).suffix(3) == [
                "https://keys.example/jwks", Self.place, "https://new.example/jwks",
            ])
    }

    @Test(
        "A failing address that is still current is reported after one look at the metadata"
    )
    func notMoved() async throws {
        let metadata: [String: FakeTransport.Answer] = [Self.place: .body(Self.metadata())]
        let source = try Source(
            Self.transport(
                metadata.merging(
                    ["https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one"))]) { $1 }),
            location: .discovery, issuer: Self.issuer)
        _ = try await source.set.keys()
        source.transport.set { metadata[$0.url.text] ?? .status(500) }
        #expect(
            await code { () throws(KeySourceError) in try await source.set.refresh() } == .status)
        #expect(addresses(source).suffix(2) == ["https://keys.example/jwks", Self.place])
        // All of it is unreachable.
        source.transport.set { _ in .status(503) }
        #expect(
            await code { () throws(KeySourceError) in try await source.set.refresh() } == .status)
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
    }

    @Test("A provider that times out is not waited for twice")
    func silent() async throws {
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata()),
                "https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one")),
            ]), location: .discovery, issuer: Self.issuer)
        _ = try await source.set.keys()
        source.transport.set { _ in .failure(TransportFailure(.timedOut, "")) }
        #expect(
            await code { () throws(KeySourceError) in try await source.set.refresh() } == .timedOut)
        #expect(source.transport.count == 3)
    }

    @Test("Metadata of another issuer fails, and the current keys stay")
    func otherIssuer() async throws {
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata(), ["Cache-Control": "max-age=60"]),
                "https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one")),
            ]), location: .discovery, issuer: Self.issuer)
        _ = try await source.set.keys()
        source.transport.set(.body(Self.metadata("https://evil.example")))
        source.clock.advance(by: .seconds(61))
        #expect(
            await code { () throws(KeySourceError) in try await source.set.refresh() }
                == .issuerMismatch)
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
    }
}
