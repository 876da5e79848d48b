// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Apple")
struct AppleTests {
    @Test(
        "A token that breaks a rule is refused",
        arguments: [
            ClaimCase(good: "the Services ID", ["aud": #""eg.Kinnect.auth""#]),
            ClaimCase(
                good: "the issuer of the discovery document",
                ["iss": #""https://account.apple.com""#]),
            ClaimCase(
                "the issuer with a slash", ["iss": #""https://appleid.apple.com/""#], .issuer, "iss"
            ),
            ClaimCase("another case", ["aud": #""eg.kinnect""#], .audienceMissing, "aud"),
            ClaimCase("a prefix", ["aud": #""eg.Kin""#], .audienceMissing, "aud"),
            ClaimCase("a longer one", ["aud": #""eg.Kinnect.authx""#], .audienceMissing, "aud"),
            ClaimCase(
                "the list itself", ["aud": #""eg.Kinnect.auth,eg.Kinnect""#], .audienceMissing,
                "aud"),
            ClaimCase("the nonce as it was", ["nonce": #""raw-nonce""#], .nonceMismatch, "nonce"),
            ClaimCase("no nonce", ["nonce": nil], .nonceMissing, "nonce"),
            ClaimCase(
                good: "nothing about the address",
                ["email": nil, "email_verified": nil, "is_private_email": nil]),
        ])
    func rules(_ one: ClaimCase) async throws { try await ProviderFixture.apple().check(one) }

    @Test(
        "Booleans are read, and the texts that stand for them", arguments: ["true", #""true""#],
        ["false", #""false""#])
    func email(_ yes: String, _ no: String) async throws {
        let fixture = try ProviderFixture.apple()
        func email(_ address: String, _ verified: String?, _ isPrivate: String?) async throws
            -> EmailClaims
        {
            try await fixture.identity(
                [
                    "email": "\"\(address)\"", "email_verified": verified,
                    "is_private_email": isPrivate,
                ]
            ).email
        }
        #expect(try await email("a@corp.example", yes, no).evidence == .verifiedAddress)
        #expect(try await email("a@corp.example", no, no).evidence == .none)
        #expect(try await email("a@corp.example", nil, nil).evidence == .none)
        #expect(try await email("a@corp.example", yes, yes).isPrivateRelay)
        #expect(try await !email("a@corp.example", yes, no).isPrivateRelay)
        #expect(try await email("a@privaterelay.appleid.com", yes, nil).isPrivateRelay)
        #expect(try await email("a@PrivateRelay.AppleID.com", yes, no).isPrivateRelay)
        #expect(try await !email("a@privaterelay.appleid.com.evil.example", yes, no).isPrivateRelay)
    }

    @Test("Both issuers give the same identity")
    func identityKey() async throws {
        let fixture = try ProviderFixture.apple()
        let one = try await fixture.identity()
        let other = try await fixture.identity(["iss": #""https://account.apple.com""#])
        #expect(one.identityKey == other.identityKey)
        #expect(one.identityKey.issuer == "https://appleid.apple.com")
    }
}
