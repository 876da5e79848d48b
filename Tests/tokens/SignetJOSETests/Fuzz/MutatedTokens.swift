// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// Damaged tokens: never a crash, and never valid unless the bytes are those of the original.
@Suite("Mutated tokens", .tags(.fuzzing, .sampled))
struct MutatedTokens {
    static let algorithms: [SignatureAlgorithm] = [
        .rs256, .ps384, .es256, .es384, .es512, .ed25519,
    ]
    static let pieces = [
        ".", "..", "=", "==", "+", "/", "-", "_", "\n", " ", "\0", "\u{e9}", "eyJhbGciOiJub25lIn0",
        "e30",
        "A", "{}",
    ]
    static let texts = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "\\udc00", "null", "true",
        "-", "0",
        "1e300",
        "1E-400", "9223372036854775808", "\"alg\"", "\"none\"", "\"crit\":[],", "\"exp\":",
        "\"aud\":[]",
        "\"kid\"", "é", " ",
    ]

    @Test("Mutated tokens never pass or trap", arguments: algorithms)
    func tokens(_ algorithm: SignatureAlgorithm) throws {
        let original = Array(
            try Forge.token(TestKeys.header(algorithm.name), by: Forge.signer(algorithm)).utf8)
        let verifier = try TestKeys.verifier(algorithm)
        let fresh = try TestKeys.verifier(algorithm)
        _ = try verifier.verify(original, as: JSONValue.self)
        var mutator = Mutator(seed: 1, dictionary: Self.pieces)
        for _ in 0..<Effort.rounds(2_000) {
            let bytes = mutator.mutated(original)
            let isValid = refusal { try verifier.verify(bytes, as: JSONValue.self) } == nil
            #expect(isValid == (bytes == original))
            _ = refusal { try fresh.verify(bytes, as: JSONValue.self) }
            _ = refusal { try UnverifiedToken(String(decoding: bytes, as: UTF8.self)) }
        }
    }

    @Test("Mutated HMAC tokens never pass or trap", arguments: HMACAlgorithm.allCases)
    func hmacTokens(_ algorithm: HMACAlgorithm) throws {
        let signer = try Forge.hmac(TestKeys.secret, algorithm.hash)
        let original = Array(try Forge.token(TestKeys.header(algorithm.name), by: signer).utf8)
        let verifier = try TokenVerifier(
            hmacKey: TestKeys.hmac(algorithm), policy: TestClaims.policy())
        var mutator = Mutator(seed: 2, dictionary: Self.pieces)
        for _ in 0..<Effort.rounds(4_000) {
            let bytes = mutator.mutated(original)
            let isValid = refusal { try verifier.verify(bytes, as: JSONValue.self) } == nil
            #expect(isValid == (bytes == original))
        }
    }

    /// The signature is always good, so that the checks after it are reached.
    @Test("Mutated headers and claims under a good signature never trap")
    func signedNonsense() throws {
        let signer = try Forge.hmac(TestKeys.secret)
        let verifier = try TokenVerifier(hmacKey: TestKeys.hmac(), policy: TestClaims.policy())
        let header = Array(TestKeys.header("HS256").utf8)
        let claims = Array(
            TestClaims.json(adding: #""roles":["a",{"b":[1.5e3,null]}],"n":-0.0"#).utf8)
        var mutator = Mutator(seed: 3, dictionary: Self.texts)
        var accepted = 0
        for round in 0..<Effort.rounds(12_000) {
            let isHeader = round.isMultiple(of: 3)
            let token = try Forge.token(
                encodedHeader: Base64URL.encode(isHeader ? mutator.mutated(header) : header),
                encodedPayload: Base64URL.encode(isHeader ? claims : mutator.mutated(claims)),
                by: signer)
            do throws(TokenError) {
                let verified = try verifier.verify(token, as: [String: JSONValue].self)
                accepted += 1
                // Whatever passed obeys the rules.
                #expect(verified.header.algorithm == "HS256")
                #expect(verified.registered.issuer == TestClaims.issuer)
                #expect(verified.registered.audience.contains("api"))
                #expect(
                    (verified.registered.expiration?.secondsSince1970 ?? 0) + 30 > TestClaims.now)
                #expect(verified.claims["iss"] == .string(TestClaims.issuer))
            } catch {
                #expect(HTTPRefusal(error) == .invalidToken)
            }
        }
        // Changes inside names and values that no rule covers are accepted; most others are not.
        #expect((Effort.rounds(100)..<Effort.rounds(6_000)).contains(accepted), "\(accepted)")
    }
}
