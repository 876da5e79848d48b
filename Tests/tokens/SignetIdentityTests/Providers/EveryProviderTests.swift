// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// The rules that hold for every provider, against every provider.
@Suite("Every provider")
struct EveryProviderTests {
    static let fixtures = Result { try ProviderFixture.all() }

    @Test("The good token is accepted", arguments: try fixtures.get())
    func good(_ fixture: ProviderFixture) async throws {
        let identity = try await fixture.identity()
        #expect("\"\(identity.subject)\"" == fixture.claims["sub"])
        #expect("\"\(identity.issuer)\"" == fixture.claims["iss"])
        #expect(identity.keyID == fixture.key.keyID && identity.audience.count == 1)
        #expect(identity.issuedAt.secondsSince1970 == 1_799_999_940)
        #expect(identity.expiration.secondsSince1970 == 1_800_003_540)
        #expect(!identity.identityKey.issuer.isEmpty && !identity.identityKey.subject.isEmpty)
        let inHand = try fixture.verifier().verifyWithKeysInHand(
            fixture.token(), nonce: fixture.nonce)
        #expect(inHand?.identityKey == identity.identityKey)
    }

    static let rules = [
        ClaimCase("iss missing", ["iss": nil], .issuer, "iss"),
        ClaimCase("iss of another", ["iss": #""https://evil.example""#], .issuer, "iss"),
        ClaimCase(
            "iss with more behind it", ["iss": #""https://idp.example.evil.example""#], .issuer,
            "iss"),
        ClaimCase("iss empty", ["iss": #""""#], .issuer, "iss"),
        ClaimCase("iss null", ["iss": "null"], .issuer, "iss"),
        ClaimCase("iss a list", ["iss": #"["https://idp.example"]"#], .issuer, "iss"),
        ClaimCase("aud missing", ["aud": nil], .audienceMissing, "aud"),
        ClaimCase("aud of another", ["aud": #""other""#], .audienceMissing, "aud"),
        ClaimCase("aud empty", ["aud": #""""#], .audienceMissing, "aud"),
        ClaimCase("aud an empty list", ["aud": "[]"], .audienceMissing, "aud"),
        ClaimCase("aud a list with an empty one", ["aud": #"[""]"#], .audienceMissing, "aud"),
        ClaimCase("aud null", ["aud": "null"], .audienceMissing, "aud"),
        ClaimCase("aud a number", ["aud": "1"], .audienceMissing, "aud"),
        ClaimCase("aud a list of numbers", ["aud": "[1]"], .audienceMissing, "aud"),
        ClaimCase("azp of another", ["azp": #""other""#], .azp, "azp"),
        ClaimCase("azp empty", ["azp": #""""#], .azp, "azp"),
        ClaimCase("azp a number", ["azp": "1"], .claimInvalid, "azp"),
        ClaimCase("sub missing", ["sub": nil], .subject, "sub"),
        ClaimCase("sub empty", ["sub": #""""#], .subject, "sub"),
        ClaimCase("sub of blanks", ["sub": #""  ""#], .subject, "sub"),
        ClaimCase("sub a number of 21 digits", ["sub": "110169484474386276334"], .subject, "sub"),
        ClaimCase("sub null", ["sub": "null"], .subject, "sub"),
        ClaimCase(
            "sub of 256 bytes", ["sub": "\"\(String(repeating: "a", count: 256))\""], .subject,
            "sub"),
        ClaimCase("sub with a line end", ["sub": #""a\nb""#], .subject, "sub"),
        ClaimCase("sub with NUL", ["sub": #""a\u0000""#], .subject, "sub"),
        ClaimCase("sub past ASCII", ["sub": #""é""#], .subject, "sub"),
        ClaimCase("exp missing", ["exp": nil], .claimMissing, "exp"),
        ClaimCase("exp passed", ["exp": "1799999970"], .expired, "exp"),
        ClaimCase("exp a string", ["exp": #""1800003540""#], .claimInvalid, "exp"),
        ClaimCase("exp out of range", ["exp": "-1e300"], .claimInvalid, "exp"),
        ClaimCase("iat missing", ["iat": nil], .claimMissing, "iat"),
        ClaimCase("iat null", ["iat": "null"], .claimMissing, "iat"),
        ClaimCase("iat in the future", ["iat": "1800000031", "nbf": nil], .issuedInFuture, "iat"),
        ClaimCase("nbf in the future", ["nbf": "1800000031"], .notYetValid, "nbf"),
        ClaimCase("nonce a number", ["nonce": "1"], .claimInvalid, "nonce"),
        ClaimCase("auth_time in the future", ["auth_time": "1800000031"], .authTooOld, "auth_time"),
        ClaimCase("exp null", ["exp": "null"], .claimInvalid, "exp"),
        ClaimCase("a member twice", ["x\":1,\"x": "2"], .duplicateMember),
        ClaimCase("a member twice, deep down", ["x": #"[{"a":1,"a":2}]"#], .duplicateMember),
        ClaimCase("a number that is none", ["x": "01"], .malformed),
        ClaimCase("brackets without end", ["x": String(repeating: "[", count: 2000)], .malformed),
        ClaimCase(
            good: "exp within the leeway", ["exp": "1799999971", "iat": "1799999000", "nbf": nil]),
        ClaimCase(good: "iat within the leeway", ["iat": "1800000030"]),
        ClaimCase(good: "a claim of no interest", ["x": "110169484474386276334123456789"]),
    ]

    @Test("A token that breaks a rule is refused", arguments: rules)
    func rule(_ rule: ClaimCase) async throws {
        for fixture in try Self.fixtures.get() { try await fixture.check(rule) }
    }

    @Test(
        "A second audience needs azp", arguments: try fixtures.get())
    func severalAudiences(_ fixture: ProviderFixture) async throws {
        let own = fixture.provider.clientIDs[0]
        try await fixture.check(
            ClaimCase(
                "an untrusted one", ["aud": "[\"\(own)\",\"evil\"]", "azp": "\"\(own)\""],
                .audienceUntrusted,
                "aud"))
        try await fixture.check(
            ClaimCase(good: "twice is once", ["aud": "[\"\(own)\",\"\(own)\"]", "azp": nil]))
        try await fixture.check(
            ClaimCase(good: "azp", ["aud": "[\"\(own)\",\"\(own)\"]", "azp": "\"\(own)\""]))
        try await fixture.check(ClaimCase(good: "a list of one", ["aud": "[\"\(own)\"]"]))
        var trusting = fixture.provider
        trusting.trustedAudiences = ["second-api"]
        trusting.authorizedParties = ["gateway"]
        let widened = ProviderFixture(
            name: fixture.name, provider: trusting, key: fixture.key, claims: fixture.claims,
            nonce: fixture.nonce)
        try await widened.check(
            ClaimCase(
                good: "trusted", ["aud": "[\"\(own)\",\"second-api\"]", "azp": #""gateway""#]))
        let two = "[\"\(own)\",\"second-api\"]"
        try await widened.check(ClaimCase("no azp", ["aud": two, "azp": nil], .azp, "azp"))
        try await widened.check(ClaimCase("azp null", ["aud": two, "azp": "null"], .azp, "azp"))
        try await widened.with { $0.authorizedPartyRule = .optional }
            .check(ClaimCase(good: "no azp asked for", ["aud": two, "azp": nil]))
        try await widened.with { $0.authorizedPartyRule = .required }
            .check(ClaimCase("azp asked for", ["aud": "\"\(own)\"", "azp": nil], .azp, "azp"))
        try await widened.check(
            ClaimCase(
                "trusted alone is not enough", ["aud": #"["second-api"]"#], .audienceMissing, "aud")
        )
        for close in [own + " ", own.uppercased() + "X", String(own.dropLast()), own + "\\u0000"] {
            try await fixture.check(
                ClaimCase("aud \(close)", ["aud": "\"\(close)\""], .audienceMissing, "aud"))
        }
    }

    @Test("A key of one provider does not verify for another", arguments: try fixtures.get())
    func foreignKeys(_ fixture: ProviderFixture) async throws {
        let foreign = fixture.key.algorithm == .rs256 ? ProviderKey.foreignRSA : .foreignEC
        let verifier = try fixture.verifier(keys: foreign.set)
        let token = try fixture.token()
        #expect(
            await reason { () async throws(IdentityError) in
                try await verifier.verify(token, nonce: fixture.nonce)
            }?.code == .badSignature)
    }

    @Test("Nonces are compared exactly", arguments: try fixtures.get())
    func nonces(_ fixture: ProviderFixture) async throws {
        let verifier = try fixture.verifier()
        let without = try fixture.token(["nonce": nil])
        let with = try fixture.token(["nonce": #""n-7""#])
        let hashed = try fixture.token(
            ["nonce": #""6041bba78aa7d89f67779bc6849618c0395643d69a35d699dda716c30cee3fc2""#])
        func code(_ token: String, _ nonce: NonceExpectation) async -> IdentityError.Code? {
            await reason { () async throws(IdentityError) in
                try await verifier.verify(token, nonce: nonce)
            }?
            .code
        }
        #expect(await code(without, .none) == nil)
        #expect(await code(without, .raw("n-7")) == .nonceMissing)
        #expect(await code(without, .sha256Hex(of: "n-7")) == .nonceMissing)
        #expect(await code(with, .raw("n-7")) == nil)
        #expect(await code(with, .raw("n-8")) == .nonceMismatch)
        #expect(await code(with, .raw("")) == .nonceMismatch)
        #expect(await code(with, .sha256Hex(of: "n-7")) == .nonceMismatch)
        #expect(await code(hashed, .sha256Hex(of: "n-7")) == nil)
        #expect(await code(hashed, .sha256Hex(of: "n-8")) == .nonceMismatch)
        #expect(await code(hashed, .raw("n-7")) == .nonceMismatch)
        #expect(await code(hashed, .sha256Hex(of: "")) == .nonceMismatch)
        #expect(await code(with, .none) == (fixture.name == "google" ? nil : .nonceMismatch))
    }
}
