// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetJOSE
import TestSupport

/// An issuer whose keys change, and a verifier of its tokens, all by one clock. It is found by
/// discovery, and says that its documents are good for a day, so only tokens lead to fetches.
struct RotatingIssuer {
    static let name = "https://issuer.example"
    static let place = "https://keys.example/jwks"
    static let otherPlace = "https://keys.example/moved"
    static let metadataPlace = name + "/.well-known/openid-configuration"
    static let day = ["Cache-Control": "max-age=86400"]

    let clock: ManualClock
    let documents = Locked<[String: FakeTransport.Answer]>([:])
    let transport: FakeTransport
    let events = Recorder<KeySetEvent>()
    let verifier: RemoteTokenVerifier
    /// `exp` of every token, long after any test's end.
    private let expiration: Int

    /// - Parameter answering: called with each answer before it goes back.
    init(
        _ location: RemoteKeySet.Location = .discovery,
        algorithms: [SignatureAlgorithm] = [.es256],
        adjust: (inout KeySetOptions) -> Void = { _ in },
        answering: @escaping @Sendable (TransportRequest) async -> Void = { _ in }
    ) throws {
        clock = ManualClock(secondsSince1970: Source.now)
        transport = FakeTransport { [documents] request in
            let answer = documents.withLock { $0[request.url.text] } ?? .status(404)
            await answering(request)
            return answer
        }
        var options = KeySetOptions()
        options.clock = clock.source
        options.onEvent = { [events] in events.append($0) }
        adjust(&options)
        expiration = Int(Source.now) + 86_400
        verifier = try RemoteTokenVerifier(
            TokenPolicy(issuer: Self.name, audience: ["api"], clock: clock.source),
            algorithms: algorithms, location: location, transport: transport, options: options)
        publish(metadata: Self.place)
    }

    /// Publishes the address of the keys.
    func publish(metadata place: String) {
        let text = "{\"issuer\":\"\(Self.name)\",\"jwks_uri\":\"\(place)\"}"
        documents.withLock { $0[Self.metadataPlace] = .body(text, Self.day) }
    }

    /// Publishes keys, each as the JSON of a JWK.
    func publish(
        _ keys: String..., at place: String = place, fields: [String: String] = day
    ) {
        let text = "{\"keys\":[\(keys.joined(separator: ","))]}"
        documents.withLock { $0[place] = .body(text, fields) }
    }

    /// A token of this key, issued some seconds ago.
    ///
    /// - Parameter issuedAt: the JSON of `iat`; nil leaves it out.
    func token(_ key: ProviderKey, header: String? = nil, issuedAt: String?) throws -> String {
        let issued = issuedAt.map { ",\"iat\":\($0)" } ?? ""
        return try key.token(
            "{\"iss\":\"\(Self.name)\",\"aud\":\"api\",\"sub\":\"u\",\"exp\":\(expiration)\(issued)}",
            header: header)
    }

    func token(_ key: ProviderKey, header: String? = nil, secondsAgo: Int = 0) throws -> String {
        let now = Int(clock.now.secondsSince1970)
        return try token(key, header: header, issuedAt: "\(now - secondsAgo)")
    }

    /// Why a token is refused; nil if it is valid.
    func refusal(_ token: String) async -> IdentityError? {
        do throws(IdentityError) {
            _ = try await verifier.verify(token, as: RegisteredNames.self)
            return nil
        } catch {
            return error
        }
    }

    /// Why it is refused without waiting; nil if it is valid, or if nothing is known about it.
    func refusalAtOnce(_ token: String) -> IdentityError? {
        do throws(IdentityError) {
            _ = try verifier.verifyWithKeysInHand(token, as: RegisteredNames.self)
            return nil
        } catch {
            return error
        }
    }

    /// Whether it is valid with the keys in hand; nil if nothing is known about it.
    func isValidAtOnce(_ token: String) throws -> Bool? {
        try verifier.verifyWithKeysInHand(token, as: RegisteredNames.self) == nil ? nil : true
    }

    /// Why each fetch so far began.
    var triggers: [KeySetEvent.Trigger] {
        events.all.filter { $0.kind == .refreshStarted }.compactMap(\.trigger)
    }

    var waitingCount: Int { verifier.remoteKeys?.waitingCount ?? 0 }

    struct RegisteredNames: Decodable { let sub: String }
}

extension ProviderKey {
    /// The published JWK, without its `kid` if that is left out.
    func jwk(named: Bool = true) throws -> String {
        let json = try verification.jwk.publicJSON()
        guard !named else { return json }
        return json.replacing("\"kid\":\"\(keyID)\",", with: "")
            .replacing(",\"kid\":\"\(keyID)\"", with: "")
    }

    /// A header without `kid`.
    var namelessHeader: String { #"{"alg":"\#(algorithm.name)"}"# }
}
