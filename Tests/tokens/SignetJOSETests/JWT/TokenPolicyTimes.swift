// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// The rules about time, on a clock that stands still.
@Suite("The times of a token policy")
struct TokenPolicyTimes {
    static func token(_ claims: String) throws -> String {
        try Forge.token(
            TestKeys.header("RS256"), #"{"iss":"https://idp.example","aud":"api",\#(claims)}"#,
            by: Forge.rs256())
    }

    static func check(_ claims: String, _ policy: TokenPolicy) throws -> TokenError? {
        let token = try token(claims)
        let verifier = try TestKeys.verifier(.rs256, policy: policy)
        return refusal { try verifier.verify(token) }
    }

    @Test(
        "exp refuses from that second on",
        arguments: [
            (999.0, 0, false), (999.999, 0, false), (1000, 0, true), (1000.5, 0, true),
            (1001, 0, true),
            (1e15, 0, true),
            (1029.999, 30, false), (1030, 30, true), (1299.9, 300, false), (1300, 300, true),
            (-1e15, 0, false),
        ])
    func expiry(_ now: Double, _ leeway: Int, _ isExpired: Bool) throws {
        let policy = try TestClaims.policy(leeway: .seconds(leeway), at: now)
        #expect(
            try Self.check(#""exp":1000"#, policy)
                == (isExpired ? TokenError(.expired, claim: "exp", "") : nil))
    }

    @Test(
        "nbf accepts from that second on",
        arguments: [
            (1000.0, 0, false), (999.5, 0, true), (999, 0, true), (970, 30, false),
            (969.9, 30, true),
            (700, 300, false), (699, 300, true),
        ])
    func notBefore(_ now: Double, _ leeway: Int, _ isEarly: Bool) throws {
        let policy = try TestClaims.policy(leeway: .seconds(leeway), at: now)
        #expect(
            try Self.check(#""exp":5000,"nbf":1000"#, policy)
                == (isEarly ? TokenError(.notYetValid, claim: "nbf", "") : nil))
    }

    @Test(
        "iat must not be in the future",
        arguments: [(1000.0, 0, false), (999.5, 0, true), (970, 30, false), (969.9, 30, true)])
    func issuedAt(_ now: Double, _ leeway: Int, _ isEarly: Bool) throws {
        let policy = try TestClaims.policy(leeway: .seconds(leeway), at: now)
        #expect(
            try Self.check(#""exp":5000,"iat":1000"#, policy)
                == (isEarly ? TokenError(.notYetValid, claim: "iat", "") : nil))
    }

    @Test(
        "maximumAge accepts up to that many seconds since iat",
        arguments: [
            (1060.0, 0, false), (1060.5, 0, true), (1061, 0, true), (1090, 30, false),
            (1090.1, 30, true),
        ])
    func maximumAge(_ now: Double, _ leeway: Int, _ isOld: Bool) throws {
        let policy = try TestClaims.policy(
            leeway: .seconds(leeway), maximumAge: .seconds(60), at: now)
        #expect(
            try Self.check(#""exp":5000,"iat":1000"#, policy)
                == (isOld ? TokenError(.tooOld, claim: "iat", "") : nil))
    }

    @Test("With a maximum age, iat is required")
    func maximumAgeWithoutTime() throws {
        let policy = try TestClaims.policy(maximumAge: .seconds(60), at: 1000)
        #expect(
            try Self.check(#""exp":5000"#, policy) == TokenError(.claimMissing, claim: "iat", ""))
        #expect(try Self.check(#""exp":5000"#, TestClaims.policy(at: 1000)) == nil)
    }

    @Test("exp is required unless the policy turns that off, and checked when present")
    func missingExpiry() throws {
        #expect(
            try Self.check(#""sub":"u1""#, TestClaims.policy())
                == TokenError(.claimMissing, claim: "exp", ""))
        let optional = try TestClaims.policy(expiration: .optional)
        #expect(try Self.check(#""sub":"u1""#, optional) == nil)
        #expect(try Self.check(#""exp":1"#, optional) == TokenError(.expired, claim: "exp", ""))
    }

    @Test("Failures are reported in a fixed order")
    func order() throws {
        let everything = #"{"iss":"x","aud":"y","exp":1,"nbf":9999999999,"iat":9999999999}"#
        let token = try Forge.token(
            #"{"alg":"RS256","kid":"k1","typ":"x"}"#, everything, by: Forge.rs256())
        let required = ["sub"]
        let codes: [(TokenPolicy, TokenError.Code)] = [
            (try TestClaims.policy(requiredClaims: required), .typeMismatch),
            (try TestClaims.policy(type: .notChecked, requiredClaims: required), .issuerMismatch),
            (
                try TestClaims.policy(issuer: "x", type: .notChecked, requiredClaims: required),
                .audienceMismatch
            ),
            (
                try TestClaims.policy(
                    issuer: "x", audience: ["y"], type: .notChecked, requiredClaims: required),
                .expired
            ),
            (
                try TestClaims.policy(
                    issuer: "x", audience: ["y"], type: .notChecked, requiredClaims: required, at: 0
                ),
                .notYetValid
            ),
            (
                try TestClaims.policy(issuer: "x", audience: ["y"], type: .notChecked, at: 0),
                .notYetValid
            ),
        ]
        for (policy, code) in codes {
            let verifier = try TestKeys.verifier(.rs256, policy: policy)
            #expect(refusal { try verifier.verify(token) }?.code == code)
        }
    }

    @Test(
        "A clock at any extreme, or broken, does not trap",
        arguments: [
            Double.infinity, -.infinity, .nan, .greatestFiniteMagnitude, -1e300,
            9_007_199_254_740_992, 0,
            -0.0, .leastNonzeroMagnitude,
        ])
    func brokenClock(_ now: Double) throws {
        let policy = try TestClaims.policy(
            leeway: .seconds(300), maximumAge: .seconds(Int64.max), at: now)
        let claims = #""exp":9007199254740992,"iat":-9007199254740992,"nbf":-9007199254740992"#
        _ = try Self.check(claims, policy)
        let signer = TokenSigner(
            key: try TestKeys.signing(.es256), clock: .fixed(secondsSince1970: now))
        // Whatever the clock says, a verifier reads what it signs.
        if let token = try? signer.sign(["a": "b"], lifetime: .seconds(315_360_000)) {
            _ = try UnverifiedToken(token)
        }
        #expect(
            NumericDate(secondsSince1970: now).secondsSince1970.magnitude <= 9_007_199_254_740_992)
    }

    @Test("With a clock of NaN every ordinary token has expired")
    func clockWithoutNumber() throws {
        let policy = try TestClaims.policy(at: .nan)
        #expect(try Self.check(#""exp":4102444800"#, policy)?.code == .expired)
    }
}
