// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// CVE-2018-1000531, 2021-22160, 2022-23540: `none` does not exist here, in any spelling, on any
/// path.
@Suite("The algorithm none")
struct NoneAlgorithm {
    static let headers = [
        #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"NONE"}"#, #"{"alg":"nOnE"}"#,
        #"{"alg":"none "}"#,
        #"{"alg":" none"}"#, #"{"alg":"\u006eone"}"#, #"{"alg":"none\u0000"}"#,
        #"{"alg":"n\u200bone"}"#,
        #"{"alg":""}"#, #"{"alg":"none","typ":"JWT","kid":"k1"}"#, #"{"alg":"null","kid":"k1"}"#,
    ]
    static let withoutAlgorithm = [
        "{}", #"{"typ":"JWT"}"#, #"{"ALG":"RS256","kid":"k1"}"#, #"{"alg":null}"#,
        #"{"alg":false}"#,
    ]

    static func refusals(_ token: String) throws -> [TokenError.Code?] {
        let policy = try TestClaims.policy(
            issuer: .notChecked, audience: .notChecked, expiration: .optional)
        let publicKey = try TestKeys.verification(.rs256)
        let anonymous = try TestKeys.verification(.rs256, keyID: nil)
        let secret = try TestKeys.hmac(keyID: nil)
        return [
            refusal { try TokenVerifier(keys: KeySet([publicKey]), policy: policy).verify(token) },
            refusal { try TokenVerifier(keys: KeySet([]), policy: policy).verify(token) },
            refusal { try TokenVerifier(key: anonymous, policy: policy).verify(token) },
            refusal { try TokenVerifier(hmacKey: secret, policy: policy).verify(token) },
            refusal {
                try TokenVerifier(hmacKeys: HMACKeySet([secret]), policy: policy).verify(token)
            },
            refusal { try JWSVerifier(keys: KeySet([publicKey])).verify(token) },
            refusal { try JWSVerifier(key: anonymous).verify(token) },
            refusal { try JWSVerifier(hmacKey: secret).verify(token) },
            refusal { try JWSVerifier(hmacKeys: HMACKeySet([secret])).verify(token) },
        ].map { $0?.code }
    }

    static func signatures() throws -> [[UInt8]] {
        [[], [0], [UInt8](repeating: 0, count: 256), try Forge.rs256()(Array("x".utf8))]
    }

    @Test("none in any spelling is refused, with and without a signature", arguments: headers)
    func none(_ header: String) throws {
        for signature in try Self.signatures() {
            let token = Forge.compact(header, TestClaims.json, signature)
            let codes = try Self.refusals(token)
            #expect(codes.allSatisfy { $0 == .algorithmNotAllowed }, "\(codes)")
        }
    }

    @Test("A missing alg, or one that is not a string, is refused", arguments: withoutAlgorithm)
    func missing(_ header: String) throws {
        for signature in try Self.signatures() {
            let codes = try Self.refusals(Forge.compact(header, TestClaims.json, signature))
            #expect(codes.allSatisfy { $0 == .malformed }, "\(codes)")
        }
    }

    @Test(
        "An honest token without its signature is refused", arguments: SignatureAlgorithm.allCases)
    func stripped(_ algorithm: SignatureAlgorithm) throws {
        let token = try Forge.token(TestKeys.header(algorithm.name), by: Forge.signer(algorithm))
        let parts = token.split(separator: ".").map(String.init)
        let verifier = try TestKeys.verifier(algorithm)
        #expect(
            refusal { try verifier.verify(parts[0] + "." + parts[1] + ".") }?.code
                == .signatureInvalid)
        #expect(refusal { try verifier.verify(parts[0] + "." + parts[1]) }?.code == .malformed)
        // Once more after a good one, when the header is cached.
        _ = try verifier.verify(token)
        #expect(
            refusal { try verifier.verify(parts[0] + "." + parts[1] + ".") }?.code
                == .signatureInvalid)
    }

    @Test("An empty HMAC tag, and one by an empty key, are refused")
    func emptyTag() throws {
        let verifier = try TokenVerifier(hmacKey: TestKeys.hmac(), policy: TestClaims.policy())
        let token = Forge.compact(TestKeys.header("HS256"), TestClaims.json, [])
        #expect(refusal { try verifier.verify(token) }?.code == .signatureInvalid)
        // HMAC-SHA-256 with the empty key equals that with any run of zero bytes up to a block.
        let zero = try Forge.token(TestKeys.header("HS256"), by: Forge.hmac([0]))
        #expect(refusal { try verifier.verify(zero) }?.code == .signatureInvalid)
    }
}
