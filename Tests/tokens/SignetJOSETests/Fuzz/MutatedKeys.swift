// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// Damaged keys: never a crash, and a key that loads writes out and reads back as itself.
@Suite("Mutated keys", .tags(.fuzzing, .sampled))
struct MutatedKeys {
    static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "null", "1", "-1e300", "\"d\":",
        "\"k\":\"AAAA\",", "\"kty\":\"oct\",",
        "\"RSA\"", "\"EC\"", "\"OKP\"", "P-384", "Ed25519", "AQAB", "AA", "=", "\"key_ops\":[]",
        "\"use\":\"enc\"", "é",
    ]

    static func expectConsistent(_ key: JWK) {
        do {
            let published = try? key.publicJSON()
            if let published { #expect(try JWK(published).thumbprint() == key.thumbprint()) }
            if let pem = try? key.publicPEM() {
                #expect(try JWK(pem: pem).thumbprint() == key.thumbprint())
            }
            #expect(published != nil || key.keyType == "oct")
            if key.isPrivate {
                let json = try key.exportPrivateJSON().exposedText()
                #expect(try JWK(json).exportPrivateJSON().exposedText() == json)
            }
        } catch {
            Issue.record("a key that loads does not come back: \(error)")
        }
    }

    @Test(
        "A mutated private JWK is refused or consistent",
        arguments: [SignatureAlgorithm.rs256, .es256, .es512, .ed25519])
    func privateKeys(_ algorithm: SignatureAlgorithm) throws {
        let original = Array(try TestKeys.signing(algorithm).exportPrivateJSON().exposedText().utf8)
        let thumbprint = try JWK(original).thumbprint()
        var mutator = Mutator(seed: 4, dictionary: Self.pieces)
        for _ in 0..<Effort.rounds(1_500) {
            guard let key = try? JWK(mutator.mutated(original)) else { continue }
            Self.expectConsistent(key)
            // A private key with changed numbers does not load, so this is still the original.
            if key.isPrivate { #expect(try key.thumbprint() == thumbprint) }
            _ = try? SigningKey(jwk: key)
            _ = try? HMACKey(jwk: key, algorithm: .hs256)
            _ = try? VerificationKey(jwk: key, algorithm: algorithm)
        }
    }

    @Test("A mutated public or symmetric JWK is refused or consistent")
    func others() throws {
        var originals = try [TestPublicPEM.rsa, TestPublicPEM.p256, TestPublicPEM.ed25519].map {
            try JWK(pem: $0, keyID: "k").publicJSON()
        }
        originals.append(try TestKeys.hmac().exportPrivateJSON().exposedText())
        var mutator = Mutator(seed: 5, dictionary: Self.pieces)
        for original in originals {
            for _ in 0..<Effort.rounds(2_000) {
                guard let key = try? JWK(mutator.mutated(Array(original.utf8))) else { continue }
                Self.expectConsistent(key)
                _ = try? HMACKey(jwk: key, algorithm: .hs256)
            }
        }
    }

    @Test("A mutated key set is refused or consistent")
    func sets() throws {
        let set = try KeySet(
            [.rs256, .es256, .ed25519].map { try TestKeys.verification($0, keyID: "k-\($0)") }
        ).jwksJSON()
        let original = Array(set.utf8)
        let token = try Forge.token(TestKeys.header("ES256", keyID: "k-ES256"), by: Forge.es256())
        let other = try Forge.token(TestKeys.header("ES256", keyID: "k-ES256"), by: Forge.ed25519())
        let policy = try TestClaims.policy()
        var mutator = Mutator(seed: 6, dictionary: Self.pieces)
        var loaded = 0
        for _ in 0..<Effort.rounds(4_000) {
            guard let set = try? KeySet(jwks: mutator.mutated(original)) else { continue }
            loaded += 1
            #expect(set.skipped.allSatisfy { !$0.description.isEmpty })
            let verifier = TokenVerifier(keys: set, policy: policy)
            _ = refusal { try verifier.verify(token) }
            #expect(refusal { try verifier.verify(other) } != nil)
            _ = try? HMACKeySet(jwks: mutator.mutated(original))
        }
        #expect(loaded > Effort.rounds(500))
    }

    @Test("Mutated PEM is refused or consistent", arguments: PEMTests.readable)
    func pem(_ pem: String) throws {
        let pieces = [
            "-----BEGIN ", "-----END ", "-----", "\n", "\r\n", "=", "AAAA", "PRIVATE", "PUBLIC",
            "EC ",
            "RSA ", " KEY", ":", "\0", "\\n", "\\r", "\\", "\"", "'", " ", "\t", "\u{feff}",
            "ENCRYPTED",
        ]
        var mutator = Mutator(seed: 8, dictionary: pieces)
        let lines = pem.split(separator: "\n")
        let forms = [
            pem, lines.joined(), lines.joined(separator: " "),
            "\"\(lines.joined(separator: "\\n"))\"",
        ].map { Array($0.utf8) }
        for round in 0..<Effort.rounds(1_000) {
            let form = forms[round % forms.count]
            guard let key = try? JWK(pem: mutator.mutated(form)) else { continue }
            Self.expectConsistent(key)
        }
    }

    @Test(
        "Mutated DER without a frame is refused or consistent",
        arguments: PEMTests.readable.map { TestDER.contents($0) }
            + PrivateKeyInfoTests.withPublicKey.compactMap { try? TestDER.withPublicKey($0) })
    func bareDER(_ original: [UInt8]) throws {
        // Tags, versions and lengths, beside the mutator's own.
        let pieces = [
            "\u{2}\u{1}\u{0}", "\u{2}\u{1}\u{1}", "0\u{5}", "\u{3}", "\u{4}\u{20}", "\u{6}\u{3}",
        ]
        var mutator = Mutator(seed: 10, dictionary: pieces)
        let isPrivate = try JWK(der: original).isPrivate
        for _ in 0..<Effort.rounds(1_500) {
            guard let key = try? JWK(der: mutator.mutated(original)) else { continue }
            Self.expectConsistent(key)
            #expect(key.isPrivate == isPrivate)
        }
    }

    /// The frame stays intact, so that libcrypto's DER reader is reached.
    @Test("Mutated DER inside PEM is refused or consistent", arguments: PEMTests.readable)
    func der(_ pem: String) throws {
        let lines = pem.split(separator: "\n")
        guard lines[0] != "-----BEGIN EC PARAMETERS-----" else { return }
        let original = PEMTests.contents(lines)
        var mutator = Mutator(seed: 9)
        for _ in 0..<Effort.rounds(1_500) {
            let text =
                "\(lines[0])\n\(Base64Standard.encode(mutator.mutated(original)))\n\(lines[lines.count - 1])"
            guard let key = try? JWK(pem: text) else { continue }
            Self.expectConsistent(key)
        }
    }
}
