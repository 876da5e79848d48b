// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// The rules about issuer, audience and required claims, and about invalid policies.
@Suite("The rules of a token policy")
struct TokenPolicyRules {
    static func check(_ payload: String, _ policy: TokenPolicy) throws -> TokenError? {
        let token = try Forge.token(TestKeys.header("RS256"), payload, by: Forge.rs256())
        let verifier = try TestKeys.verifier(.rs256, policy: policy)
        return refusal { try verifier.verify(token) }
    }

    @Test("iss and aud are required unless they are turned off by name")
    func missing() throws {
        let both = try TestClaims.policy()
        #expect(
            try Self.check(#"{"aud":"api","exp":1700000300}"#, both)
                == TokenError(.claimMissing, claim: "iss", ""))
        #expect(
            try Self.check(#"{"iss":"https://idp.example","exp":1700000300}"#, both)
                == TokenError(.claimMissing, claim: "aud", ""))
        let neither = try TestClaims.policy(issuer: .notChecked, audience: .notChecked)
        #expect(try Self.check(#"{"exp":1700000300}"#, neither) == nil)
        #expect(try Self.check(#"{"iss":"x","aud":["y"],"exp":1700000300}"#, neither) == nil)
    }

    @Test("Any of several issuers and audiences is accepted")
    func several() throws {
        let policy = try TestClaims.policy(
            issuer: .anyOf(["a", "b"]), audience: .anyOf(["x", "y"]))
        for (issuer, audience, code) in [
            ("a", #""x""#, nil), ("b", #"["z","y"]"#, nil), ("b", #"["y","x"]"#, nil),
            ("c", #""x""#, .issuerMismatch),
            ("a", #""z""#, .audienceMismatch), ("ab", #""x""#, .issuerMismatch),
            ("a", #""xy""#, .audienceMismatch),
        ] as [(String, String, TokenError.Code?)] {
            let payload = #"{"iss":"\#(issuer)","aud":\#(audience),"exp":1700000300}"#
            #expect(try Self.check(payload, policy)?.code == code, "\(payload)")
        }
    }

    @Test("Required claims must be present, not null, and at the top level")
    func required() throws {
        let policy = try TestClaims.policy(requiredClaims: ["email", "tid"])
        for (members, claim) in [
            (#""email":"a@b.example","tid":1"#, nil), (#""email":false,"tid":[]"#, nil),
            (#""email":"","tid":{}"#, nil),
            (#""tid":1"#, "email"), (#""email":null,"tid":1"#, "email"),
            (#""email":1,"tid":null"#, "tid"),
            (#""Email":1,"tid":1"#, "email"), (#""x":{"email":1},"tid":1"#, "email"),
            (#""\u0065mail":1,"tid":1"#, nil),
        ] as [(String, String?)] {
            let expected = claim.map { TokenError(.claimMissing, claim: $0, "") }
            #expect(
                try Self.check(TestClaims.json(adding: members), policy) == expected, "\(members)")
        }
    }

    @Test("Contradictory policies and those over a limit are refused")
    func invalid() {
        func code(
            _ issuer: TokenPolicy.IssuerRule = "i", _ audience: TokenPolicy.AudienceRule = ["a"],
            type: TokenPolicy.TypeRule = .jwt, leeway: Duration = .zero, age: Duration? = nil,
            limit: Int = 16_384
        ) -> TokenError.Code? {
            refusal {
                try TokenPolicy(
                    issuer: issuer, audience: audience, type: type, leeway: leeway, maximumAge: age,
                    maximumTokenByteCount: limit, clock: .still)
            }?.code
        }
        #expect(code() == nil)
        for issuer in ["", .anyOf([]), .anyOf([""]), .anyOf(["a", ""])] as [TokenPolicy.IssuerRule]
        {
            #expect(code(issuer) == .invalidPolicy)
        }
        for audience in [[], [""], ["a", ""]] as [TokenPolicy.AudienceRule] {
            #expect(code("i", audience) == .invalidPolicy)
        }
        for type in ["", "application/", "APPLICATION/"] {
            #expect(code(type: .exactly(type)) == .invalidPolicy)
        }
        let longest = Duration(
            secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
        let shortest = Duration(secondsComponent: .min, attosecondsComponent: 0)
        for leeway in [
            .seconds(-1), .nanoseconds(-1), .milliseconds(300_001), .seconds(301),
            .seconds(Int64.max),
            longest, shortest,
        ] as [Duration] {
            #expect(code(leeway: leeway) == .invalidPolicy, "\(leeway)")
        }
        #expect(code(leeway: .seconds(300)) == nil)
        for age in [.zero, .seconds(-1), .nanoseconds(-1), shortest] as [Duration] {
            #expect(code(age: age) == .invalidPolicy)
        }
        #expect(code(age: longest) == nil)
        #expect(code(age: .nanoseconds(1)) == nil)
        for limit in [Int.min, -1, 0, 63, 262_145, .max] {
            #expect(code(limit: limit) == .invalidPolicy)
        }
        #expect(code(limit: 64) == nil)
        #expect(code(limit: 262_144) == nil)
        #expect(
            refusal { try TokenPolicy(issuer: "", audience: ["a"], clock: .still) }?.code
                == .invalidPolicy)
        #expect(
            refusal { try TokenPolicy(issuer: "i", audience: [String](), clock: .still) }?.code
                == .invalidPolicy)
        #expect(
            refusal { try TokenPolicy(issuer: "i", audience: [], clock: .still) }.map {
                HTTPRefusal($0).status
            }
                == 500)
    }

    @Test("The defaults are strict")
    func defaults() throws {
        let policy = try TokenPolicy(issuer: "i", audience: ["a"], clock: .still)
        #expect(policy.leewaySeconds == 30)
        #expect(policy.maximumTokenByteCount == 16_384)
        #expect(policy.maximumAgeSeconds == nil)
        guard case .required = policy.expiration, case .jwt = policy.type else {
            Issue.record("exp is required and typ is JWT by default")
            return
        }
    }
}
