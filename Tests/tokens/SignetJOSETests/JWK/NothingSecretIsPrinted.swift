// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// No secret appears in a description, a dump, a mirror or an error, in any encoding that someone
/// might print.
@Suite("Printing of keys and tokens")
struct NothingSecretIsPrinted {
    /// Everything that printing can show of a value.
    static func rendered(_ value: Any) -> String {
        var text =
            "\(value)\n" + String(reflecting: value) + "\n" + String(describing: value) + "\n"
        dump(value, to: &text)
        show(Mirror(reflecting: value), depth: 0, in: &text)
        return text
    }

    /// Mirrors all the way down, as a debugger or a logging library walks them.
    static func show(_ mirror: Mirror, depth: Int, in text: inout String) {
        guard depth < 12 else { return }
        var next: Mirror? = mirror
        while let level = next {
            for child in level.children {
                text += "\(child.label ?? "-"): \(child.value) \(String(reflecting: child.value))\n"
                show(Mirror(reflecting: child.value), depth: depth + 1, in: &text)
            }
            next = level.superclassMirror
        }
    }

    /// How printed bytes look. Eight of them are enough to recognise.
    static func traces(_ bytes: [UInt8]) -> [String] {
        let middle = bytes.dropFirst(bytes.count / 3).prefix(9)
        let hex = middle.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return [
            middle.map { String($0) }.joined(separator: ", "), hex.joined(),
            hex.joined().uppercased(),
            middle.map { "\($0)" }.joined(separator: "\n"), Base64URL.encode(Array(middle)),
            String(Base64URL.encode(bytes).dropFirst(4).prefix(16)),
            Base64Standard.encode(Array(middle)),
            String(Base64Standard.encode(bytes).dropFirst(4).prefix(16)),
        ]
    }

    static func secrets(of json: String) -> [[UInt8]] {
        ["d", "p", "q", "dp", "dq", "qi", "k"].compactMap { name in
            (try? secretMember(json, name)).flatMap { try? Base64URL.decode($0) }
        }
    }

    static func expectNothing(of secrets: [[UInt8]], in values: [Any], _ name: String) {
        #expect(!secrets.isEmpty)
        for value in values {
            let text = rendered(value)
            for secret in secrets {
                for trace in traces(secret) where text.contains(trace) {
                    Issue.record(
                        "\(name): \(type(of: value)) shows \(trace.count) characters of its secret")
                }
            }
        }
    }

    @Test("The search finds a planted secret")
    func control() throws {
        let secret = TestKeys.secret
        #expect(Self.traces(secret).contains { Self.rendered(secret).contains($0) })
        #expect(
            Self.traces(secret).contains {
                Self.rendered(["k": Base64URL.encode(secret)]).contains($0)
            })
        struct Careless { let key: [UInt8] }
        #expect(
            Self.traces(secret).contains { Self.rendered([Careless(key: secret)]).contains($0) })
    }

    @Test(
        "Private keys, their signers and verifiers print no secret",
        arguments: SignatureAlgorithm.allCases)
    func privateKeys(_ algorithm: SignatureAlgorithm) throws {
        let key = try TestKeys.signing(algorithm)
        let json = try key.exportPrivateJSON().exposedText()
        let jwk = try JWK(json)
        let set = try KeySet(jwks: #"{"keys":[\#(json),{"kty":"EC","d":"AAAA"}]}"#)
        let values: [Any] = [
            key, jwk, jwk.material, try jwk.publicKey(), key.verificationKey, set, set.skipped,
            try VerificationKey(jwk: jwk), JWSSigner(key: key),
            TokenSigner(key: key, clock: .still),
            JWSVerifier(keys: set),
            TokenVerifier(keys: set, policy: try TestClaims.policy()), [key],
            ["key": key] as [String: Any],
            Optional(key) as Any, Result<SigningKey, KeyError>.success(key),
        ]
        Self.expectNothing(of: Self.secrets(of: json), in: values, algorithm.name)
    }

    @Test(
        "HMAC keys, their signers and verifiers print no secret", arguments: HMACAlgorithm.allCases)
    func secretKeys(_ algorithm: HMACAlgorithm) throws {
        let key = try TestKeys.hmac(algorithm)
        let jwk = try JWK(key.exportPrivateJSON().exposedText())
        let ring = HMACKeySet([key])
        let values: [Any] = [
            key, jwk, jwk.material, key.mac, ring, SecretKey(copying: TestKeys.secret),
            try JWSSigner(hmacKey: key),
            try TokenSigner(hmacKey: key, clock: .still), try JWSVerifier(hmacKey: key),
            try JWSVerifier(hmacKeys: ring),
            try TokenVerifier(hmacKey: key, policy: TestClaims.policy()),
            try TokenVerifier(hmacKeys: ring, policy: TestClaims.policy()), [key],
            Optional(key) as Any,
        ]
        Self.expectNothing(of: [TestKeys.secret], in: values, algorithm.name)
    }

    @Test("Keys that decrypt print no secret, nor does a decrypter that knows headers")
    func decryptionKeys() throws {
        let secret = (1...32).map { UInt8($0) &* 37 }
        let key = try DecryptionKey(secret: SecretKey(copying: secret), algorithm: .direct)
        let decrypter = JWEDecrypter(key: key)
        let token = try JWEEncrypter(to: key.encryptionKey(), content: .a256GCM).encrypt(
            "said".utf8)
        #expect(try decrypter.decrypt(token).payload == Array("said".utf8))
        let values: [Any] = [
            key, decrypter, try DecryptionKeySet(current: key), try key.encryptionKey(),
        ]
        Self.expectNothing(of: [secret], in: values, "dir")
    }

    @Test(
        "Errors about damaged keys print no secret", .tags(.fuzzing, .sampled),
        arguments: SignatureAlgorithm.allCases)
    func keyErrors(_ algorithm: SignatureAlgorithm) throws {
        let json = try TestKeys.signing(algorithm).exportPrivateJSON().exposedText()
        let pem = TestKeys.pem(algorithm)
        var errors: [Any] = []
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<Effort.rounds(200) {
            for text in [json, pem] {
                var bytes = Array(text.utf8)
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<7, using: &generator)
                if let error = keyRefusal({ text == json ? try JWK(bytes) : try JWK(pem: bytes) }) {
                    errors.append(error)
                }
            }
        }
        #expect(errors.count > Effort.rounds(100))
        // One text for all of them, so that it is searched once.
        Self.expectNothing(of: Self.secrets(of: json), in: [errors.map { "\($0)" }], algorithm.name)
    }

    @Test("Errors about tokens print no part of the token")
    func tokenErrors() throws {
        let marker = "MARKER-7f3a9c"
        let payload = TestClaims.json(adding: #""secret":"\#(marker)""#)
        let verifier = try TestKeys.verifier(.rs256, policy: TestClaims.policy(type: .exactly("x")))
        struct Typed: Decodable { var secret: Int }
        for token in [
            try Forge.token(TestKeys.header(marker), payload, by: Forge.rs256()),
            try Forge.token(TestKeys.header("RS256", keyID: marker), payload, by: Forge.rs256()),
            try Forge.token(
                #"{"alg":"RS256","kid":"k1","typ":"\#(marker)"}"#, payload, by: Forge.rs256()),
            try Forge.token(
                #"{"alg":"RS256","kid":"k1","crit":["\#(marker)"]}"#, payload, by: Forge.rs256()),
            try Forge.token(#"{"alg":"RS256","kid":"k1","typ":"x"}"#, payload, by: Forge.rs256()),
            try Forge.token(
                #"{"alg":"RS256","kid":"k1","typ":"x"}"#, #"{"iss":"\#(marker)"}"#,
                by: Forge.rs256()),
            Forge.compact(TestKeys.header("RS256"), payload, [1]), marker,
            "\(marker).\(marker).\(marker)",
        ] {
            let error = refusal { try verifier.verify(token, as: Typed.self) }
            #expect(error != nil)
            #expect(!Self.rendered(error as Any).contains(marker))
            #expect(
                !Self.rendered(error as Any).contains(
                    Base64URL.encode(Array(marker.utf8)).prefix(12)))
        }
    }
}
