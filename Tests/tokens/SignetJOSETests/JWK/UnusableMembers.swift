// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("One unusable member does not take a key set away")
struct UnusableMembers {
    struct Claims: Codable {
        var iss = "https://idp.example"
        var aud = "api"
    }

    static let unusable: [(String, KeyError.Code)] = [
        (#"{"kty":"EC","kid":"bad","crv":"secp256k1","x":"AA","y":"AA"}"#, .unsupportedKeyType),
        (#"{"kty":"AKP","kid":"bad","alg":"ML-DSA-44","pub":"AA"}"#, .unsupportedKeyType),
        (#"{"kty":"RSA","kid":"bad","e":"AQAB"}"#, .malformed),
        (
            #"{"kty":"oct","kid":"bad","alg":"HS256","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
            .wrongKeyClass
        ),
    ]

    @Test(
        "An unusable member is skipped with its place, kid and reason, and the next key verifies",
        arguments: unusable)
    func skipped(member: String, code: KeyError.Code) throws {
        let key = try SigningKey.generate(.es256, keyID: "good")
        let keys = try KeySet(
            jwks: "{\"keys\":[\(member),\(key.verificationKey.jwk.publicJSON())]}")
        #expect(keys.keys.map(\.keyID) == ["good"])
        #expect(keys.skipped.map(\.index) == [0])
        #expect(keys.skipped.map(\.keyID) == ["bad"])
        #expect(keys.skipped.map(\.reason.code) == [code])

        let verifier = TokenVerifier(
            keys: keys,
            policy: try TokenPolicy(issuer: "https://idp.example", audience: ["api"], clock: .still)
        )
        let token = try TokenSigner(key: key, clock: .still).sign(Claims(), lifetime: .seconds(60))
        #expect(try verifier.verify(token, as: Claims.self).keyID == "good")
    }
}
