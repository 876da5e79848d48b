// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
import SignetJOSE
import Testing

/// Keys that tests publish: P-256, which is fast to generate.
package enum PublishedTestKeys {
    package static let names = ["one", "two", "three"]
    private static let keys = names.map { name in
        Result { try SigningKey.generate(.es256, keyID: name) }
    }

    /// A JWK set with the keys of these names.
    package static func jwks(_ wanted: String...) throws -> String {
        var members = [VerificationKey]()
        for (name, key) in zip(names, keys) where wanted.contains(name) {
            members.append(try key.get().verificationKey)
        }
        return try KeySet(members).jwksJSON()
    }

    /// The JSON of one key as a member of a set.
    package static func member(_ name: String) throws -> String {
        let set = try jwks(name)
        return String(set.dropFirst("{\"keys\":[".count).dropLast(2))
    }
}

/// A key set with everything that a test controls.
package struct Source {
    package let clock = ManualClock(secondsSince1970: Self.now)
    package let transport: FakeTransport
    package let events = Recorder<KeySetEvent>()
    package let set: RemoteKeySet

    /// 2030-01-15T00:00:00Z, what the clock says first.
    package static let now = 1_894_665_600.0

    package static var url: EndpointURL {
        get throws { try EndpointURL("https://keys.example/jwks") }
    }

    package init(
        _ transport: FakeTransport, location: RemoteKeySet.Location? = nil,
        issuer: String = "https://issuer.example",
        adjust: (inout KeySetOptions) -> Void = { _ in }
    ) throws {
        self.transport = transport
        var options = KeySetOptions()
        options.algorithms = [.es256, .rs256]
        options.clock = clock.source
        let events = events
        options.onEvent = { events.append($0) }
        adjust(&options)
        set = try RemoteKeySet(
            issuer: issuer, location: location ?? .keySet(Self.url), transport: transport,
            options: options)
    }

    package func kinds() -> [KeySetEvent.Kind] { events.all.map(\.kind) }

    package func count(_ kind: KeySetEvent.Kind) -> Int {
        events.all.filter { $0.kind == kind }.count
    }

    /// Returns when this many fetches have ended.
    package func ended(_ count: Int) async {
        await events.wait { events in
            events.filter { $0.kind == .refreshed || $0.kind == .refreshFailed }.count >= count
        }
    }

    /// Returns when this many callers wait.
    package func waiting(_ count: Int) async {
        while set.waitingCount < count { await Task.yield() }
    }
}

extension KeySnapshot {
    package var keyIDs: [String] { keys.keys.compactMap(\.keyID) }
}

/// The code of the error that `body` throws; nil when it throws none.
package func code(
    _ body: () async throws(KeySourceError) -> some Sendable
) async -> KeySourceError.Code? {
    do throws(KeySourceError) {
        _ = try await body()
        return nil
    } catch {
        return error.code
    }
}
