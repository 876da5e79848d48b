// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// `use`, `key_ops`, `alg`, `crv` and `kty` bind when the key is loaded (jwt-kit verified with `use: enc` keys).
@Suite("Restrictions on a key's use")
struct KeyUse {
    /// A public key with members added or replaced.
    static func json(_ pem: String, _ members: String = "", replacing: [(String, String)] = [])
        throws
        -> String
    {
        var text = try JWK(pem: pem, keyID: "k1").publicJSON()
        for (old, new) in replacing {
            guard text.contains(old) else { throw Forge.Unexpected() }
            text = text.split(separator: old, omittingEmptySubsequences: false).joined(
                separator: new)
        }
        return members.isEmpty ? text : text.dropLast() + "," + members + "}"
    }

    @Test(
        "use and key_ops that do not allow verifying are refused",
        arguments: [
            #""use":"enc""#, #""use":"SIG""#, #""use":"sig ""#, #""use":"""#, #""key_ops":[]"#,
            #""key_ops":["sign"]"#,
            #""key_ops":["encrypt"]"#, #""key_ops":["Verify"]"#,
            #""key_ops":["encrypt","decrypt","wrapKey"]"#,
            #""use":"enc","key_ops":["verify"]"#, #""use":"sig","key_ops":["deriveKey"]"#,
        ])
    func notForVerifying(_ members: String) throws {
        for pem in [TestPublicPEM.rsa, TestPublicPEM.p256, TestPublicPEM.ed25519] {
            let jwk = try JWK(Self.json(pem, members))
            let algorithm: SignatureAlgorithm? = jwk.keyType == "RSA" ? .rs256 : nil
            #expect(
                keyRefusal { try VerificationKey(jwk: jwk, algorithm: algorithm) }?.code
                    == .operationNotAllowed)
            let set = try KeySet(jwks: #"{"keys":[\#(try Self.json(pem, members))]}"#)
            #expect(set.keys.isEmpty)
            #expect(set.skipped.map(\.reason.code) == [.operationNotAllowed])
            #expect(set.skipped.map(\.keyID) == ["k1"])
        }
    }

    @Test(
        "use and key_ops that allow verifying are accepted",
        arguments: [
            "", #""use":"sig""#, #""key_ops":["verify"]"#, #""use":"sig","key_ops":["verify"]"#,
            #""key_ops":["sign","verify"]"#, #""key_ops":["encrypt","verify"]"#,
        ])
    func forVerifying(_ members: String) throws {
        let set = try KeySet(jwks: #"{"keys":[\#(try Self.json(TestPublicPEM.p256, members))]}"#)
        #expect(set.skipped.isEmpty)
        let token = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        _ = try TokenVerifier(keys: set, policy: TestClaims.policy()).verify(token)
    }

    @Test(
        "use and key_ops of a wrong type are refused",
        arguments: [
            #""use":1"#, #""use":["sig"]"#, #""key_ops":"verify""#, #""key_ops":{}"#,
            #""key_ops":[1]"#, #""key_ops":["verify","verify"]"#, #""key_ops":["verify",["sign"]]"#,
            #""alg":1"#, #""alg":["ES256"]"#, #""d":null"#, #""d":1"#,
            #""key_ops":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","verify"]"#,
        ])
    func wrongType(_ members: String) throws {
        let text = try Self.json(TestPublicPEM.p256, members)
        #expect(keyRefusal { try JWK(text) }?.code == .malformed)
        let set = try KeySet(jwks: #"{"keys":[\#(text)]}"#)
        #expect(set.keys.isEmpty)
        #expect(set.skipped.map(\.reason.code) == [.malformed])
    }

    @Test(
        "An alg that does not fit the key is refused",
        arguments: [
            ("ES384", KeyError.Code.algorithmMismatch), ("ES512", .algorithmMismatch),
            ("RS256", .algorithmMismatch),
            ("EdDSA", .algorithmMismatch), ("Ed25519", .algorithmMismatch),
            ("HS256", .unsupportedAlgorithm),
            ("none", .unsupportedAlgorithm), ("ES256K", .unsupportedAlgorithm),
            ("es256", .unsupportedAlgorithm),
            ("ECDH-ES", .unsupportedAlgorithm), ("RSA-OAEP", .unsupportedAlgorithm),
            ("", .unsupportedAlgorithm),
        ])
    func wrongAlgorithm(_ name: String, _ code: KeyError.Code) throws {
        let text = try Self.json(TestPublicPEM.p256, #""alg":"\#(name)""#)
        let jwk = try JWK(text)
        #expect(keyRefusal { try VerificationKey(jwk: jwk) }?.code == code)
        // The caller's setting does not override the key's own.
        #expect(keyRefusal { try VerificationKey(jwk: jwk, algorithm: .es256) } != nil)
        #expect(try KeySet(jwks: #"{"keys":[\#(text)]}"#).skipped.map(\.reason.code) == [code])
    }

    @Test("The caller's algorithm never overrides the key's own")
    func callerOverrides() throws {
        let marked = try JWK(Self.json(TestPublicPEM.rsa, #""alg":"RS256""#))
        for algorithm in SignatureAlgorithm.allCases where algorithm != .rs256 {
            #expect(
                keyRefusal { try VerificationKey(jwk: marked, algorithm: algorithm) }?.code
                    == .algorithmMismatch)
        }
        let unmarked = try JWK(Self.json(TestPublicPEM.rsa))
        #expect(keyRefusal { try VerificationKey(jwk: unmarked) }?.code == .algorithmRequired)
        #expect(keyRefusal { try SigningKey(pem: TestPrivatePEM.rsa) }?.code == .algorithmRequired)
        // In a set, alg binds, whatever default the caller names for keys without one.
        let set = try KeySet(
            jwks: #"{"keys":[\#(Self.json(TestPublicPEM.rsa, #""alg":"PS384""#))]}"#,
            rsaAlgorithm: .rs256)
        #expect(set.keys.map(\.algorithm) == [.ps384])
    }

    @Test("crv and kty that do not fit the numbers are refused")
    func wrongCurve() throws {
        let ec = TestPublicPEM.p256
        let cases: [(String, KeyError.Code)] = [
            (try Self.json(ec, replacing: [("P-256", "P-384")]), .invalidKeyMaterial),
            (try Self.json(ec, replacing: [("P-256", "secp256k1")]), .unsupportedKeyType),
            (try Self.json(ec, replacing: [("P-256", "p-256")]), .unsupportedKeyType),
            (try Self.json(ec, replacing: [("P-256", "Ed25519")]), .unsupportedKeyType),
            (try Self.json(ec, replacing: [(#""EC""#, #""OKP""#)]), .unsupportedKeyType),
            (try Self.json(ec, replacing: [(#""EC""#, #""RSA""#)]), .malformed),
            (try Self.json(ec, replacing: [(#""EC""#, #""oct""#)]), .malformed),
            (try Self.json(ec, replacing: [(#""EC""#, #""ec""#)]), .unsupportedKeyType),
            (try Self.json(ec, replacing: [(#""EC""#, #""AKP""#)]), .unsupportedKeyType),
            (try Self.json(ec, replacing: [(#""EC""#, "1")]), .malformed),
            (
                try Self.json(TestPublicPEM.ed25519, replacing: [("Ed25519", "X448")]),
                .unsupportedKeyType
            ),
            (
                try Self.json(TestPublicPEM.ed25519, replacing: [("Ed25519", "Ed448")]),
                .unsupportedKeyType
            ),
            // The Kelvin sign, which Swift's == equates with K.
            (
                try Self.json(TestPublicPEM.ed25519, replacing: [("OKP", "O\u{212a}P")]),
                .unsupportedKeyType
            ),
            (#"{"kid":"k1"}"#, .malformed), (#"{"kty":"EC"}"#, .unsupportedKeyType),
            (#"{"kty":"RSA"}"#, .malformed),
            (#"{"kty":"oct"}"#, .malformed), (#"{"kty":"oct","k":""}"#, .invalidKeyMaterial),
            ("[]", .malformed),
        ]
        for (json, code) in cases { #expect(keyRefusal { try JWK(json) }?.code == code, "\(json)") }
    }

    @Test("An X25519 key agrees on keys, and neither verifies nor signs")
    func agreementKeys() throws {
        let json = try Self.json(TestPublicPEM.ed25519, replacing: [("Ed25519", "X25519")])
        let key = try JWK(json)
        #expect(keyRefusal { try VerificationKey(jwk: key) }?.code == .unsupportedKeyType)
        #expect(
            keyRefusal { try VerificationKey(jwk: key, algorithm: .edDSA) }?.code
                == .unsupportedKeyType)
        #expect(keyRefusal { try HMACKey(jwk: key, algorithm: .hs256) }?.code == .wrongKeyClass)
    }

    @Test(
        "An HMAC key obeys its use and key_ops",
        arguments: [
            (#""use":"enc""#, false, false), (#""key_ops":[]"#, false, false),
            (#""key_ops":["encrypt"]"#, false, false),
            (#""key_ops":["sign"]"#, true, false), (#""key_ops":["verify"]"#, false, true),
            (#""key_ops":["sign","verify"],"use":"sig""#, true, true),
            (#""use":"enc","key_ops":["sign","verify"]"#, false, false),
        ])
    func hmac(_ members: String, _ canSign: Bool, _ canVerify: Bool) throws {
        let jwk = try JWK(
            #"{"kty":"oct","k":"\#(Base64URL.encode(TestKeys.secret))","alg":"HS256",\#(members)}"#)
        guard canSign || canVerify else {
            #expect(keyRefusal { try HMACKey(jwk: jwk) }?.code == .operationNotAllowed)
            return
        }
        var key = try HMACKey(jwk: jwk)
        for _ in 0..<2 {
            #expect((keyRefusal { try TokenSigner(hmacKey: key, clock: .still) } == nil) == canSign)
            #expect((keyRefusal { try JWSSigner(hmacKey: key) } == nil) == canSign)
            let policy = try TestClaims.policy()
            #expect(
                (keyRefusal { try TokenVerifier(hmacKey: key, policy: policy) } == nil) == canVerify
            )
            #expect((keyRefusal { try JWSVerifier(hmacKey: key) } == nil) == canVerify)
            #expect(
                (keyRefusal { try TokenVerifier(hmacKeys: HMACKeySet([key]), policy: policy) }
                    == nil)
                    == canVerify)
            #expect(
                (keyRefusal { try JWSVerifier(hmacKeys: HMACKeySet([key])) } == nil) == canVerify)
            // Writing it and reading it back gives it no additional rights.
            key = try HMACKey(jwk: JWK(key.exportPrivateJSON().exposedText()))
        }
    }

    @Test("Signing needs a private key that may sign")
    func signing() throws {
        #expect(keyRefusal { try SigningKey(pem: TestPublicPEM.p256) }?.code == .privateKeyRequired)
        let text = try JWK(pem: TestPrivatePEM.p256).exportPrivateJSON().exposedText()
        for members in [
            #""use":"enc""#, #""key_ops":["verify"]"#, #""key_ops":[]"#,
            #""key_ops":["deriveKey"]"#,
        ] {
            let jwk = try JWK(text.dropLast() + "," + members + "}")
            #expect(
                keyRefusal { try SigningKey(jwk: jwk) }?.code == .operationNotAllowed, "\(members)")
        }
        let jwk = try JWK(text.dropLast() + #","key_ops":["sign"]}"#)
        // The public half of a signing key may verify, and says so.
        #expect(try SigningKey(jwk: jwk).verificationKey.algorithm == .es256)
        #expect(try VerificationKey(jwk: jwk).jwk.keyOperations == ["verify"])
        let both = try JWK(text.dropLast() + #","key_ops":["sign","verify"]}"#)
        #expect(try both.publicKey().keyOperations == ["verify"])
    }

    @Test(
        "The public half of a private key does what fits the private half (RFC 7517, section 4.3)",
        arguments: [
            ([], []), (["verify"], ["verify"]), (["decrypt"], ["encrypt"]),
            (["unwrapKey"], ["wrapKey"]),
            (["wrapKey", "unwrapKey", "decrypt", "x"], ["wrapKey", "encrypt", "x"]),
            (["deriveKey"], nil), (["deriveBits", "deriveKey"], nil),
            (["deriveKey", "sign"], ["verify"]), (["Decrypt"], ["Decrypt"]),
        ] as [([String], [String]?)])
    func publicHalf(_ own: [String], _ other: [String]?) throws {
        let text = try JWK(pem: TestPrivatePEM.p256).exportPrivateJSON().exposedText()
        let names = own.map { "\"\($0)\"" }.joined(separator: ",")
        let json = String(text.dropLast()) + ",\"key_ops\":[\(names)]}"
        let half = try JWK(json).publicKey()
        #expect(half.keyOperations == other)
        #expect(half.use == (other == nil ? "enc" : nil))
        #expect(try half.publicKey().keyOperations == other)
        let read = try JWK(half.publicJSON())
        #expect(read.keyOperations == other && read.use == half.use)
        // Without its key_ops, a key that derives verifies nothing, also where it was published
        // with its private half.
        if other == nil {
            #expect(
                keyRefusal { try VerificationKey(jwk: JWK(json)) }?.code == .operationNotAllowed)
            #expect(try KeySet(jwks: "{\"keys\":[\(json)]}").keys.isEmpty)
            #expect(throws: Never.self) {
                try EncryptionKey(jwk: JWK(json), algorithm: .ecdhESA256KW)
            }
        }
    }

    @Test("Senders read a published key of a receiver who limited the private half")
    func publishedOperations() throws {
        let text = try JWK(pem: TestPrivatePEM.rsa).exportPrivateJSON().exposedText()
        for operation in ["decrypt", "unwrapKey"] {
            let jwk = try JWK(text.dropLast() + ",\"key_ops\":[\"\(operation)\"]}")
            let half = try JWK(jwk.publicJSON())
            for key in [jwk, half] {
                #expect(throws: Never.self) { try EncryptionKey(jwk: key, algorithm: .rsaOAEP256) }
            }
        }
    }
}
