// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import TestSupport
import Testing

/// An organization's own issuer is in charge of its domains (review/identity.md, M1).
@Suite("Authoritative domains")
struct AuthorityTests {
    private func evidence(
        _ fixture: ProviderFixture, _ edits: [String: String?]
    ) async throws -> EmailClaims.Evidence {
        try await fixture.identity(edits).email.evidence
    }

    @Test("An address at the domain counts, unless the token says it is unverified")
    func own() async throws {
        let silent: [String: String?] = ["email": #""alice@CORP.example""#, "email_verified": nil]
        for fixture in try [
            ProviderFixture.openID(), .okta(), .keycloak(), .authentik(), .auth0(), .cognito(),
        ] {
            #expect(try await evidence(fixture, silent) == .none, "\(fixture.name)")
            let own = fixture.with { $0.authoritativeDomains = ["Corp.example"] }
            #expect(try await evidence(own, silent) == .verifiedAddress, "\(fixture.name)")
            for (claim, value) in [
                ("email", "null"), ("email", #""alice@other.example""#),
                ("email", #""alice@x.corp.example""#),
                ("email", #""corp.example""#), ("email", #""a@b@corp.example""#),
                ("email", #""alice@corp.example.evil.example""#), ("email_verified", "false"),
                ("email_verified", #""false""#), ("email_verified", "0"), ("email_verified", "[]"),
            ] {
                let edits = silent.merging([claim: value]) { $1 }
                #expect(
                    try await evidence(own, edits) == .none, "\(fixture.name) \(claim) \(value)")
            }
            let policy = try BusinessEmailPolicy(allowing: ["corp.example"])
            #expect(try await policy.verdict(for: own.identity(silent).email).isAllowed)
        }
    }

    @Test("Each named Entra tenant has its own domains, and guests do not count")
    func entra() async throws {
        let base = try ProviderFixture.entra()
        let (one, two) = (ProviderFixture.tenant, ProviderFixture.otherTenant)
        #expect(try await evidence(base, [:]) == .none)
        let own = base.with { $0.authoritativeDomains = ["corp.example"] }
        #expect(try await evidence(own, [:]) == .verifiedAddress)
        for (claim, value) in [
            ("acct", "1"), ("idp", #""https://sts.windows.net/x/""#), ("xms_edov", "false"),
            ("xms_edov", "0"),
        ] {
            #expect(try await evidence(own, [claim: value]) == .none, "\(claim)")
        }
        #expect(try await evidence(own, ["acct": "0"]) == .verifiedAddress)
        let provider = try IdentityProvider.entra(
            tenants: .only(one, two), clientIDs: base.provider.clientIDs)
        let several = ProviderFixture(
            name: "two", provider: provider, key: .rsa, claims: base.claims)
        let other: [String: String?] = [
            "iss": "\"https://login.microsoftonline.com/\(two)/v2.0\"", "tid": "\"\(two)\"",
        ]
        let named = several.with { $0.authoritativeDomainsOfTenants = [one: ["corp.example"]] }
        #expect(try await evidence(named, [:]) == .verifiedAddress)
        #expect(try await evidence(named, other) == .none)
    }

    @Test(
        "An issuer open to everyone can have no authoritative domain"
    )
    func refused() throws {
        func code(
            _ provider: IdentityProvider, _ change: (inout IdentityProvider) -> Void
        ) -> IdentityConfigurationError.Code? {
            var provider = provider
            change(&provider)
            do throws(IdentityConfigurationError) {
                _ = try IDTokenVerifier(
                    provider, keys: .inHand(ProviderKey.rsa.set), options: .still)
                return nil
            } catch {
                return error.code
            }
        }
        let domain = { (provider: inout IdentityProvider) in
            provider.authoritativeDomains = ["corp.example"]
        }
        for fixture in try [
            ProviderFixture.google(), .apple(), .supabase(), .firebase(), .entraExternalID(),
            .line(),
            .linkedIn(), .twitch(), .slack(), .discord(), .facebook(), .azureB2C(),
        ] {
            #expect(code(fixture.provider, domain) == .contradiction, "\(fixture.name)")
        }
        for tenants in try [
            EntraTenants.anyone, .anyOrganization, .personalAccounts,
            .only(ProviderFixture.tenant, ProviderFixture.otherTenant),
        ] {
            #expect(try code(.entra(tenants: tenants, clientIDs: ["c"]), domain) == .contradiction)
        }
        let base = try ProviderFixture.entra().provider
        #expect(
            code(base) {
                $0.authoritativeDomainsOfTenants = [ProviderFixture.otherTenant: ["corp.example"]]
            }
                == .contradiction)
        for wrong in ["", "corp", "corp.example.", "@corp.example", "*.corp.example"] {
            #expect(
                try code(ProviderFixture.openID().provider) { $0.authoritativeDomains = [wrong] }
                    == .invalidIdentifier, "\(wrong)")
        }
        #expect(
            try code(ProviderFixture.openID().provider) {
                $0.authoritativeDomainsOfTenants = ["x": ["corp.example"]]
            } == .contradiction)
    }
}
