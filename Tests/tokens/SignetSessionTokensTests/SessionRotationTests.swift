// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

@Suite("Rotation of session keys")
struct SessionRotationTests {
    typealias Fixture = SessionFixture

    @Test("A rotation logs no user out", arguments: Fixture.Kind.allCases)
    func rotation(_ kind: Fixture.Kind) throws {
        let end = Fixture.now + 2_592_000
        let first = try Fixture.issuer(Fixture.ring(kind))
        let old = try first.issue(subject: "u").token
        let ring = try Fixture.rotated(first.keys, kind, "k2", until: end + 60)
        let second = try first.using(ring)
        #expect(try second.verify(old).keyID == "k1")
        let new = try second.issue(subject: "u").token
        #expect(try UnverifiedToken(new).keyID == "k2")
        #expect(try second.verify(new).keyID == "k2")
        #expect(refusal { try first.verify(new) }?.code == .noMatchingKey)
        // Until its own expiry, and not after it.
        #expect(try Fixture.issuer(ring, at: end - 1).verify(old).keyID == "k1")
        #expect(
            refusal { try Fixture.issuer(ring, at: end + 30).verify(old) }?.code == .expired)
        // A third key: both earlier ones still verify.
        let third = try second.using(Fixture.rotated(ring, kind, "k3"))
        #expect(try third.verify(old).keyID == "k1")
        #expect(try third.verify(new).keyID == "k2")
        #expect(third.keys.members.map(\.keyID) == ["k3", "k2", "k1"])
        #expect(third.keys.members.map(\.isCurrent) == [true, false, false])
    }

    @Test("An earlier key verifies until its last moment", arguments: Fixture.Kind.allCases)
    func lastMoment(_ kind: Fixture.Kind) throws {
        let first = try Fixture.issuer(Fixture.ring(kind))
        let old = try first.issue(subject: "u").token
        let ring = try Fixture.rotated(first.keys, kind, "k2", until: Fixture.now + 3600)
        #expect(try Fixture.issuer(ring, at: Fixture.now + 3599).verify(old).subject == "u")
        for seconds in [3600.0, 3601, 86_400] {
            #expect(
                refusal { try Fixture.issuer(ring, at: Fixture.now + seconds).verify(old) }?
                    .code
                    == .noMatchingKey)
        }
        let pruned = try ring.pruned(at: NumericDate(secondsSince1970: Fixture.now + 3600))
        #expect(pruned.members.map(\.keyID) == ["k2"])
        #expect(
            try ring.pruned(at: NumericDate(secondsSince1970: Fixture.now + 3599)).members.count
                == 2)
    }

    @Test(
        "A key is not published past its last moment, so others refuse it too"
    )
    func lastMomentOfThePublished() throws {
        let ring = try Fixture.rotated(
            Fixture.ring(.es256), .es256, "k2", until: Fixture.now + 3600)
        func published(_ seconds: Double) throws -> [String?] {
            try KeySet(jwks: ring.jwksJSON(clock: .fixed(secondsSince1970: seconds))).keys.map(
                \.keyID)
        }
        #expect(try published(Fixture.now + 3599) == ["k2", "k1"])
        #expect(try published(Fixture.now + 3600) == ["k2"])
        // By the system's clock unless another is named.
        let over = try Fixture.rotated(Fixture.ring(.es256), .es256, "k2", until: 1)
        #expect(try KeySet(jwks: over.jwksJSON()).keys.map(\.keyID) == ["k2"])
        // The vault's copy still has it: reading loses nothing.
        #expect(try SessionKeyRing(privateJWKS: over.exportPrivateJSON()).members.count == 2)
    }

    @Test("A removed key's tokens are refused at once", arguments: Fixture.Kind.allCases)
    func removal(_ kind: Fixture.Kind) throws {
        let first = try Fixture.issuer(Fixture.ring(kind))
        let old = try first.issue(subject: "u").token
        let ring = try Fixture.rotated(first.keys, kind, "k2")
        let second = try first.using(ring.without(keyID: "k1"))
        #expect(refusal { try second.verify(old) }?.code == .noMatchingKey)
        #expect(refusal { try second.verify(second.issue(subject: "u").token) } == nil)
        #expect(configurationRefusal { try ring.without(keyID: "k2") } == .contradiction)
        #expect(configurationRefusal { try ring.without(keyID: "k3") } == .invalidIdentifier)
        #expect(configurationRefusal { try ring.without(keyID: "K1") } == .invalidIdentifier)
    }

    @Test("The next key is published before it signs")
    func announcement() throws {
        let secret = try Fixture.secret("k2")
        let secrets = try SessionKeyRing(Fixture.secret("k1")).adding(secret)
        #expect(secrets.members.map(\.keyID) == ["k1", "k2"])
        let token = try Fixture.issuer(SessionKeyRing(secret)).issue(subject: "u").token
        #expect(try Fixture.issuer(secrets).verify(token).keyID == "k2")
        #expect(try secrets.rotated(to: secret).members.map(\.keyID) == ["k2", "k1"])
        // Another secret under the announced name is an error.
        #expect(
            configurationRefusal { try secrets.rotated(to: Fixture.secret("k2")) } == .contradiction
        )

        let pair = try Fixture.pair(.ed25519, "k2")
        let pairs = try SessionKeyRing(Fixture.pair()).adding(pair.verificationKey)
        #expect(try pairs.jwksJSON().contains("\"k2\""))
        #expect(try pairs.rotated(to: pair).members.map(\.keyID) == ["k2", "k1"])
        #expect(
            configurationRefusal { try pairs.rotated(to: Fixture.pair(.ed25519, "k2")) }
                == .contradiction)
    }

    @Test("A ring has one class of keys, and each key has its own kid")
    func rules() throws {
        let secrets = try SessionKeyRing(Fixture.secret())
        let pairs = try SessionKeyRing(Fixture.pair())
        #expect(
            configurationRefusal { try secrets.rotated(to: Fixture.pair(.es256, "k2")) }
                == .contradiction)
        #expect(
            configurationRefusal { try pairs.rotated(to: Fixture.secret("k2")) } == .contradiction)
        #expect(
            configurationRefusal { try secrets.adding(Fixture.pair(.es256, "k2").verificationKey) }
                == .contradiction)
        #expect(configurationRefusal { try pairs.adding(Fixture.secret("k2")) } == .contradiction)
        #expect(
            configurationRefusal { try secrets.rotated(to: Fixture.secret("k1")) } == .contradiction
        )
        #expect(
            configurationRefusal { try pairs.rotated(to: Fixture.pair(.rs256, "k1")) }
                == .contradiction)
        #expect(
            configurationRefusal { try SessionKeyRing(HMACKey.generate(.hs256)) }
                == .invalidIdentifier)
        #expect(
            configurationRefusal { try SessionKeyRing(Fixture.secret("")) } == .invalidIdentifier)
        #expect(
            configurationRefusal {
                try SessionKeyRing(Fixture.secret(String(repeating: "k", count: 256)))
            }
                == .invalidIdentifier)
        #expect(
            configurationRefusal {
                try pairs.adding(VerificationKey(jwk: JWK(withoutKeyID())))
            } == .invalidIdentifier)
        // Names that differ by a byte but are equal to Swift's ==.
        #expect(
            try secrets.rotated(to: Fixture.secret("\u{e9}")).adding(Fixture.secret("e\u{301}"))
                .members.count
                == 3)
    }

    @Test("A secret that may only sign, or only verify, is not accepted as a session key")
    func operations() throws {
        let key = { (operation: String) in
            try HMACKey(
                jwk: JWK(
                    #"{"kty":"oct","kid":"k1","alg":"HS256","key_ops":["\#(operation)"],"k":"\#(String(repeating: "A", count: 43))"}"#
                ))
        }
        #expect(configurationRefusal { try SessionKeyRing(key("sign")) } == .invalidKeys)
        #expect(configurationRefusal { try SessionKeyRing(key("verify")) } == .invalidKeys)
        let other = try SessionKeyRing(Fixture.secret("k2"))
        #expect(configurationRefusal { try other.adding(key("verify")) } == nil)
        #expect(configurationRefusal { try other.adding(key("sign")) } == .invalidKeys)
    }

    @Test("A ring has at most 32 keys")
    func size() throws {
        var ring = try SessionKeyRing(Fixture.secret("k0"))
        for number in 1..<32 { ring = try ring.rotated(to: Fixture.secret("k\(number)")) }
        #expect(ring.members.count == 32)
        #expect(configurationRefusal { try ring.rotated(to: Fixture.secret("k32")) } == .outOfRange)
    }

    private func withoutKeyID() throws -> String {
        let json = try Fixture.pair(.es256, "gone").verificationKey.jwk.publicJSON()
        return json.replacing("\"kid\":\"gone\",", with: "")
    }
}
