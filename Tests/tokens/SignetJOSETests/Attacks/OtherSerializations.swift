// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// A token is a compact JWS of three parts: there is no "either" entry point (CVE-2022-39227, CVE-2026-29000).
@Suite("Serializations other than the compact JWS")
struct OtherSerializations {
    static func refuses(_ token: String) throws -> Bool {
        let policy = try TestClaims.policy(
            issuer: .notChecked, audience: .notChecked, expiration: .optional)
        let secret = try TokenVerifier(hmacKey: TestKeys.hmac(keyID: nil), policy: policy)
        let codes = [
            refusal { try TestKeys.verifier(.rs256, policy: policy).verify(token) }?.code,
            refusal { try JWSVerifier(key: TestKeys.verification(.rs256)).verify(token) }?.code,
            refusal { try UnverifiedToken(token) }?.code,
        ]
        return codes.allSatisfy { $0 == .malformed } && refusal { try secret.verify(token) } != nil
    }

    static func parts() throws -> [Substring] {
        try Forge.token(TestKeys.header("RS256"), by: Forge.rs256()).split(separator: ".")
    }

    @Test("Flattened and general JSON serialisations with a good signature are refused")
    func json() throws {
        let parts = try Self.parts()
        let flattened =
            #"{"protected":"\#(parts[0])","payload":"\#(parts[1])","signature":"\#(parts[2])"}"#
        let general =
            #"{"payload":"\#(parts[1])","signatures":[{"protected":"\#(parts[0])","signature":"\#(parts[2])"}]}"#
        for text in [flattened, general, "[\(flattened)]", " " + flattened] {
            #expect(try Self.refuses(text))
        }
    }

    @Test("A compact token inside JSON inside a compact token is refused")
    func polyglot() throws {
        let parts = try Self.parts()
        let token = parts.joined(separator: ".")
        for text in [
            #"{"payload":"\#(parts[1])","x":".\#(token)."}"#, #"{"a":"\#(token)"}"#, "\"\(token)\"",
            "[\(token)]",
            token + "{}", #"{"":"."# + token,
            parts[0] + "." + parts[1] + "." + parts[2] + #"","signature":""}"#,
        ] as [String] {
            #expect(try Self.refuses(text), "\(text.prefix(20))")
        }
        // The JSON form as the header part of a compact one.
        let json =
            #"{"protected":"\#(parts[0])","payload":"\#(parts[1])","signature":"\#(parts[2])"}"#
        let nested = try Forge.token(json, by: Forge.rs256())
        #expect(refusal { try TestKeys.verifier(.rs256).verify(nested) }?.code == .malformed)
    }

    @Test("alg, kid and header outside the protected header change nothing")
    func unprotected() throws {
        let token = try Forge.token(
            TestKeys.header("RS256"),
            TestClaims.json(adding: #""header":{"alg":"none"},"alg":"none","kid":"x""#),
            by: Forge.rs256())
        #expect(try TestKeys.verifier(.rs256).verify(token).header.algorithm == "RS256")
        let inside = #"{"kid":"k1","header":{"alg":"RS256"},"protected":{"alg":"RS256"}}"#
        #expect(
            refusal {
                try TestKeys.verifier(.rs256).verify(Forge.token(inside, by: Forge.rs256()))
            }?.code
                == .malformed)
    }

    @Test("A JWE has five parts and is rejected, whatever is inside it")
    func encrypted() throws {
        let parts = try Self.parts()
        let header = Forge.encoded(#"{"alg":"dir","enc":"A128GCM","kid":"k1"}"#)
        let plain = Forge.compact(#"{"alg":"none"}"#, TestClaims.json, [])
        for text in [
            "\(header)..AAAA.\(parts[1]).AAAA", "\(header).\(parts[1]).AAAA.AAAA.AAAA",
            "\(header)....",
            "\(header).AAAA.AAAA.\(Forge.encoded(plain)).AAAA",
            "\(parts[0]).\(parts[1]).\(parts[2])..",
        ] {
            #expect(try Self.refuses(text), "\(text.prefix(40))")
        }
    }

    @Test("A JWE header over a JWS, a nested token and a PlainJWT inside are refused")
    func signOrEncrypt() throws {
        let verifier = try TestKeys.verifier(.rs256)
        for algorithm in [
            "RSA-OAEP", "RSA-OAEP-256", "RSA1_5", "dir", "ECDH-ES", "PBES2-HS256+A128KW",
        ] {
            let header = #"{"alg":"\#(algorithm)","enc":"A128GCM","kid":"k1"}"#
            let token = try Forge.token(header, by: Forge.rs256())
            #expect(refusal { try verifier.verify(token) }?.code == .algorithmNotAllowed)
        }
        // A nested token is a payload that is not claims: it is not unwrapped.
        let honest = try Self.parts().joined(separator: ".")
        for inner in [honest, Forge.compact(#"{"alg":"none"}"#, TestClaims.json, [])] {
            let nested = try Forge.token(
                #"{"alg":"RS256","kid":"k1","cty":"JWT"}"#, inner, by: Forge.rs256())
            #expect(refusal { try verifier.verify(nested) }?.code == .malformed)
        }
    }

    @Test("A PBES2 iteration count in the header (CVE-2026-33204) is never used")
    func iterations() throws {
        let verifier = try TestKeys.verifier(.rs256)
        for count in ["2147483647", "9007199254740991", "1e308", "-1", #""many""#] {
            let header =
                #"{"alg":"PBES2-HS512+A256KW","enc":"A256GCM","p2s":"AAAAAAAAAAA","p2c":\#(count)}"#
            let started = ThreadClock.now
            let token = try Forge.token(header, by: Forge.rs256())
            #expect(refusal { try verifier.verify(token) }?.code == .algorithmNotAllowed)
            #expect(try Self.refuses("\(Forge.encoded(header)).AAAA.AAAA.AAAA.AAAA"))
            // One RSA signature of ours; 2^31 rounds of HMAC take half an hour.
            #expect(ThreadClock.now - started < .seconds(5))
        }
    }

    @Test("Keys for encryption or key agreement verify nothing")
    func encryptionKey() throws {
        let own = try JWK(pem: TestPublicPEM.rsa, keyID: "k1").publicJSON().dropLast()
        for members in [
            #""use":"enc""#, #""alg":"RSA-OAEP""#, #""use":"enc","alg":"RSA-OAEP-256""#,
            #""key_ops":["encrypt"]"#,
        ] {
            let set = try KeySet(jwks: #"{"keys":[\#(own),\#(members)}]}"#)
            #expect(set.keys.isEmpty)
            let verifier = TokenVerifier(keys: set, policy: try TestClaims.policy())
            let token = try Forge.token(TestKeys.header("RS256"), by: Forge.rs256())
            #expect(refusal { try verifier.verify(token) }?.code == .noMatchingKey)
        }
    }
}
