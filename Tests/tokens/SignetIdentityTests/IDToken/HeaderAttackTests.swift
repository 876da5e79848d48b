// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// What other libraries accept: each is refused with its reason.
@Suite("Attacks on the header and the key")
struct HeaderAttackTests {
    private func code(_ token: String, keys: KeySet? = nil) async throws -> IdentityError.Code? {
        let verifier = try ProviderFixture.openID().verifier(keys: keys)
        return await reason { () async throws(IdentityError) in try await verifier.verify(token) }?
            .code
    }

    @Test(
        "Bad headers under a good signature are refused",
        arguments: [
            (#"{"alg":"none","kid":"rsa-1"}"#, .unsupportedAlg),
            (#"{"alg":"None","kid":"rsa-1"}"#, .unsupportedAlg),
            (#"{"alg":"nOnE"}"#, .unsupportedAlg),
            (#"{"alg":"rs256","kid":"rsa-1"}"#, .unsupportedAlg),
            (#"{"alg":" RS256","kid":"rsa-1"}"#, .unsupportedAlg),
            (#"{"alg":"","kid":"rsa-1"}"#, .unsupportedAlg),
            (#"{"alg":"RS256\u0000","kid":"rsa-1"}"#, .unsupportedAlg),
            (#"{"alg":"RSA-OAEP","enc":"A256GCM"}"#, .unsupportedAlg),
            (#"{"alg":"HS256","kid":"rsa-1"}"#, .algMismatch),
            (#"{"alg":"PS256","kid":"rsa-1"}"#, .algMismatch),
            (#"{"alg":"RS512","kid":"rsa-1"}"#, .algMismatch),
            (#"{"alg":"ES256","kid":"rsa-1"}"#, .algMismatch),
            (#"{"alg":"HS256","kid":"nobody"}"#, .algMismatch),
            (#"{"kid":"rsa-1"}"#, .malformed), (#"{"alg":null,"kid":"rsa-1"}"#, .malformed),
            (#"{"alg":["RS256"],"kid":"rsa-1"}"#, .malformed),
            (#"{"alg":1,"kid":"rsa-1"}"#, .malformed),
            (#"{"alg":"RS256","kid":1}"#, .malformed),
            (#"{"alg":"RS256","kid":"rsa-1","typ":1}"#, .malformed),
            (#"["RS256"]"#, .malformed), ("", .malformed),
            (#"{"alg":"RS256","kid":"rsa-1"}x"#, .malformed),
            (#"{"alg":"RS256","alg":"RS256","kid":"rsa-1"}"#, .duplicateMember),
            (#"{"alg":"none","alg":"RS256","kid":"rsa-1"}"#, .duplicateMember),
            (#"{"alg":"RS256","\u0061lg":"none","kid":"rsa-1"}"#, .duplicateMember),
            (#"{"alg":"RS256","kid":"rsa-1","x":{"a":1,"a":1}}"#, .duplicateMember),
            (#"{"alg":"RS256","kid":"rsa-1","crit":["exp2"],"exp2":1}"#, .critUnknown),
            (#"{"alg":"RS256","kid":"rsa-1","crit":[]}"#, .critUnknown),
            (#"{"alg":"RS256","kid":"rsa-1","crit":null}"#, .critUnknown),
            (#"{"alg":"RS256","kid":"rsa-1","crit":["alg"]}"#, .critUnknown),
            (#"{"alg":"RS256","kid":"rsa-1","b64":false}"#, .critUnknown),
            (#"{"alg":"RS256","kid":"rsa-1","b64":false,"crit":["b64"]}"#, .critUnknown),
            (#"{"alg":"RS256","kid":"rsa-1","typ":"at+jwt"}"#, .typeMismatch),
            (#"{"alg":"RS256","kid":"rsa-1","typ":"logout+jwt"}"#, .typeMismatch),
            (#"{"alg":"RS256","kid":"rsa-1","typ":""}"#, .typeMismatch),
            (#"{"alg":"RS256","kid":"nobody"}"#, .unknownKid),
            (#"{"alg":"RS256","kid":"RSA-1"}"#, .unknownKid),
            (#"{"alg":"RS256","kid":""}"#, .unknownKid),
            (#"{"alg":"RS256","kid":"rsa-1 "}"#, .unknownKid),
            (#"{"alg":"RS256","kid":"../../dev/null"}"#, .unknownKid),
            (#"{"alg":"RS256","kid":"rsa-1","typ":"jwt","jku":"https://evil.example/keys"}"#, nil),
            (#"{"typ":"application/JWT","alg":"RS256","kid":"rsa-1"}"#, nil),
        ] as [(String, IdentityError.Code?)])
    func headers(_ header: String, _ expected: IdentityError.Code?) async throws {
        #expect(
            try await code(ProviderFixture.openID().token([:], header: header)) == expected,
            "\(header)")
    }

    @Test("An RSA public key is never an HMAC secret")
    func confusion() async throws {
        let published = try ProviderKey.rsa.verification.jwk.publicPEM()
        let mac = try MACKey(SecretKey(copying: Array(published.utf8)), hash: .sha256)
        let input =
            try Base64URL.encode(#"{"alg":"HS256","kid":"rsa-1"}"#.utf8) + "."
            + Base64URL.encode(ProviderFixture.openID().claims.json.utf8)
        #expect(
            try await code(
                input + "." + Base64URL.encode(mac.authenticationCode(for: Array(input.utf8))))
                == .algMismatch)
    }

    @Test("A key embedded in the token is ignored")
    func embeddedKey() async throws {
        let jwk = try ProviderKey.foreignRSA.verification.jwk.publicJSON()
        let fixture = try ProviderFixture.openID()
        let token = try ProviderKey.foreignRSA.token(
            fixture.claims.json, header: #"{"alg":"RS256","kid":"rsa-1","jwk":\#(jwk)}"#)
        #expect(try await code(token) == .badSignature)
    }

    @Test(
        "Unusable published keys do not verify, and no other key replaces them"
    )
    func unusableKeys() async throws {
        let good = try ProviderKey.rsa.verification.jwk.publicJSON()
        let members = [
            good,
            good.replacing("rsa-1", with: "enc-1").replacing(
                #""use":"sig""#, with: #""use":"enc""#),
            #"{"kty":"unknown","kid":"odd-1"}"#,
            #"{"kty":"oct","kid":"oct-1","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
            try ProviderKey.ec.verification.jwk.publicJSON(),
            good.replacing("rsa-1", with: "ps-1").replacing("RS256", with: "PS256"),
        ]
        let keys = try KeySet(jwks: "{\"keys\":[" + members.joined(separator: ",") + "]}")
        let fixture = try ProviderFixture.openID()
        func header(_ keyID: String) -> String { #"{"alg":"RS256","kid":"\#(keyID)"}"# }
        #expect(try await code(fixture.token([:], header: header("rsa-1")), keys: keys) == nil)
        for keyID in ["enc-1", "odd-1", "oct-1", "ec-1", "ps-1"] {
            #expect(
                try await code(fixture.token([:], header: header(keyID)), keys: keys)
                    == .keyUnusable,
                "\(keyID)")
        }
        #expect(
            try await code(fixture.token([:], header: header("nobody")), keys: keys) == .unknownKid)
    }

    /// Elsewhere a token with another algorithm pinned a key without "alg" to it, for the life of
    /// the process.
    @Test("A hostile token changes nothing for later good ones")
    func poisoning() async throws {
        let jwk = try ProviderKey.rsa.verification.jwk.publicJSON().replacing(
            #""alg":"RS256","#, with: ""
        )
        .replacing(#","alg":"RS256""#, with: "")
        #expect(!jwk.contains("RS256"))
        let fixture = try ProviderFixture.openID()
        let verifier = try fixture.verifier(keys: KeySet(jwks: "{\"keys\":[\(jwk)]}"))
        let good = try fixture.token()
        for algorithm in ["PS512", "HS256", "none", "ES256"] {
            let hostile = try fixture.token([:], header: #"{"alg":"\#(algorithm)","kid":"rsa-1"}"#)
            #expect(
                await reason { () async throws(IdentityError) in try await verifier.verify(hostile)
                } != nil)
            #expect(try await verifier.verify(good).subject == "u1")
        }
    }

    @Test("Malformed tokens are refused with their codes")
    func shapes() async throws {
        let token = try ProviderFixture.openID().token()
        let parts = token.split(separator: ".").map(String.init)
        let cases: [(String, String, IdentityError.Code)] = [
            ("nothing", "", .malformed), ("dots", "..", .malformed),
            ("two parts", parts[0] + "." + parts[1], .malformed),
            ("four parts", token + ".", .malformed), ("six parts", token + "...", .malformed),
            ("five parts", token + "..", .encrypted),
            ("JWE", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAA.AAAA.AAAA", .encrypted),
            ("Bearer", "Bearer " + token, .malformed), ("a line end", token + "\n", .malformed),
            ("padding", token + "=", .malformed),
            ("JSON", #"{"payload":"","signatures":[]}"#, .malformed),
            (
                "standard alphabet",
                parts[0] + "." + parts[1] + "." + String(repeating: "+/", count: 171),
                .malformed
            ),
            ("no signature", parts[0] + "." + parts[1] + ".", .badSignature),
            (
                "another signature",
                parts[0] + "." + parts[1] + "."
                    + Base64URL.encode([UInt8](repeating: 1, count: 256)),
                .badSignature
            ),
            ("a longer signature", token + "AAAA", .badSignature),
            ("too long", token + String(repeating: "A", count: 16_384), .tooLarge),
            ("far too long", String(repeating: ".", count: 100_000), .tooLarge),
            ("a huge signature", token + String(repeating: "A", count: 3_000), .tooLarge),
            (
                "another payload", parts[0] + "." + Base64URL.encode("{}".utf8) + "." + parts[2],
                .badSignature
            ),
        ]
        for (name, token, expected) in cases {
            #expect(try await code(token) == expected, "\(name)")
        }
        // The last character of a signature of 256 bytes has two spare bits.
        let last = token.utf8.last ?? 0
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let place = alphabet.firstIndex(of: last) ?? 0
        #expect(place % 16 == 0)
        let twin = token.dropLast() + String(decoding: [alphabet[place + 1]], as: UTF8.self)
        #expect(try await code(String(twin)) == .malformed)
    }
}
