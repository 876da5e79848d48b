// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Google")
struct GoogleTests {
    @Test(
        "A token that breaks a rule is refused",
        arguments: [
            ClaimCase(good: "the bare issuer", ["iss": #""accounts.google.com""#]),
            ClaimCase(good: "no nonce", ["nonce": nil]),
            ClaimCase(good: "no azp", ["azp": nil]),
            ClaimCase(good: "a day", ["iat": "1799999940", "exp": "1800086340"]),
            ClaimCase("a day and a second", ["exp": "1800086341"], .lifetimeTooLong, "exp"),
            ClaimCase("http", ["iss": #""http://accounts.google.com""#], .issuer, "iss"),
            ClaimCase("a slash", ["iss": #""https://accounts.google.com/""#], .issuer, "iss"),
            ClaimCase("capitals", ["iss": #""https://Accounts.google.com""#], .issuer, "iss"),
            ClaimCase(
                "an issuer below", ["iss": #""https://accounts.google.com.evil.example""#], .issuer,
                "iss"),
            ClaimCase("azp of another", ["azp": #""other.apps.example""#], .azp, "azp"),
        ])
    func rules(_ one: ClaimCase) async throws {
        try await ProviderFixture.google().check(one)
    }

    @Test("An address counts as verified only where Google is authoritative")
    func email() async throws {
        let fixture = try ProviderFixture.google()
        func email(_ edits: [String: String?]) async throws -> EmailClaims {
            try await fixture.identity(edits).email
        }
        let organization = try await email([:])
        #expect(organization.address == "alice@corp.example")
        #expect(
            organization.evidence == .organization(domain: "corp.example")
                && !organization.isPrivateRelay)
        #expect(
            try await email(["hd": #""Corp.Example""#]).evidence
                == .organization(domain: "corp.example"))
        #expect(try await email(["hd": nil]).evidence == .none, "verified, but not Google's to say")
        #expect(
            try await email(["hd": nil, "email": #""a@gmail.com""#]).evidence == .verifiedAddress)
        #expect(
            try await email(["hd": nil, "email": #""a@GMAIL.com""#]).evidence == .verifiedAddress)
        for other in [
            "a@gmail.com.evil.example", "a@evilgmail.com", "gmail.com", "a@b@gmail.com",
            "a@gmail.com ",
            "a@gmail.com@evil.example", "a@gma\u{130}l.com",
        ] {
            #expect(
                try await email(["hd": nil, "email": "\"\(other)\""]).evidence == .none, "\(other)")
        }
        for unverified in ["false", nil] as [String?] {
            #expect(try await email(["email_verified": unverified]).evidence == .none)
            #expect(
                try await email([
                    "email_verified": unverified, "hd": nil, "email": #""a@gmail.com""#,
                ])
                .evidence == .none)
        }
        #expect(try await email(["email": nil]) == email(["email": #""""#]))
        #expect(try await email(["email": nil]).address == nil)
    }

    @Test("Workspace domains are checked by hd, not by the address")
    func hostedDomains() async throws {
        var fixture = try ProviderFixture.google()
        fixture = ProviderFixture(
            name: "google, hd",
            provider: try .google(
                clientIDs: fixture.provider.clientIDs,
                hostedDomains: ["Corp.example", "partner.example"]),
            key: fixture.key, claims: fixture.claims)
        for one in [
            ClaimCase(good: "the domain", [:]),
            ClaimCase(good: "in capitals", ["hd": #""CORP.EXAMPLE""#]),
            ClaimCase(good: "the other", ["hd": #""partner.example""#]),
            ClaimCase("another", ["hd": #""evil.example""#], .hostedDomain, "hd"),
            ClaimCase("none, with the right address", ["hd": nil], .hostedDomain, "hd"),
            ClaimCase("a subdomain", ["hd": #""x.corp.example""#], .hostedDomain, "hd"),
            ClaimCase("a suffix", ["hd": #""evilcorp.example""#], .hostedDomain, "hd"),
            ClaimCase("a dot behind it", ["hd": #""corp.example.""#], .hostedDomain, "hd"),
        ] {
            try await fixture.check(one)
        }
        #expect(try await fixture.identity().hostedDomain == "corp.example")
    }

    @Test("Both issuer spellings give the same identity, and long digits stay text")
    func identityKey() async throws {
        let fixture = try ProviderFixture.google()
        let long = try await fixture.identity()
        let short = try await fixture.identity(["iss": #""accounts.google.com""#])
        #expect(long.identityKey == short.identityKey && short.issuer == "accounts.google.com")
        #expect(long.identityKey.subject == "110169484474386276334")
        #expect(long.identityKey.issuer == "https://accounts.google.com")
        #expect(long.name == "Alice" && long.picture == "https://pictures.example/a")
        #expect(long.authorizedParty == "ios.apps.example")
    }

    @Test("A verified address can be required")
    func requiresEmail() async throws {
        var provider = try ProviderFixture.google().provider
        provider.requiresVerifiedEmail = true
        let fixture = try ProviderFixture(
            name: "google, email", provider: provider, key: .rsa,
            claims: ProviderFixture.google().claims)
        try await fixture.check(ClaimCase(good: "an organisation", [:]))
        try await fixture.check(
            ClaimCase("not verified", ["email_verified": "false"], .emailUnverified, "email"))
        try await fixture.check(ClaimCase("not Google's", ["hd": nil], .emailUnverified, "email"))
        try await fixture.check(ClaimCase("no address", ["email": nil], .emailUnverified, "email"))
    }
}
