// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetJOSE
import TestSupport

/// An OpenID provider with its own keys on a ``KeyServer``, and the clock of its clients.
final class Issuer: Sendable {
    static let client = "app.example"
    static let keysPath = "/keys"
    static let metadataPath = "/.well-known/openid-configuration"

    private struct Claims: Encodable {
        let iss: String
        let aud: String
        let sub: String
    }

    let server: KeyServer
    /// Passes only when a test says so.
    let time = Locked(Duration.zero)
    let events = Locked<[KeySetEvent]>([])

    init() async throws {
        server = try await KeyServer()
        try await server.set(
            Self.metadataPath,
            Behaviour("{\"issuer\":\"\(name)\",\"jwks_uri\":\"\(server.url(Self.keysPath))\"}"))
    }

    var name: String { server.url("") }

    static func key(_ keyID: String) throws -> SigningKey {
        try SigningKey.generate(.es256, keyID: keyID)
    }

    static func document(_ keys: [SigningKey]) throws -> String {
        try KeySet(keys.map(\.verificationKey)).jwksJSON()
    }

    /// Publishes these keys and no others.
    func publish(_ keys: [SigningKey], _ change: (inout Behaviour) -> Void = { _ in }) async throws
    {
        try await server.set(Self.keysPath, Behaviour(try Self.document(keys), change))
    }

    func token(_ key: SigningKey, subject: String = "user") throws -> String {
        try TokenSigner(key: key, clock: .still).sign(
            Claims(iss: name, aud: Self.client, sub: subject), lifetime: .seconds(3_600))
    }

    func pass(_ seconds: Int) { time.withLock { $0 += .seconds(seconds) } }

    var options: KeySetOptions {
        var options = KeySetOptions()
        // The fetch itself takes real time on machines that may be slow: the longest limit there
        // is.
        options.timeout = .seconds(60)
        options.clock = .still(elapsed: { [time] in time.withLock { $0 } })
        options.onEvent = { [events] event in events.withLock { $0.append(event) } }
        return options
    }

    func verifier(
        _ transport: some IdentityTransport, _ change: (inout KeySetOptions) -> Void = { _ in }
    ) throws -> IDTokenVerifier {
        var all = TokenVerificationOptions.still
        all.keySet = options
        change(&all.keySet)
        return try IDTokenVerifier(
            .openID(issuer: name, clientIDs: [Self.client], algorithms: [.es256]),
            keys: .fetched(over: transport),
            options: all)
    }

    /// How often the keys were asked for.
    func requestCount() async throws -> Int { try await server.facts(Self.keysPath).count }

    func count(_ kind: KeySetEvent.Kind) -> Int {
        events.withLock { $0.filter { $0.kind == kind }.count }
    }
}
