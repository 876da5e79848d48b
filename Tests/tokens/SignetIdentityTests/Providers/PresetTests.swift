// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetEmail
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// What a preset has beyond the rules that hold for all.
@Suite("Presets")
struct PresetTests {
    @Test("LinkedIn marks a verified address by text, sends no nonce, and has two issuers")
    func linkedIn() async throws {
        let fixture = try ProviderFixture.linkedIn()
        let identity = try await fixture.identity()
        #expect(identity.email.evidence == .verifiedAddress && identity.name == "Alice")
        let older = try await fixture.identity(["iss": #""https://www.linkedin.com""#])
        #expect(older.identityKey == identity.identityKey)
        try await fixture.check(
            ClaimCase("a slash", ["iss": #""https://www.linkedin.com/""#], .issuer, "iss"))
    }

    @Test("Cognito: token_use is \"id\"")
    func cognito() async throws {
        let fixture = try ProviderFixture.cognito()
        try await fixture.check(
            ClaimCase("access", ["token_use": #""access""#], .typeMismatch, "token_use"))
        try await fixture.check(
            ClaimCase("other", ["token_use": #""x""#], .valueNotAccepted, "token_use"))
        try await fixture.check(ClaimCase("none", ["token_use": nil], .claimMissing, "token_use"))
    }

    @Test("Cognito in China has its own domain", arguments: ["cn-north-1", "cn-northwest-1"])
    func cognitoChina(_ region: String) async throws {
        let fixture = try ProviderFixture(
            name: region,
            provider: .cognito(
                region: region, userPoolID: "\(region)_AbC", clientIDs: ["client-1"]),
            key: .rsa, claims: ProviderFixture.cognito().claims)
        let place = "cognito-idp.\(region).amazonaws.com"
        try await fixture.check(
            ClaimCase(good: region, ["iss": "\"https://\(place).cn/\(region)_AbC\""]))
        try await fixture.check(
            ClaimCase("elsewhere", ["iss": "\"https://\(place)/\(region)_AbC\""], .issuer, "iss"))
    }

    @Test("Authentik with an ES256 key verifies ES256 tokens")
    func authentikES256() async throws {
        let rsa = try ProviderFixture.authentik()
        let ec = ProviderFixture(
            name: "ES256", provider: rsa.provider, key: .ec, claims: rsa.claims)
        #expect(try await ec.identity().subject == "u1")
    }

    @Test("Azure B2C: the policy must match, in either form of the issuer")
    func azureB2C() async throws {
        let fixture = try ProviderFixture.azureB2C()
        let tenant = ProviderFixture.tenant
        try await fixture.check(
            ClaimCase(
                good: "tfp",
                [
                    "iss": "\"https://contoso.b2clogin.com/tfp/\(tenant)/b2c_1_signin/v2.0/\"",
                    "tfp": #""b2c_1_signin""#,
                ]))
        try await fixture.check(
            ClaimCase("another policy", ["tfp": #""B2C_1_reset""#], .valueNotAccepted, "tfp"))
        try await fixture.check(ClaimCase("no policy", ["tfp": nil], .claimMissing, "tfp"))
        try await fixture.check(
            ClaimCase(
                "another tenant",
                ["iss": "\"https://contoso.b2clogin.com/\(ProviderFixture.otherTenant)/v2.0/\""],
                .issuer, "iss"))
    }

    @Test("The program's accepted values add to the preset's")
    func ownValues() async throws {
        for fixture in try ProviderFixture.all() where fixture.namesKind {
            let asking = fixture.with { $0.acceptedValues = ["x": ["1"]] }
            try await asking.check(ClaimCase(good: "both", ["x": #""1""#]))
            for name in ["typ", "token_use", "tfp"] where fixture.claims[name] != nil {
                try await asking.check(
                    ClaimCase(
                        "another \(name)", ["x": #""1""#, name: #""x""#], .valueNotAccepted, name))
            }
        }
    }

    @Test("Keycloak: the payload's typ is \"ID\"")
    func keycloak() async throws {
        let fixture = try ProviderFixture.keycloak()
        for kind in ["Bearer", "DPoP", "Refresh", "Offline", "Logout"] {
            try await fixture.check(ClaimCase(kind, ["typ": "\"\(kind)\""], .typeMismatch, "typ"))
        }
        try await fixture.check(
            ClaimCase(
                "a kind to come", ["typ": #""RegistrationAccessToken""#], .valueNotAccepted, "typ"))
        try await fixture.check(ClaimCase("none", ["typ": nil], .claimMissing, "typ"))
    }

    @Test("Azure B2C: a token without a scope is not an access token")
    func azureB2CScope() async throws {
        try await ProviderFixture.azureB2C().check(ClaimCase(good: "scp null", ["scp": "null"]))
    }

    /// What B2C writes for everybody if set to "Not supported": one person for all.
    @Test("Azure B2C: a subject shared by all users is rejected")
    func azureB2CSubject() async throws {
        let fixture = try ProviderFixture.azureB2C()
        try await fixture.check(
            ClaimCase(
                "everybody", ["sub": #""Not supported currently. Use oid claim.""#], .subject, "sub"
            ))
        try await fixture.check(ClaimCase(good: "another's", ["sub": #""google-oauth2|1""#]))
    }

    @Test("Authentik: half of an access token's marks is not enough")
    func authentikMark() async throws {
        let fixture = try ProviderFixture.authentik()
        try await fixture.check(
            ClaimCase(good: "a claim of the application's", ["uid": #""alice""#]))
        try await fixture.check(ClaimCase(good: "azp alone", ["azp": #""client-1""#]))
    }

    @Test(
        "Supabase: a token that its OAuth server gave to a third party is refused unless named")
    func supabaseThirdParty() async throws {
        let fixture = try ProviderFixture.supabase()
        let third = ["client_id": Optional(#""9a8b7c6d-5e4f-3a2b-1c0d-9e8f7a6b5c4d""#)]
        let named = fixture.with { $0.authorizedParties = ["9a8b7c6d-5e4f-3a2b-1c0d-9e8f7a6b5c4d"] }
        try await named.check(ClaimCase(good: "one that is named", third))
        try await fixture.check(ClaimCase(good: "null", ["client_id": "null"]))
    }

    @Test("LINE on the web uses HS256 with the channel secret")
    func lineWeb() async throws {
        let secret = try HMACKey(
            secret: SecretKey(copying: "0123456789abcdef0123456789abcdef".utf8), algorithm: .hs256)
        let options = try ProviderFixture.line().options()
        let verifier = try IDTokenVerifier(
            .line(channelIDs: ["client-1"], secret: secret), keys: .ownSecret, options: options)
        let claims = try ProviderFixture.line().claims.json
        let token = try JWSSigner(hmacKey: secret, type: "JWT").sign(Array(claims.utf8))
        #expect(try await verifier.verify(token).subject == "U1234567890abcdef")
        let other = try HMACKey(
            secret: SecretKey(copying: "fedcba9876543210fedcba9876543210".utf8), algorithm: .hs256)
        let forged = try JWSSigner(hmacKey: other, type: "JWT").sign(Array(claims.utf8))
        #expect(
            await reason { () async throws(IdentityError) in try await verifier.verify(forged) }?
                .code
                == .badSignature)
        let published = try ProviderFixture.line().token()
        #expect(
            await reason { () async throws(IdentityError) in try await verifier.verify(published) }?
                .code
                == .algMismatch)
        #expect(throws: IdentityConfigurationError.self) {
            try IdentityProvider.line(
                channelIDs: ["1"],
                secret: HMACKey(
                    secret: SecretKey(
                        copying: String(repeating: "0123456789abcdef", count: 4).utf8),
                    algorithm: .hs512))
        }
    }

    @Test("Entra's national clouds have their own issuers and keys")
    func clouds() async throws {
        for (cloud, host) in [
            (EntraCloud.usGovernment, "login.microsoftonline.us"),
            (.china, "login.partner.microsoftonline.cn"),
        ] {
            let base = try ProviderFixture.entra()
            let provider = try IdentityProvider.entra(
                tenants: .only(ProviderFixture.tenant), clientIDs: base.provider.clientIDs,
                cloud: cloud)
            let fixture = ProviderFixture(
                name: host, provider: provider, key: .rsa, claims: base.claims)
            let issuer = "https://\(host)/\(ProviderFixture.tenant)/v2.0"
            try await fixture.check(ClaimCase(good: host, ["iss": "\"\(issuer)\""]))
            try await fixture.check(ClaimCase("the global cloud's", [:], .issuer, "iss"))
            try await base.check(
                ClaimCase("by the global cloud", ["iss": "\"\(issuer)\""], .issuer, "iss"))
            #expect(throws: IdentityConfigurationError.self) {
                try IdentityProvider.entra(
                    tenants: .anyone, clientIDs: ["c"], acceptsVersion1: true, cloud: cloud)
            }
        }
    }

    @Test("A program's own check runs last, and its error is returned")
    func ownCheck() async throws {
        for fixture in try EveryProviderTests.fixtures.get() {
            let checked = fixture.with {
                $0.check = { (identity) throws(IdentityError) in
                    throw IdentityError(
                        .subject, claim: identity.subject.isEmpty ? nil : "own", "No.")
                }
            }
            try await checked.check(ClaimCase("own", [:], .subject, "own"))
            try await checked.check(ClaimCase("after the others", ["exp": "1"], .expired, "exp"))
        }
    }

    @Test(
        "Invalid names of tenants, pools and realms are refused",
        arguments: ["", "a/b", "a b", "..", ".", "a?b", "a#b", "é", "a%2fb", "a\\b"])
    func names(_ name: String) throws {
        let url = try EndpointURL("https://sso.example")
        let makers: [() throws -> Void] = [
            { _ = try IdentityProvider.keycloak(url: url, realm: name, clientIDs: ["c"]) },
            { _ = try IdentityProvider.cognito(region: "eu", userPoolID: name, clientIDs: ["c"]) },
            { _ = try IdentityProvider.cognito(region: name, userPoolID: "p", clientIDs: ["c"]) },
            { _ = try IdentityProvider.authentik(url: url, application: name, clientIDs: ["c"]) },
            {
                _ = try IdentityProvider.okta(
                    domain: "t.okta.example", authorizationServer: name, clientIDs: ["c"])
            },
            {
                _ = try IdentityProvider.azureB2C(
                    tenantName: "t", tenantID: ProviderFixture.tenant, policy: name,
                    clientIDs: ["c"])
            },
            { _ = try AccessTokenProfile.workOS(clientID: name) },
        ]
        for make in makers { #expect(throws: IdentityConfigurationError.self) { try make() } }
    }
}
