// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Remote keys: discovery")
struct KeySetDiscoveryTests {
    static let issuer = "https://issuer.example/tenant"
    static let place = issuer + "/.well-known/openid-configuration"

    static func metadata(_ issuer: String = issuer, jwks: String = "https://keys.example/jwks") -> String {
        "{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"\(jwks)\"}"
    }

    /// Serves metadata and keys by address.
    static func transport(_ documents: [String: FakeTransport.Answer]) -> FakeTransport {
        FakeTransport { documents[$0.url.text] ?? .status(404) }
    }

    private func addresses(_ source: Source) -> [String] { source.transport.requests.all.map(\.url.text) }

    @Test("The metadata are fetched first, then the keys where they say")
    func discovery() async throws {
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata()),
                "https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one")),
            ]), location: .discovery, issuer: Self.issuer)
        #expect(try await source.set.keys().keyIDs == ["one"])
        #expect(addresses(source) == [Self.place, "https://keys.example/jwks"])
    }

    @Test("An issuer that ends with a slash loses it in the address, and keeps it in the comparison")
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
        #expect(await code { () throws(KeySourceError) in try await wrong.set.keys() } == .issuerMismatch)
        #expect(wrong.transport.count == 1)
    }

    @Test("Metadata are kept for their own lifetime")
    func metadataLifetime() async throws {
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata(), ["Cache-Control": "max-age=2000"]),
                "https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one")),
            ]), location: .discovery, issuer: Self.issuer)
        for expected in [2, 3, 4, 6] {
            _ = try await source.set.keys()
            #expect(source.transport.count == expected)
            source.clock.advance(by: .seconds(700))
        }
    }

    @Test("When the keys cannot be fetched the metadata are asked again: they may have moved")
    func moved() async throws {
        let keys = try PublishedTestKeys.jwks("one")
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata(), ["Cache-Control": "max-age=86400"]),
                "https://keys.example/jwks": .body(keys),
            ]), location: .discovery, issuer: Self.issuer)
        _ = try await source.set.keys()
        let documents: [String: FakeTransport.Answer] = [
            Self.place: .body(Self.metadata(jwks: "https://new.example/jwks")),
            "https://new.example/jwks": .body(try PublishedTestKeys.jwks("two")),
        ]
        source.transport.set { documents[$0.url.text] ?? .status(410) }
        #expect(await code { () throws(KeySourceError) in try await source.set.refresh() } == .status)
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
        #expect(try await source.set.refresh().keyIDs == ["two"])
        #expect(
            addresses(source).suffix(3) == [
                "https://keys.example/jwks", Self.place, "https://new.example/jwks",
            ])
    }

    @Test("Metadata of another issuer fail, and the keys in hand stay")
    func otherIssuer() async throws {
        let source = try Source(
            Self.transport([
                Self.place: .body(Self.metadata(), ["Cache-Control": "max-age=60"]),
                "https://keys.example/jwks": .body(try PublishedTestKeys.jwks("one")),
            ]), location: .discovery, issuer: Self.issuer)
        _ = try await source.set.keys()
        source.transport.set(.body(Self.metadata("https://evil.example")))
        source.clock.advance(by: .seconds(61))
        #expect(await code { () throws(KeySourceError) in try await source.set.refresh() } == .issuerMismatch)
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
    }
}
