// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Several providers that encrypt")
struct SeveralEncryptingProviders {
    let one: EncryptedTokenFixture
    let two: EncryptedTokenFixture

    init() throws {
        one = try EncryptedTokenFixture("one.example", keyID: "e1")
        two = try EncryptedTokenFixture("two.example", signingWith: .foreignRSA, keyID: "e2")
    }

    private static func code(
        _ token: String, _ verifiers: IDTokenVerifiers
    ) async -> IdentityError.Code? {
        await reason { () async throws(IdentityError) in
            try await verifiers.verifier(for: token).verify(token)
        }?.code
    }

    @Test("A token goes to the provider whose key it names, and signed tokens go by iss")
    func routing() async throws {
        let verifiers = try IDTokenVerifiers([
            one.verifier(.required(one.keys)), two.verifier(.offered(two.keys)),
            ProviderFixture.google().verifier(),
        ])
        for fixture in [one, two] {
            let token = try fixture.token()
            let verifier = try verifiers.verifier(for: token)
            #expect(verifier.provider.name == "openid")
            #expect(try await verifier.verify(token).issuer == "https://\(fixture.provider.name)")
        }
        let signed = try two.provider.token()
        #expect(
            try await verifiers.verifier(for: signed).verify(signed).issuer == "https://two.example"
        )
        #expect(await Self.code(try one.provider.token(), verifiers) == .notEncrypted)
    }

    @Test("What one provider issues, encrypted to the key of another, is refused")
    func otherProvider() async throws {
        let verifiers = try IDTokenVerifiers([
            one.verifier(.required(one.keys)), two.verifier(.required(two.keys)),
        ])
        let crossed = try one.encrypt(two.provider.token())
        #expect(await Self.code(crossed, verifiers) == .badSignature)
        let verifier = try two.verifier(.required(two.keys))
        #expect(
            await reason { () async throws(IdentityError) in try await verifier.verify(crossed) }?
                .code == .unknownKid)
        // Even if both issuers had the same signing key.
        let claims = two.provider.claims.json
        let sameKey = try one.encrypt(one.provider.key.token(claims))
        #expect(await Self.code(sameKey, verifiers) == .issuer)
    }

    @Test("A token without kid, or with that of no key, has no verifier among several")
    func unnamed() async throws {
        let verifiers = try IDTokenVerifiers([
            one.verifier(.required(one.keys)), two.verifier(.required(two.keys)),
        ])
        let unnamed = try EncryptedTokenFixture("one.example", keyID: nil, jwk: one.jwk)
        let other = try EncryptedTokenFixture("one.example", keyID: "e3", jwk: one.jwk)
        let token = try unnamed.token()
        #expect(await Self.code(token, verifiers) == .unknownKid)
        #expect(await Self.code(try other.token(), verifiers) == .unknownKid)
        #expect(await Self.code("eyJhbGciOiJkaXIifQ....", verifiers) == .malformed)
        let long = try one.token(["x": "\"\(String(repeating: "a", count: 16_384))\""])
        #expect(await Self.code(long, verifiers) == .tooLarge)
        // Where one provider alone encrypts, there is no doubt.
        let google = try ProviderFixture.google().verifier()
        let single = try IDTokenVerifiers([one.verifier(.required(one.keys)), google])
        #expect(try await single.verifier(for: token).verify(token).subject == "u1")
        // Where none does, the refusal is that of a verifier.
        let none = try IDTokenVerifiers([one.verifier(.notOffered), google])
        #expect(await Self.code(token, none) == .encrypted)
    }

    @Test("A key belongs to one provider, and has a name")
    func configuration() throws {
        func isRefused(_ first: DecryptionKeySet, _ second: DecryptionKeySet) throws -> Bool {
            let verifiers = [
                try one.verifier(.offered(first)), try two.verifier(.required(second)),
            ]
            do throws(IdentityConfigurationError) {
                _ = try IDTokenVerifiers(verifiers)
                return false
            } catch {
                return error.code == .contradiction
            }
        }
        #expect(try !isRefused(one.keys, two.keys))
        // The same kid, of the current key or of an earlier one.
        let sameName = try EncryptedTokenFixture("two.example", keyID: "e1")
        #expect(try isRefused(one.keys, sameName.keys))
        #expect(
            try isRefused(one.keys, DecryptionKeySet(current: two.key, previous: [sameName.key])))
        // The same key under another kid.
        let sameKey = try EncryptedTokenFixture("two.example", keyID: "e3", jwk: one.jwk)
        #expect(try isRefused(one.keys, sameKey.keys))
        // A private key without a kid has its thumbprint, a secret has none.
        let unnamed = try EncryptedTokenFixture("two.example", keyID: nil)
        #expect(try !isRefused(one.keys, unnamed.keys))
        let secret = SecretKey(copying: [UInt8](repeating: 3, count: 32))
        let named = try DecryptionKey(secret: secret, algorithm: .direct, keyID: "s")
        let nameless = try DecryptionKey(secret: secret, algorithm: .direct)
        #expect(try !isRefused(one.keys, DecryptionKeySet(current: named)))
        #expect(try isRefused(one.keys, DecryptionKeySet(current: nameless)))
        #expect(
            try isRefused(
                DecryptionKeySet(current: one.key, previous: [named]),
                DecryptionKeySet(
                    current: two.key,
                    previous: [
                        DecryptionKey(secret: secret, algorithm: .a256KW, keyID: "t")
                    ])))
        // One key for two algorithms of one provider.
        let again = try DecryptionKey(jwk: one.jwk, algorithm: .ecdhES)
        #expect(
            try !isRefused(DecryptionKeySet(current: one.key, previous: [again]), two.keys))
    }
}
