// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// `kid` is an opaque name: compared byte for byte, never a path, a query or a default.
@Suite("Key identifiers")
struct KeyIdentifiers {
    static let hostile = [
        "../../../../dev/null", "/proc/sys/kernel/randomize_va_space", "k1' UNION SELECT 'secret",
        "k1\\u0000", "k1 ", " k1", "K1", "", "k1.pub", "https://attacker.example/k1",
        "\\u006b\\u0031\\u200b",
    ]

    @Test("An unknown kid is an error, never a default", arguments: hostile)
    func unknown(_ keyID: String) throws {
        let token = try Forge.token(TestKeys.header("RS256", keyID: keyID), by: Forge.rs256())
        let policy = try TestClaims.policy()
        let single = TokenVerifier(key: try TestKeys.verification(.rs256), policy: policy)
        #expect(refusal { try TestKeys.verifier(.rs256).verify(token) }?.code == .noMatchingKey)
        #expect(refusal { try single.verify(token) }?.code == .noMatchingKey)
        let forged = try Forge.token(
            TestKeys.header("HS256", keyID: keyID), by: Forge.hmac(TestKeys.secret))
        let ring = HMACKeySet([try TestKeys.hmac(), try TestKeys.hmac(.hs512, keyID: nil)])
        #expect(
            refusal { try TokenVerifier(hmacKeys: ring, policy: policy).verify(forged) }?.code
                == .noMatchingKey)
        let one = try TokenVerifier(hmacKey: TestKeys.hmac(), policy: policy)
        #expect(refusal { try one.verify(forged) }?.code == .noMatchingKey)
    }

    @Test("An escaped kid is the same kid")
    func escaped() throws {
        let token = try Forge.token(#"{"alg":"RS256","kid":"\u006b1"}"#, by: Forge.rs256())
        #expect(try TestKeys.verifier(.rs256).verify(token).keyID == "k1")
    }

    @Test(
        "kid is compared byte for byte, not as Unicode means it",
        arguments: [
            ("caf\u{e9}", "cafe\u{301}"), ("K", "\u{212a}"), ("\u{c5}", "\u{212b}"),
            ("\u{ac00}", "\u{1100}\u{1161}"),
        ])
    func canonicalEquivalence(_ own: String, _ other: String) throws {
        let policy = try TestClaims.policy()
        let key = try TestKeys.verification(.es256, keyID: own)
        let token = try Forge.token(TestKeys.header("ES256", keyID: other), by: Forge.es256())
        let set = KeySet([key])
        #expect(
            refusal { try TokenVerifier(keys: set, policy: policy).verify(token) }?.code
                == .noMatchingKey)
        #expect(
            refusal { try TokenVerifier(key: key, policy: policy).verify(token) }?.code
                == .noMatchingKey)
        // Two keys whose identifiers differ are two keys.
        let both = KeySet([key, try TestKeys.verification(.es256, keyID: other)])
        #expect(
            try TokenVerifier(keys: both, policy: policy).verify(token).keyID?.utf8.elementsEqual(
                other.utf8)
                == true)

        let secret = try TestKeys.hmac(keyID: own)
        let tag = try Forge.token(
            TestKeys.header("HS256", keyID: other), by: Forge.hmac(TestKeys.secret))
        let one = try TokenVerifier(hmacKey: secret, policy: policy)
        #expect(refusal { try one.verify(tag) }?.code == .noMatchingKey)
        let ring = try TokenVerifier(hmacKeys: HMACKeySet([secret]), policy: policy)
        #expect(refusal { try ring.verify(tag) }?.code == .noMatchingKey)
    }

    @Test(
        "kid of another JSON type is refused", arguments: ["1", "null", "true", #"["k1"]"#, "{}"])
    func type(_ value: String) throws {
        let token = try Forge.token(#"{"alg":"RS256","kid":\#(value)}"#, by: Forge.rs256())
        #expect(refusal { try TestKeys.verifier(.rs256).verify(token) }?.code == .malformed)
    }

    @Test("A token without kid verifies by the one key that fits, never by a guess")
    func absent() throws {
        let policy = try TestClaims.policy()
        let token = try Forge.token(#"{"alg":"ES256"}"#, by: Forge.es256())
        let keys = [
            try TestKeys.verification(.rs256, keyID: "a"),
            try TestKeys.verification(.es256, keyID: "b"),
        ]
        #expect(try TokenVerifier(keys: KeySet(keys), policy: policy).verify(token).keyID == "b")
        let other = try ECPrivateKey.generate(curve: .p256)
        let third = try VerificationKey(jwk: JWK(material: .key(.ecPrivate(other)), keyID: "c"))
        let ambiguous = TokenVerifier(keys: KeySet(keys + [third]), policy: policy)
        #expect(refusal { try ambiguous.verify(token) }?.code == .ambiguousKey)
        // One key under two names: the token does not say which name it was signed under.
        let twice = TokenVerifier(
            keys: KeySet([keys[1], try TestKeys.verification(.es256, keyID: "c")]), policy: policy)
        #expect(refusal { try twice.verify(token) }?.code == .ambiguousKey)
        let none = TokenVerifier(keys: KeySet([keys[0]]), policy: policy)
        #expect(refusal { try none.verify(token) }?.code == .algorithmNotAllowed)
    }

    @Test("For two keys with one kid the algorithm decides, and two of one algorithm are ambiguous")
    func shared() throws {
        let policy = try TestClaims.policy()
        let rsa = try TestKeys.verification(.rs256)
        let pss = try TestKeys.verification(.ps256)
        let both = TokenVerifier(keys: KeySet([rsa, pss]), policy: policy)
        for algorithm in [SignatureAlgorithm.rs256, .ps256] {
            let token = try Forge.token(
                TestKeys.header(algorithm.name), by: Forge.signer(algorithm))
            #expect(try both.verify(token).header.algorithm == algorithm.name)
        }
        let other = try SigningKey.generate(.rs256, keyID: "k1").verificationKey
        let token = try Forge.token(TestKeys.header("RS256"), by: Forge.rs256())
        for keys in [[rsa, other], [other, rsa], [rsa, rsa, other]] {
            let twice = TokenVerifier(keys: KeySet(keys), policy: policy)
            #expect(refusal { try twice.verify(token) }?.code == .ambiguousKey)
        }
    }

    @Test(
        "A key listed several times is one key"
    )
    func copies() throws {
        let policy = try TestClaims.policy()
        for algorithm in SignatureAlgorithm.allCases {
            let named = try TestKeys.verification(algorithm).jwk.publicJSON()
            let unnamed = named.replacing(#","alg":"\#(algorithm.name)""#, with: "")
            let copies = algorithm == .rs256 ? [named, unnamed, named] : [named, named]
            let set = try KeySet(jwks: #"{"keys":[\#(copies.joined(separator: ","))]}"#)
            #expect(set.keys.count == copies.count)
            let verifier = TokenVerifier(keys: set, policy: policy)
            for header in [TestKeys.header(algorithm.name), #"{"alg":"\#(algorithm.name)"}"#] {
                _ = try verifier.verify(Forge.token(header, by: Forge.signer(algorithm)))
            }
            let changed = try Forge.token(
                TestKeys.header(algorithm.name), by: Forge.signer(algorithm))
            #expect(
                refusal { try verifier.verify(changed.dropLast(4) + "AAAA") }?.code
                    == .signatureInvalid)
        }
    }

    @Test("A key without kid matches no kid in a set, and any kid when alone")
    func nameless() throws {
        let policy = try TestClaims.policy()
        let key = try TestKeys.verification(.es256, keyID: nil)
        let token = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        #expect(
            refusal { try TokenVerifier(keys: KeySet([key]), policy: policy).verify(token) }?.code
                == .noMatchingKey)
        #expect(try TokenVerifier(key: key, policy: policy).verify(token).keyID == nil)
    }

    @Test("Long kids and control characters stay out of errors")
    func longAndUnprintable() throws {
        let long = String(repeating: "k", count: 11_000)
        let token = try Forge.token(TestKeys.header("RS256", keyID: long), by: Forge.rs256())
        let error = refusal { try TestKeys.verifier(.rs256).verify(token) }
        #expect(error?.code == .noMatchingKey)
        #expect((error?.description.utf8.count ?? .max) < 300)
        let set = try KeySet(
            jwks: #"{"keys":[{"kty":"EC","kid":"\u001b[2J\nroot logged in\u202e"}]}"#)
        let line = set.skipped.map(\.description).joined()
        #expect(line.unicodeScalars.allSatisfy { (0x20..<0x7f).contains($0.value) }, "\(line)")
        let key = try JWK(pem: TestPublicPEM.p256, keyID: "\u{1b}[2J\n" + long.prefix(1_000))
        for text in [
            key.description, "\(try VerificationKey(jwk: key))",
            "\(try SigningKey(pem: TestPrivatePEM.p256, keyID: "\n"))",
            "\(try TestKeys.hmac(keyID: "\n\u{7}"))",
        ] {
            #expect(text.unicodeScalars.allSatisfy { (0x20..<0x7f).contains($0.value) })
            #expect(text.utf8.count < 200)
        }
    }
}
