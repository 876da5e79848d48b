// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Encrypted ID tokens")
struct EncryptedIDTokens {
    private static func refusal(
        of token: String, by verifier: IDTokenVerifier, nonce: NonceExpectation = .none
    ) async -> IdentityError? {
        await reason { () async throws(IdentityError) in
            try await verifier.verify(token, nonce: nonce)
        }
    }

    @Test("An encrypted token is accepted when encryption is offered, and when it is required")
    func accepted() async throws {
        let fixture = try EncryptedTokenFixture()
        let token = try fixture.token()
        for decryption in try [
            IDTokenVerifier.Decryption.offered(fixture.keys), .required(fixture.keys),
        ] {
            let verifier = try fixture.verifier(decryption)
            #expect(try await verifier.verify(token).subject == "u1")
            #expect(try verifier.verifyWithKeysInHand(token)?.subject == "u1")
            // A part of a longer text.
            #expect(try await verifier.verify((" " + token).dropFirst()).subject == "u1")
        }
        for type in [nil, "JWT", "jwt", "application/jwt"] {
            let typed = try fixture.encrypt(fixture.provider.token(), contentType: type)
            #expect(
                try await fixture.verifier(.required(fixture.keys)).verify(typed).subject == "u1")
        }
    }

    @Test("A verifier that does not decrypt refuses five parts, and says why")
    func notOffered() async throws {
        let fixture = try EncryptedTokenFixture()
        let error = await Self.refusal(
            of: try fixture.token(), by: try fixture.verifier(.notOffered))
        #expect(error?.code == .encrypted)
        #expect(
            error?.message
                == "The token has five parts: it is encrypted (JWE), which is not read here."
        )
    }

    @Test("A token that is only signed is refused when encryption is required, and only then")
    func onlySigned() async throws {
        let fixture = try EncryptedTokenFixture()
        let signed = try fixture.provider.token()
        let required = try fixture.verifier(.required(fixture.keys))
        #expect(await Self.refusal(of: signed, by: required)?.code == .notEncrypted)
        #expect(throws: IdentityError(.notEncrypted, "")) {
            try required.verifyWithKeysInHand(signed)
        }
        let offered = try fixture.verifier(.offered(fixture.keys))
        #expect(try await offered.verify(signed).subject == "u1")
        for text in ["", "a", "a.b", "a.b.c.d", "a.b.c.d.e.f", ".....", "...."] {
            for verifier in [required, offered] {
                #expect(await Self.refusal(of: text, by: verifier)?.code == .malformed, "\(text)")
            }
        }
    }

    @Test("What is inside passes every check, and its errors keep their codes")
    func innerErrors() async throws {
        let fixture = try EncryptedTokenFixture()
        let verifier = try fixture.verifier(.offered(fixture.keys))
        let signed = try fixture.provider.token()
        let cases: [(String, IdentityError.Code)] = [
            (try fixture.provider.token(["exp": "1"]), .expired),
            (try fixture.provider.token(["aud": #""x""#]), .audienceMissing),
            (try fixture.provider.token(["iss": #""https://x.example""#]), .issuer),
            (try fixture.provider.token(["nonce": #""n""#]), .nonceMismatch),
            (try fixture.provider.token(["sub": nil]), .subject),
            (
                try fixture.provider.token(
                    header: #"{"alg":"RS256","kid":"rsa-1","typ":"at+jwt"}"#),
                .typeMismatch
            ),
            (try fixture.provider.token(header: #"{"alg":"RS256","kid":"x"}"#), .unknownKid),
            (try ProviderKey.foreignRSA.token(fixture.provider.claims.json), .badSignature),
        ]
        for (inner, code) in cases {
            let error = await Self.refusal(of: try fixture.encrypt(inner), by: verifier)
            #expect(error?.code == code, "\(String(describing: error))")
        }
        let token = try fixture.encrypt(signed)
        #expect(
            await Self.refusal(of: token, by: verifier, nonce: .raw("n"))?.code == .nonceMissing)
        let named = try fixture.token(["nonce": #""n""#])
        #expect(try await verifier.verify(named, nonce: .raw("n")).subject == "u1")
    }

    @Test("Claims alone, an unsigned token and a second layer of encryption are refused")
    func whatAnybodyCanEncrypt() async throws {
        let fixture = try EncryptedTokenFixture()
        let claims = fixture.provider.claims.json
        let unsigned =
            Base64URL.encode(#"{"alg":"none"}"#.utf8) + "." + Base64URL.encode(claims.utf8) + "."
        let inners: [(String, IdentityError.Code)] = [
            (claims, .malformed), (unsigned, .unsupportedAlg), (try fixture.token(), .encrypted),
            ("", .malformed), ("\u{e9}.a.a", .malformed),
        ]
        for decryption in try [
            IDTokenVerifier.Decryption.offered(fixture.keys), .required(fixture.keys),
        ] {
            let verifier = try fixture.verifier(decryption)
            for (inner, code) in inners {
                let error = await Self.refusal(of: try fixture.encrypt(inner), by: verifier)
                #expect(error?.code == code, "\(inner.prefix(20)): \(String(describing: error))")
            }
            let other = try fixture.encrypt(fixture.provider.token(), contentType: "json")
            #expect(await Self.refusal(of: other, by: verifier)?.code == .typeMismatch)
        }
    }

    @Test("One code and one sentence stand for all that fails between unwrapping and the tag")
    func oneError() async throws {
        let fixture = try EncryptedTokenFixture()
        let verifier = try fixture.verifier(.required(fixture.keys))
        let parts = try fixture.token().split(separator: ".").map(String.init)
        var texts = Set<String>()
        for index in 1...4 {
            var bytes = try Base64URL.decode(parts[index])
            bytes[0] ^= 1
            var changed = parts
            changed[index] = Base64URL.encode(bytes)
            let error = await Self.refusal(of: changed.joined(separator: "."), by: verifier)
            #expect(error?.code == .decryptionFailed, "part \(index)")
            texts.insert(error?.description ?? "accepted")
        }
        // To a different key under the same name.
        let stranger = try EncryptedTokenFixture()
        let error = await Self.refusal(of: try stranger.token(), by: verifier)
        texts.insert(error?.description ?? "accepted")
        #expect(texts.count == 1, "\(texts)")
        #expect(error.map { HTTPRefusal($0) } == .invalidToken)
    }

    @Test("A token that does not decrypt fetches no keys")
    func noFetch() async throws {
        let fixture = try EncryptedTokenFixture()
        let transport = FakeTransport(body: try fixture.provider.key.set.jwksJSON())
        var provider = fixture.provider
        provider.provider = try .openID(
            issuer: "https://idp.example", clientIDs: ["client-1"],
            keys: .keySet(EndpointURL("https://idp.example/keys")))
        var options = provider.options()
        options.keySet = .still
        let verifier = try IDTokenVerifier(
            provider.provider, keys: .fetched(over: transport),
            decryption: .required(fixture.keys), options: options)
        let stranger = try EncryptedTokenFixture().token()
        #expect(await Self.refusal(of: stranger, by: verifier)?.code == .decryptionFailed)
        #expect(
            await Self.refusal(of: try fixture.encrypt("x"), by: verifier)?.code == .malformed)
        #expect(transport.count == 0)
        #expect(try await verifier.verify(fixture.token()).subject == "u1")
        #expect(transport.count == 1)
    }

    @Test("An identity has the signed token, which the provider can read, as a hint for it")
    func hint() async throws {
        let fixture = try EncryptedTokenFixture()
        let verifier = try fixture.verifier(.offered(fixture.keys))
        let signed = try fixture.provider.token()
        for token in [signed, try fixture.encrypt(signed)] {
            #expect(try await verifier.verify(token).idTokenHint == signed)
            let identity = try #require(try verifier.verifyWithKeysInHand(token))
            #expect(identity.idTokenHint == signed)
            var dumped = "\(identity)"
            dump(identity, to: &dumped)
            #expect(!dumped.contains(signed))
        }
    }

    @Test("The limit of a token's size is for what is inside")
    func size() async throws {
        let fixture = try EncryptedTokenFixture()
        let verifier = try fixture.verifier(.offered(fixture.keys))
        let other = try EncryptedTokenFixture("two.example", keyID: "e2")
        let several = try IDTokenVerifiers([verifier, other.verifier(.offered(other.keys))])
        // 16,384 bytes are the limit.
        let cases: [(Int, IdentityError.Code?)] = [(11_000, nil), (12_300, .tooLarge)]
        for (count, code) in cases {
            let claim = "\"\(String(repeating: "a", count: count))\""
            let signed = try fixture.provider.token(["x": claim])
            #expect((signed.utf8.count > 16_384) == (code != nil))
            let token = try fixture.encrypt(signed)
            #expect((20_000...30_000).contains(token.utf8.count))
            #expect(await Self.refusal(of: token, by: verifier)?.code == code)
            #expect(await Self.refusal(of: signed, by: verifier)?.code == code)
            #expect(try several.verifier(for: token) === verifier)
        }
    }

    @Test("An earlier key still decrypts, a removed one no more, and long tokens are not read")
    func rotation() async throws {
        let old = try EncryptedTokenFixture(keyID: "old")
        let new = try EncryptedTokenFixture(keyID: "new")
        let both = try new.verifier(
            .required(DecryptionKeySet(current: new.key, previous: [old.key])))
        for fixture in [old, new] {
            #expect(try await both.verify(fixture.token()).subject == "u1")
        }
        let one = try new.verifier(.required(new.keys))
        #expect(await Self.refusal(of: try old.token(), by: one)?.code == .unknownKid)
        let long = try new.token(["x": "\"\(String(repeating: "a", count: 16_384))\""])
        #expect(await Self.refusal(of: long, by: both)?.code == .tooLarge)
    }
}
