// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// Swift's strings are normalised before they are hashed, in time quadratic in a run of combining
/// characters. A `kid` or header name within every limit must not cost seconds before the signature
/// is checked.
@Suite("Combining characters in a token's header")
struct CombiningCharacters {
    static func run(_ count: Int) -> String { CombiningText.run(byteCount: 2 * count) }

    /// The thread's time. Before the fix each of these took 0.2 to 20 seconds in a release build;
    /// now, milliseconds.
    static let bound = Duration.milliseconds(500)

    @Test("A kid with 22,000 combining marks is looked up in linear time")
    func keyID() throws {
        let policy = try TokenPolicy(
            issuer: TestClaims.issuer, audience: ["api"], maximumTokenByteCount: 262_144,
            clock: .fixed(secondsSince1970: TestClaims.now))
        let verifier = TokenVerifier(
            keys: KeySet([try TestKeys.verification(.es256)]), policy: policy)
        let token = Forge.compact(
            TestKeys.header("ES256", keyID: "k1" + Self.run(22_000)), TestClaims.json, [1])
        let time = ThreadClock.measure {
            #expect(refusal { try verifier.verify(token) }?.code == .noMatchingKey)
        }
        #expect(time < Self.bound)
    }

    /// By a short name, since a test prints its argument.
    static let headers = [
        "beside others": #"{"alg":"ES256","kid":"k1","a\#(run(20_000))":1}"#,
        "alone": #"{"alg":"ES256","x":{"\#(run(20_000))":1}}"#,
        "escaped": #"{"alg":"ES256","a\#(String(repeating: #"\u0315\u0316"#, count: 3_000))":1}"#,
        "of class 0": #"{"alg":"ES256","\#(String(repeating: "\u{f73}", count: 12_000))":1}"#,
        "among many": "{" + (0..<40).map { #""n\#($0)":1,"# }.joined()
            + #""alg":"ES256","a\#(run(20_000))":1}"#,
    ]

    @Test(
        "Names with long runs of marks are refused, escaped or not",
        arguments: headers.keys.sorted())
    func names(_ which: String) throws {
        let header = try #require(Self.headers[which])
        let verifier = JWSVerifier(key: try TestKeys.verification(.es256))
        let time = ThreadClock.measure {
            #expect(
                refusal { try verifier.verify(Forge.compact(header, "{}", [1])) }?.code
                    == .malformed)
        }
        #expect(time < Self.bound)
    }

    @Test("Hints of an unverified token cost no more")
    func unverified() {
        let claims = #"{"a\#(Self.run(80_000))":1,"b":2}"#
        let token = Forge.compact(TestKeys.header("ES256"), claims, [1])
        let time = ThreadClock.measure {
            #expect(
                refusal { try UnverifiedToken(token, maximumByteCount: 262_144) }?.code
                    == .malformed)
        }
        #expect(time < Self.bound)
    }

    @Test(
        "A 200 KB kid or name in a JWK set is skipped or refused at once"
    )
    func keySets() throws {
        let key = try TestKeys.verification(.ed25519, keyID: nil).jwk.publicJSON().dropFirst()
        let marks = Self.run(100_000)
        let time = try ThreadClock.measure {
            let set = try KeySet(jwks: #"{"keys":[{"kid":"\#(marks)",\#(key)]}"#)
            #expect(set.keys.isEmpty && set.skipped.map(\.reason.code) == [.tooLarge])
            #expect(set.skipped.map(\.keyID) == [nil])
            #expect(
                keyRefusal { try KeySet(jwks: #"{"keys":[{"\#(marks)":1,\#(key)]}"#) }?.code
                    == .malformed)
            let secrets =
                #"{"keys":[{"kty":"oct","kid":"\#(marks)"},{"kty":"oct","kid":"\#(marks)"}]}"#
            #expect(keyRefusal { try HMACKeySet(jwks: secrets.utf8) }?.code == .duplicateKeyID)
        }
        #expect(time < Self.bound)
    }

    @Test(
        "Names in real languages pass: thirty marks, and thirty more after the next letter")
    func ordinary() throws {
        let verifier = JWSVerifier(key: try TestKeys.verification(.es256))
        for name in [
            "e\u{301}", "a\(Self.run(30))b\(Self.run(30))", "\u{5e9}\u{5c1}\u{5b8}",
            "ค\u{e38}\u{e48}",
        ] {
            let token = try Forge.token(
                #"{"alg":"ES256","kid":"k1","\#(name)":1}"#, "{}", by: Forge.es256())
            #expect(throws: Never.self) { try verifier.verify(token) }
        }
        let over = try Forge.token(
            #"{"alg":"ES256","kid":"k1","a\#(Self.run(30))\u{315}":1}"#, "{}", by: Forge.es256())
        #expect(refusal { try verifier.verify(over) }?.code == .malformed)
    }
}
