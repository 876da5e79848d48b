// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// CVE-2018-0114, CVE-2026-27962: a token never says which key to trust. None of this is read, let
/// alone fetched.
@Suite("Keys embedded in a token")
struct EmbeddedKeys {
    static func attacker() throws -> (key: ECPrivateKey, jwk: String, signer: Forge.Signer) {
        let key = try ECPrivateKey.generate(curve: .p256)
        let jwk = try JWK(material: .key(.ecPrivate(key)), keyID: "k1").publicJSON()
        return (key, jwk, { try key.signature(for: $0, hash: .sha256) })
    }

    static func members(_ jwk: String) -> [(String, String)] {
        [
            ("jwk", #""jwk":\#(jwk)"#),
            ("jku", #""jku":"https://attacker.example/jwks.json""#),
            ("jku of a file", #""jku":"file:///etc/passwd""#),
            ("x5u", #""x5u":"http://169.254.169.254/latest/meta-data""#),
            ("x5c", #""x5c":["MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A"]"#),
            ("x5t", #""x5t":"AAAA","x5t#S256":"AAAA""#),
            ("jwk of another type", #""jwk":[[1]],"jku":7,"x5u":null,"x5c":{}"#),
            ("jwk with a secret", #""jwk":{"kty":"oct","k":"AAAA"}"#),
        ]
    }

    @Test("jwk, jku, x5u and x5c in the header are not trusted", arguments: 0..<8)
    func notTrusted(_ index: Int) throws {
        let (_, jwk, signer) = try Self.attacker()
        let (name, member) = Self.members(jwk)[index]
        let verifier = try TestKeys.verifier(.es256)
        let known = try Forge.token(#"{"alg":"ES256","kid":"k1",\#(member)}"#, by: signer)
        #expect(refusal { try verifier.verify(known) }?.code == .signatureInvalid, "\(name)")
        let unknown = try Forge.token(#"{"alg":"ES256","kid":"mine",\#(member)}"#, by: signer)
        #expect(refusal { try verifier.verify(unknown) }?.code == .noMatchingKey, "\(name)")
        let nameless = try Forge.token(#"{"alg":"ES256",\#(member)}"#, by: signer)
        #expect(refusal { try verifier.verify(nameless) }?.code == .signatureInvalid, "\(name)")
        // A set without keys does not fall back to what the token brings (Authlib's key=None).
        let empty = TokenVerifier(keys: KeySet([]), policy: try TestClaims.policy())
        #expect(refusal { try empty.verify(nameless) }?.code == .noMatchingKey, "\(name)")
    }

    @Test("They change nothing for a token of the right key", arguments: 0..<8)
    func ignored(_ index: Int) throws {
        let (name, member) = Self.members(try Self.attacker().jwk)[index]
        let token = try Forge.token(#"{"alg":"ES256","kid":"k1",\#(member)}"#, by: Forge.es256())
        #expect(try TestKeys.verifier(.es256).verify(token).keyID == "k1", "\(name)")
    }

    @Test("A key in the claims (cnf, jwk) is only data")
    func confirmationClaim() throws {
        let (_, jwk, signer) = try Self.attacker()
        let payload = TestClaims.json(adding: #""cnf":{"jwk":\#(jwk)},"jwk":\#(jwk)"#)
        let token = try Forge.token(TestKeys.header("ES256"), payload, by: signer)
        #expect(refusal { try TestKeys.verifier(.es256).verify(token) }?.code == .signatureInvalid)
    }

    @Test("x5c in a JWK is ignored: the numbers are the key")
    func certificateInKey() throws {
        let own = try JWK(pem: TestPublicPEM.p256, keyID: "k1").publicJSON()
        let set = try KeySet(
            jwks: #"{"keys":[\#(own.dropLast()),"x5c":["AAAA"],"x5u":"http://a.example"}]}"#)
        #expect(set.keys.count == 1)
        let token = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        _ = try TokenVerifier(keys: set, policy: TestClaims.policy()).verify(token)
    }
}
