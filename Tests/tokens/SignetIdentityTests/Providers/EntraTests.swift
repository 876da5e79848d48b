// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Microsoft Entra")
struct EntraTests {
    static let tenant = ProviderFixture.tenant
    static let other = ProviderFixture.otherTenant

    private static func v2(_ tenant: String) -> String {
        "\"https://login.microsoftonline.com/\(tenant)/v2.0\""
    }
    private static func v1(_ tenant: String) -> String { "\"https://sts.windows.net/\(tenant)/\"" }

    private func fixture(_ tenants: EntraTenants, acceptsVersion1: Bool = false) throws
        -> ProviderFixture
    {
        let base = try ProviderFixture.entra()
        return ProviderFixture(
            name: "entra",
            provider: try .entra(
                tenants: tenants, clientIDs: base.provider.clientIDs,
                acceptsVersion1: acceptsVersion1),
            key: base.key, claims: base.claims)
    }

    @Test(
        "A token that breaks a rule is refused",
        arguments: [
            ClaimCase("tid missing", ["tid": nil], .tenant, "tid"),
            ClaimCase("tid empty", ["tid": #""""#], .tenant, "tid"),
            ClaimCase("tid of another tenant than iss", ["tid": "\"\(other)\""], .tenant, "tid"),
            ClaimCase("iss of another tenant than tid", ["iss": v2(other)], .tenant, "tid"),
            ClaimCase("another tenant", ["iss": v2(other), "tid": "\"\(other)\""], .tenant, "tid"),
            ClaimCase(
                "a tenant that is no GUID", ["iss": v2("evil"), "tid": #""evil""#], .issuer, "iss"),
            ClaimCase(
                "the template", ["iss": v2("{tenantid}"), "tid": #""{tenantid}""#], .issuer, "iss"),
            ClaimCase("common", ["iss": v2("common"), "tid": #""common""#], .issuer, "iss"),
            ClaimCase(
                "a slash behind", ["iss": "\"https://login.microsoftonline.com/\(tenant)/v2.0/\""],
                .issuer,
                "iss"),
            ClaimCase(
                "a GUID in capitals",
                ["iss": v2(tenant.uppercased()), "tid": "\"\(tenant.uppercased())\""],
                .issuer, "iss"),
            ClaimCase("version 1", ["iss": v1(tenant)], .issuer, "iss"),
            ClaimCase(
                "another cloud", ["iss": "\"https://login.microsoftonline.us/\(tenant)/v2.0\""],
                .issuer,
                "iss"),
            ClaimCase(
                "the tenant in the path of another",
                [
                    "iss":
                        "\"https://evil.example/https://login.microsoftonline.com/\(tenant)/v2.0\""
                ], .issuer,
                "iss"),
            ClaimCase("oid missing", ["oid": nil], .claimMissing, "oid"),
            ClaimCase("oid no GUID", ["oid": #""alice""#], .claimInvalid, "oid"),
            ClaimCase("oid a number", ["oid": "1"], .claimInvalid, "oid"),
        ])
    func rules(_ one: ClaimCase) async throws { try await ProviderFixture.entra().check(one) }

    @Test("Only the named tenants are accepted")
    func tenants() async throws {
        let personal = EntraTenants.personalAccountsTenantID
        let tokens: [(String, [String: String?])] = [
            ("own", [:]), ("other", ["iss": Self.v2(Self.other), "tid": "\"\(Self.other)\""]),
            ("personal", ["iss": Self.v2(personal), "tid": "\"\(personal)\""]),
        ]
        let rules: [(EntraTenants, Set<String>)] = [
            (try .only(Self.tenant), ["own"]),
            (try .only(Self.tenant.uppercased(), Self.other), ["own", "other"]),
            (.anyOrganization, ["own", "other"]), (.anyone, ["own", "other", "personal"]),
            (.personalAccounts, ["personal"]),
        ]
        for (tenants, accepted) in rules {
            let fixture = try fixture(tenants)
            for (name, edits) in tokens {
                try await fixture.check(
                    accepted.contains(name)
                        ? ClaimCase(good: name, edits) : ClaimCase(name, edits, .tenant, "tid"))
            }
        }
    }

    @Test("Version 1 is accepted on request, and gives the same identity")
    func version1() async throws {
        let fixture = try fixture(.only(Self.tenant), acceptsVersion1: true)
        let new = try await fixture.identity()
        let old = try await fixture.identity(["iss": Self.v1(Self.tenant)])
        #expect(new.identityKey == old.identityKey)
        #expect(new.identityKey.issuer == "https://login.microsoftonline.com/\(Self.tenant)/v2.0")
        #expect(new.identityKey.subject == ProviderFixture.object && new.tenantID == Self.tenant)
        try await fixture.check(
            ClaimCase("another tenant", ["iss": Self.v1(Self.other)], .tenant, "tid"))
        try await fixture.check(
            ClaimCase(
                "no slash", ["iss": "\"https://sts.windows.net/\(Self.tenant)\""], .issuer, "iss"))
    }

    @Test("External ID has the tenant in its host")
    func external() async throws {
        let fixture = try ProviderFixture.entraExternalID()
        for issuer in [
            "https://\(Self.tenant).ciamlogin.com/\(Self.other)/v2.0",
            "https://\(Self.other).ciamlogin.com/\(Self.tenant)/v2.0",
            "https://contoso.ciamlogin.com/\(Self.tenant)/v2.0",
        ] {
            try await fixture.check(ClaimCase(issuer, ["iss": "\"\(issuer)\""], .issuer, "iss"))
        }
        try await fixture.check(
            ClaimCase(
                "another tenant",
                [
                    "iss": "\"https://\(Self.other).ciamlogin.com/\(Self.other)/v2.0\"",
                    "tid": "\"\(Self.other)\"",
                ], .tenant, "tid"))
    }

    @Test("An address counts if the owner of its domain verified it")
    func email() async throws {
        let fixture = try ProviderFixture.entra()
        func evidence(_ value: String?) async throws -> EmailClaims.Evidence {
            try await fixture.identity(["xms_edov": value, "email_verified": "true"]).email.evidence
        }
        #expect(
            try await evidence(nil) == .none, "nOAuth: email alone is what an administrator typed")
        for yes in ["true", "1", #""1""#, #""true""#] {
            #expect(try await evidence(yes) == .verifiedAddress, "\(yes)")
        }
        for no in ["false", "0", #""0""#, #""false""#] {
            #expect(try await evidence(no) == .none, "\(no)")
        }
        for wrong in ["null", "2", #""yes""#, "[]", "1.0", #""True""#, #""""#] {
            #expect(try await evidence(wrong) == .none, "\(wrong)")
        }
    }
}
