// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("TokenSigner")
struct TokenSignerTests {
    static func signer(at now: Double = TestClaims.now, type: String = "JWT") throws -> TokenSigner
    {
        TokenSigner(
            key: try TestKeys.signing(.es256), type: type, clock: .fixed(secondsSince1970: now))
    }

    static func payload(_ token: String) throws -> String {
        let parts = token.split(separator: ".")
        return String(decoding: try Base64URL.decode(parts[1]), as: UTF8.self)
    }

    @Test("iat and exp are added to the claims, and nothing else changes")
    func lifetime() throws {
        let token = try Self.signer(at: 1_000.9).sign(
            ["b": JSONValue.integer(1), "a": .null], lifetime: .seconds(60))
        let payload = try Self.payload(token)
        #expect(payload.hasSuffix(#","iat":1000,"exp":1060}"#))
        let empty = try Self.signer(at: 1_000).sign([String: String](), lifetime: .seconds(1))
        #expect(try Self.payload(empty) == #"{"iat":1000,"exp":1001}"#)
        let header = try Base64URL.decode(token.split(separator: ".")[0])
        #expect(
            String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","kid":"k1","typ":"JWT"}"#)
    }

    @Test(
        "Lifetimes out of range are refused",
        arguments: [
            Duration.zero, .seconds(-1), .milliseconds(999), .nanoseconds(1), .seconds(315_360_001),
            .seconds(Int64.max),
            .seconds(Int64.min),
            Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
        ])
    func impossibleLifetime(_ lifetime: Duration) throws {
        #expect(
            refusal { try Self.signer().sign(["a": 1], lifetime: lifetime) }?.code == .invalidPolicy
        )
    }

    @Test("Fractions of a second are dropped, and the longest lifetime is ten years")
    func lifetimes() throws {
        #expect(
            try Self.payload(Self.signer(at: 0).sign(["a": 1], lifetime: .milliseconds(1_999)))
                .hasSuffix(
                    #""iat":0,"exp":1}"#))
        #expect(
            try Self.payload(Self.signer(at: 0).sign(["a": 1], lifetime: .seconds(315_360_000)))
                .hasSuffix(
                    #""exp":315360000}"#))
        #expect(
            try Self.payload(Self.signer(at: -1.5).sign(["a": 1], lifetime: .seconds(1))).hasSuffix(
                #""iat":-2,"exp":-1}"#))
    }

    @Test("With a lifetime, only the signer sets iat and exp")
    func ownTimes() throws {
        for name in ["iat", "exp"] {
            #expect(
                refusal { try Self.signer().sign([name: 1], lifetime: .seconds(60)) }
                    == TokenError(.claimInvalid, claim: name, ""))
        }
        #expect(
            refusal { try Self.signer().sign(["a": 1]) }
                == TokenError(.claimMissing, claim: "exp", ""))
        #expect(try Self.payload(Self.signer().sign(["exp": 7])) == #"{"exp":7}"#)
        #expect(
            try Self.payload(Self.signer().sign(["a": 1], expiration: .optional)) == #"{"a":1}"#)
    }

    struct Twice: Encodable {
        enum Keys: String, CodingKey { case sub }
        func encode(to encoder: any Encoder) throws {
            var one = encoder.container(keyedBy: Keys.self)
            var other = encoder.container(keyedBy: Keys.self)
            try one.encode("user", forKey: .sub)
            try other.encode("root", forKey: .sub)
        }
    }

    struct Failing: Encodable {
        struct Secret: Error { let text = "hunter2" }
        func encode(to encoder: any Encoder) throws { throw Secret() }
    }

    @Test("Claims that do not encode as one object are the program's error")
    func unencodable() throws {
        let signer = try Self.signer()
        var nested = JSONValue.integer(1)
        for _ in 0..<40 { nested = .array([nested]) }
        let errors = [
            refusal { try signer.sign([1, 2], lifetime: .seconds(1)) },
            refusal { try signer.sign([1, 2]) },
            refusal { try signer.sign("text", lifetime: .seconds(1)) },
            refusal { try signer.sign(1) },
            refusal { try signer.sign(String?.none, lifetime: .seconds(1)) },
            refusal { try signer.sign(true) },
            refusal { try signer.sign(["a": Double.nan], lifetime: .seconds(1)) },
            refusal { try signer.sign(["a": Double.infinity]) },
            refusal { try signer.sign(["a": nested]) },
            refusal { try signer.sign(Twice(), lifetime: .seconds(1)) },
            refusal { try signer.sign(Failing()) },
        ]
        for (index, error) in errors.enumerated() {
            #expect(error?.code == .signingFailed, "\(index)")
            #expect(error.map { HTTPRefusal($0).status } == 500, "\(index)")
            #expect(error?.description.contains("hunter2") == false)
        }
    }

    @Test("Claims cannot break out of their JSON")
    func injection() throws {
        let hostile = #"x","admin":true,"y":"\","#
        let token = try Self.signer().sign(
            [
                "iss": TestClaims.issuer, "aud": TestClaims.audience, "sub": hostile,
                hostile: "\u{0}\u{1f}\u{2028}",
            ],
            lifetime: .seconds(60))
        let verified = try TestKeys.verifier(.es256).verify(token, as: [String: JSONValue].self)
        #expect(verified.claims["sub"] == .string(hostile))
        #expect(verified.claims["admin"] == nil)
        #expect(verified.claims[hostile] == .string("\u{0}\u{1f}\u{2028}"))
    }

    @Test("A kid or typ cannot break out of the header")
    func headerInjection() throws {
        let hostile = #"k","alg":"none","x":"\"#
        let key = try TestKeys.signing(.es256, keyID: hostile)
        let token = try TokenSigner(
            key: key, type: hostile, clock: .fixed(secondsSince1970: TestClaims.now)
        )
        .sign(["iss": TestClaims.issuer, "aud": TestClaims.audience], lifetime: .seconds(60))
        let policy = try TestClaims.policy(type: .exactly(hostile))
        let verified = try TokenVerifier(keys: KeySet([key.verificationKey]), policy: policy)
            .verify(token)
        #expect(verified.header.keyID == hostile)
        #expect(verified.header.type == hostile)
        #expect(verified.header.algorithm == "ES256")
    }

    @Test("Each algorithm signs for its own verifier and for no other")
    func everyPair() throws {
        let clock = TimeSource.fixed(secondsSince1970: TestClaims.now)
        let claims = ["iss": TestClaims.issuer, "aud": TestClaims.audience]
        for signing in SignatureAlgorithm.allCases {
            let token = try TokenSigner(key: TestKeys.signing(signing), clock: clock).sign(
                claims, lifetime: .seconds(9))
            for verifying in SignatureAlgorithm.allCases {
                let verifier = try TestKeys.verifier(verifying)
                #expect(
                    (refusal { try verifier.verify(token) } == nil) == (signing == verifying),
                    "\(signing) \(verifying)")
            }
        }
    }
}
