// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import Testing

extension ProviderFixture {
    /// Tokens in the shapes of review/identity.md, sections 1 and 3, and of the providers'
    /// published documents as they are known here; signed with keys of ours.
    static func presets() throws -> [ProviderFixture] {
        try [
            okta(), authentik(), line(), twitch(), linkedIn(), slack(), discord(), facebook(),
        ]
    }

    /// Those with a claim of their own that must be there.
    static func presetsWithKinds() throws -> [ProviderFixture] {
        try [keycloak(), cognito(), azureB2C()]
    }

    private static func made(
        _ name: String, _ provider: IdentityProvider, _ issuer: String, _ more: TestClaimSet,
        key: ProviderKey = .rsa
    ) -> ProviderFixture {
        var edits: [String: String?] = [
            "iss": "\"\(issuer)\"", "aud": #""client-1""#, "sub": #""u1""#, "iat": times.issued,
            "exp": times.expires,
        ]
        for name in more.names { edits[name] = more[name] }
        return ProviderFixture(
            name: name, provider: provider, key: key, claims: TestClaimSet().changing(edits))
    }

    static func okta() throws -> ProviderFixture {
        made(
            "okta", try .okta(domain: "tenant.okta.example", clientIDs: ["client-1"]),
            "https://tenant.okta.example",
            [
                "sub": #""00uid4BxXw6I6TV4m0g3""#, "ver": "1", "amr": #"["pwd"]"#, "idp": #""00o1""#,
                "auth_time": times.issued, "at_hash": #""x""#, "jti": #""ID.1""#, "name": #""Alice""#,
            ])
    }

    static func keycloak() throws -> ProviderFixture {
        made(
            "keycloak",
            try .keycloak(
                url: EndpointURL("https://sso.example/auth"), realm: "main", clientIDs: ["client-1"]),
            "https://sso.example/auth/realms/main",
            [
                "typ": #""ID""#, "azp": #""client-1""#, "session_state": #""s""#, "acr": #""1""#,
                "email_verified": "false", "jti": #""j""#, "auth_time": times.issued,
            ])
    }

    /// As a refreshed token of 2022 was: nulls for what is unknown.
    static func authentik() throws -> ProviderFixture {
        made(
            "authentik",
            try .authentik(
                url: EndpointURL("https://sso.example"), application: "app", clientIDs: ["client-1"]),
            "https://sso.example/application/o/app/",
            ["nonce": "null", "at_hash": "null", "c_hash": "null", "acr": #""goauthentik.io""#])
    }

    static func line() throws -> ProviderFixture {
        made(
            "line", try .line(channelIDs: ["client-1"]), "https://access.line.me",
            ["sub": #""U1234567890abcdef""#, "amr": #"["linesso"]"#, "name": #""Alice""#], key: .ec)
    }

    static func twitch() throws -> ProviderFixture {
        made(
            "twitch", try .twitch(clientIDs: ["client-1"]), "https://id.twitch.tv/oauth2",
            ["sub": #""713936733""#, "azp": #""client-1""#, "preferred_username": #""alice""#])
    }

    static func linkedIn() throws -> ProviderFixture {
        made(
            "linkedin", try .linkedIn(clientIDs: ["client-1"]), "https://www.linkedin.com/oauth",
            [
                "sub": #""782bbtaQ""#, "name": #""Alice""#, "email": #""alice@corp.example""#,
                "email_verified": #""true""#, "locale": #"{"country":"US","language":"en"}"#,
            ])
    }

    static func slack() throws -> ProviderFixture {
        made(
            "slack", try .slack(clientIDs: ["client-1"]), "https://slack.com",
            [
                "sub": #""U0R7MFMJM""#, "nonce": #""""#, "at_hash": #""x""#, "auth_time": times.issued,
                "https://slack.com/team_id": #""T0R7GR""#,
            ])
    }

    static func discord() throws -> ProviderFixture {
        made(
            "discord", try .discord(clientIDs: ["client-1"]), "https://discord.com",
            ["sub": #""80351110224678912""#, "auth_time": times.issued, "at_hash": #""x""#])
    }

    static func facebook() throws -> ProviderFixture {
        made(
            "facebook", try .facebook(appIDs: ["client-1"]), "https://www.facebook.com",
            ["sub": #""10158""#, "email": #""alice@corp.example""#, "jti": #""j""#])
    }

    static func cognito() throws -> ProviderFixture {
        made(
            "cognito",
            try .cognito(region: "eu-west-1", userPoolID: "eu-west-1_AbC", clientIDs: ["client-1"]),
            "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbC",
            [
                "token_use": #""id""#, "cognito:username": #""alice""#, "email_verified": #""true""#,
                "auth_time": times.issued, "event_id": #""e""#, "jti": #""j""#,
            ])
    }

    static func azureB2C() throws -> ProviderFixture {
        made(
            "azure b2c",
            try .azureB2C(
                tenantName: "contoso", tenantID: tenant, policy: "B2C_1_signin", clientIDs: ["client-1"]),
            "https://contoso.b2clogin.com/\(tenant)/v2.0/",
            [
                "tfp": #""B2C_1_signin""#, "ver": #""1.0""#, "sub": "\"\(object)\"", "oid": "\"\(object)\"",
                "emails": #"["alice@corp.example"]"#, "nbf": times.issued, "auth_time": times.issued,
            ])
    }
}
