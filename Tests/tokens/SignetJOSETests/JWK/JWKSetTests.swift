// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// RFC 7517, section 5: a set with members that cannot be used still works, and says which and why.
@Suite("Key sets")
struct JWKSetTests {
    static func publicJSON(_ pem: String, keyID: String, _ members: String = "") throws -> String {
        let text = try JWK(pem: pem, keyID: keyID).publicJSON()
        return members.isEmpty ? text : text.dropLast() + "," + members + "}"
    }

    @Test("Unusable members are skipped with a reason, and the rest verifies")
    func unusableMembersAreSkipped() throws {
        let point = #""x":"AAAA","y":"AAAA""#
        let members: [(String, String?, KeyError.Code?)] = [
            (
                #"{"kty":"EC","crv":"secp256k1","kid":"k256",\#(point)}"#, "k256",
                .unsupportedKeyType
            ),
            (
                #"{"kty":"AKP","alg":"ML-DSA-65","kid":"pq","pub":"AAAA"}"#, "pq",
                .unsupportedKeyType
            ),
            (
                #"{"kty":"OKP","crv":"X25519","kid":"dh","x":"\#(Base64URL.encode([UInt8](1...32)))"}"#,
                "dh", .unsupportedKeyType
            ),
            (#"{"kty":"OKP","crv":"X25519","kid":"cut","x":"AAAA"}"#, "cut", .invalidKeyMaterial),
            (
                #"{"kty":"oct","k":"\#(Base64URL.encode(TestKeys.secret))","kid":"secret"}"#,
                "secret",
                .wrongKeyClass
            ),
            (
                try Self.publicJSON(TestPublicPEM.rsa, keyID: "enc", #""use":"enc""#), "enc",
                .operationNotAllowed
            ),
            (
                try Self.publicJSON(TestPublicPEM.rsa, keyID: "oaep", #""alg":"RSA-OAEP""#), "oaep",
                .unsupportedAlgorithm
            ),
            (
                try Self.publicJSON(TestPublicPEM.p256, keyID: "cross", #""alg":"RS256""#), "cross",
                .algorithmMismatch
            ),
            (#"{"kty":"RSA","n":"AQAB","e":"AQAB","kid":"short"}"#, "short", .keyTooShort),
            (#"{"kty":"EC","crv":"P-256","kid":"off",\#(point)}"#, "off", .invalidKeyMaterial),
            (#"{"kid":7,"kty":"RSA"}"#, nil, .malformed), (#"{"kid":"bare"}"#, "bare", .malformed),
            ("{}", nil, .malformed), ("null", nil, .malformed), ("[]", nil, .malformed),
            (#""k1""#, nil, .malformed),
            (try Self.publicJSON(TestPublicPEM.p256, keyID: "k1"), nil, nil),
        ]
        let set = try KeySet(jwks: #"{"x":1,"keys":[\#(members.map(\.0).joined(separator: ","))]}"#)
        #expect(set.keys.map(\.keyID) == ["k1"])
        #expect(set.skipped.map(\.index) == Array(0..<(members.count - 1)))
        #expect(set.skipped.map(\.keyID) == members.dropLast().map(\.1))
        #expect(set.skipped.map(\.reason.code) == members.dropLast().map { $0.2 })
        #expect(
            set.skipped.allSatisfy {
                !$0.reason.message.isEmpty && $0.description.contains($0.reason.code.rawValue)
            })
        let token = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        _ = try TokenVerifier(keys: set, policy: TestClaims.policy()).verify(token)
        // A skipped key does not come back by its name.
        let skipped = try Forge.token(TestKeys.header("RS256", keyID: "enc"), by: Forge.rs256())
        #expect(
            refusal { try TokenVerifier(keys: set, policy: TestClaims.policy()).verify(skipped) }?
                .code
                == .noMatchingKey)
    }

    @Test(
        "A malformed set is refused",
        arguments: [
            "", "[]", "{}", "null", #"{"keys":{}}"#, #"{"keys":null}"#, #"{"keys":"x"}"#,
            #"{"Keys":[]}"#,
            #"[{"keys":[]}]"#,
            #"{"keys":[]"#, #"{"keys":[]}x"#, "\u{feff}\u{feff}{\"keys\":[]}", #"{"keys":[],}"#,
            "<html></html>",
        ])
    func malformed(_ text: String) {
        #expect(keyRefusal { try KeySet(jwks: text) }?.code == .malformed)
        #expect(keyRefusal { try HMACKeySet(jwks: text.utf8) }?.code == .malformed)
    }

    @Test("An empty set loads and matches nothing")
    func empty() throws {
        let set = try KeySet(jwks: #"{"keys":[]}"#)
        #expect(set.keys.isEmpty && set.skipped.isEmpty)
        #expect(try set.jwksJSON() == #"{"keys":[]}"#)
        for header in [TestKeys.header("ES256"), #"{"alg":"ES256"}"#] {
            let token = try Forge.token(header, by: Forge.es256())
            #expect(
                refusal { try TokenVerifier(keys: set, policy: TestClaims.policy()).verify(token) }?
                    .code
                    == .noMatchingKey)
        }
    }

    @Test(
        "RSA members without alg get the caller's one algorithm, RS256 by default, or are skipped")
    func withoutAlgorithm() throws {
        let text =
            #"{"keys":[\#(try Self.publicJSON(TestPublicPEM.rsa, keyID: "k1", #""x5t":"AAAA","x5c":["AAAA"],"issuer":"i""#))]}"#
        #expect(try KeySet(jwks: text).keys.map(\.algorithm) == [.rs256])
        #expect(try KeySet(jwks: text, rsaAlgorithm: .ps512).keys.map(\.algorithm) == [.ps512])
        #expect(
            try KeySet(jwks: text, rsaAlgorithm: nil).skipped.map(\.reason.code) == [
                .algorithmRequired
            ])
        #expect(
            try KeySet(jwks: text, rsaAlgorithm: .es256).skipped.map(\.reason.code) == [
                .algorithmMismatch
            ])
    }

    @Test("An Ed25519 member without alg has both names, and one with alg only that one")
    func edwardsNames() throws {
        func accepted(_ members: String) throws -> [String] {
            let text =
                #"{"keys":[\#(try Self.publicJSON(TestPublicPEM.ed25519, keyID: "k1", members))]}"#
            // What is published of it means the same to its readers.
            return try [text, KeySet(jwks: text).jwksJSON()].flatMap { text in
                let verifier = TokenVerifier(
                    keys: try KeySet(jwks: text), policy: try TestClaims.policy())
                return try ["EdDSA", "Ed25519", "ES256"].filter { name in
                    let token = try Forge.token(TestKeys.header(name), by: Forge.ed25519())
                    return refusal { try verifier.verify(token) } == nil
                }
            }
        }
        #expect(try accepted("") == ["EdDSA", "Ed25519", "EdDSA", "Ed25519"])
        #expect(try accepted(#""alg":"EdDSA""#) == ["EdDSA", "EdDSA"])
        #expect(try accepted(#""alg":"Ed25519""#) == ["Ed25519", "Ed25519"])
    }

    @Test(
        "A published set keeps what binds its keys", arguments: SignatureAlgorithm.allCases)
    func publication(_ algorithm: SignatureAlgorithm) throws {
        let key = try TestKeys.verification(algorithm)
        let again = try KeySet(jwks: KeySet([key]).jwksJSON())
        #expect(again.skipped.isEmpty)
        #expect(again.keys.map(\.algorithm) == [algorithm])
        let generated = try KeySet(
            jwks: KeySet([SigningKey.generate(algorithm).verificationKey]).jwksJSON())
        #expect(generated.keys.map(\.algorithm) == [algorithm])
    }

    @Test(
        "Nothing private is published from any source",
        arguments: SignatureAlgorithm.allCases)
    func publicHalvesOnly(_ algorithm: SignatureAlgorithm) throws {
        let text = try JWK(pem: TestKeys.pem(algorithm), keyID: "k1").exportPrivateJSON()
            .exposedText()
        let set = try KeySet(jwks: #"{"keys":[\#(text)]}"#)
        let members = try JSONTokenDecoder().decode(
            JSONValue.self, from: Array(set.jwksJSON().utf8))
        guard case .object(let root) = members, case .array(let keys) = root["keys"],
            case .object(let key) = keys.first
        else {
            Issue.record("no key in the published set")
            return
        }
        #expect(Set(key.keys).isDisjoint(with: ["d", "p", "q", "dp", "dq", "qi", "k"]))
        #expect(try !set.jwksJSON().contains(secretMember(text, "d")))
    }

    @Test("A ring of secrets refuses mixed sets, and names unusable members")
    func secrets() throws {
        let secret = Base64URL.encode(TestKeys.secret)
        let good = #"{"kty":"oct","kid":"a","k":"\#(secret)","alg":"HS256"}"#
        let ring = try HMACKeySet(
            jwks:
                #"{"keys":[\#(good),{"kty":"oct","kid":"b","k":"AAAA","alg":"HS256"},{"kty":"oct","kid":"c","k":"\#(secret)"},{}]}"#
                .utf8)
        #expect(ring.keys.map(\.keyID) == ["a"])
        #expect(ring.skipped.map(\.keyID) == ["b", "c", nil])
        #expect(ring.skipped.map(\.reason.code) == [.keyTooShort, .algorithmRequired, .malformed])
        for other in [TestPublicPEM.rsa, TestPublicPEM.p256, TestPublicPEM.ed25519] {
            let mixed = #"{"keys":[\#(good),\#(try Self.publicJSON(other, keyID: "p"))]}"#
            #expect(keyRefusal { try HMACKeySet(jwks: mixed.utf8) }?.code == .mixedKeySet)
            // Read as a set of public keys, it skips the secret.
            #expect(try KeySet(jwks: mixed).skipped.map(\.reason.code) == [.wrongKeyClass])
        }
        #expect(
            keyRefusal { try HMACKeySet(jwks: #"{"keys":[\#(good),{"kty":"AKP"}]}"#.utf8) }?.code
                == .mixedKeySet)
        let named = try HMACKeySet(
            jwks: #"{"keys":[{"kty":"oct","kid":"c","k":"\#(secret)"}]}"#.utf8, algorithm: .hs512)
        #expect(named.keys.map(\.algorithm) == [.hs512])
        let twice = try TokenVerifier(
            hmacKeys: HMACKeySet(ring.keys + ring.keys), policy: TestClaims.policy())
        let token = try Forge.token(
            TestKeys.header("HS256", keyID: "a"), by: Forge.hmac(TestKeys.secret))
        #expect(refusal { try twice.verify(token) }?.code == .ambiguousKey)
    }
}

/// The text of one member of a JWK.
func secretMember(_ json: String, _ name: String) throws -> String {
    let members = try JSONTokenDecoder().decode([String: JSONValue].self, from: Array(json.utf8))
    guard case .string(let text) = members[name] else { throw Forge.Unexpected() }
    return text
}
