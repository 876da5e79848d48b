// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import Testing

/// A profile of access tokens, and a token as the issuer writes it.
struct AccessTokenFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let profile: AccessTokenProfile
    let claims: TestClaimSet
    var header = ProviderKey.rsa.header
    /// What is read of the token.
    let client: String?
    let scopes: [String]
    let roles: [String]
    /// What makes it another token of the same issuer, with the reason for which it is refused.
    let others: [ClaimCase]

    var testDescription: String { name }

    func verifier(_ profile: AccessTokenProfile? = nil) throws -> AccessTokenVerifier {
        try AccessTokenVerifier(
            profile ?? self.profile, keys: ProviderKey.rsa.set,
            options: ProviderFixture.openID().options())
    }

    func token(_ edits: [String: String?] = [:]) throws -> String {
        try ProviderKey.rsa.token(claims.changing(edits).json, header: header)
    }

    private init(
        _ name: String, _ profile: AccessTokenProfile, _ issuer: String, _ more: TestClaimSet,
        header: String = ProviderKey.rsa.header, client: String?, scopes: [String] = [],
        roles: [String] = [], others: [ClaimCase]
    ) {
        self.name = name
        self.profile = profile
        var edits: [String: String?] = [
            "iss": "\"\(issuer)\"", "sub": #""u1""#, "iat": ProviderFixture.times.issued,
            "exp": ProviderFixture.times.expires,
        ]
        for name in more.names { edits[name] = more[name] }
        claims = TestClaimSet().changing(edits)
        self.header = header
        self.client = client
        self.scopes = scopes
        self.roles = roles
        self.others = others
    }

    static func all() throws -> [AccessTokenFixture] {
        try [
            rfc9068(), spring(), entra(), entra1(), okta(), auth0(), keycloak(), cognito(), supabase(),
            clerk(), workOS(), gitHubActions(), kubernetes(),
        ]
    }

    private static let idToken: [String: String?] = [
        "aud": #""client-1""#, "nonce": #""n""#, "at_hash": #""x""#,
    ]
    private static let otherAPI = ClaimCase(
        "for another API", ["aud": #""https://other.example""#], .audienceMissing, "aud")

    static func rfc9068() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "rfc9068",
            try .rfc9068(issuer: "https://idp.example", resources: ["https://api.example"]),
            "https://idp.example",
            [
                "aud": #""https://api.example""#, "client_id": #""client-1""#, "jti": #""t""#,
                "scope": #""read write""#,
            ], header: #"{"alg":"RS256","kid":"rsa-1","typ":"at+jwt"}"#, client: "client-1",
            scopes: ["read", "write"], others: [otherAPI])
    }

    static func spring() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "spring", try .spring(issuer: "https://spring.example", audiences: ["client-1"]),
            "https://spring.example",
            ["aud": #""client-1""#, "nbf": ProviderFixture.times.issued, "scope": #"["read","openid"]"#],
            client: nil, scopes: ["read", "openid"],
            others: [ClaimCase("ID token", idToken.merging(["scope": nil]) { $1 }, .claimMissing, "scope")])
    }

    private static let apiID = "6731de76-14a6-49ae-97bc-6eba6914391e"
    private static func entraClaims(_ more: [String: String?]) -> TestClaimSet {
        TestClaimSet().changing(
            [
                "aud": "\"\(apiID)\"", "tid": "\"\(ProviderFixture.tenant)\"",
                "oid": "\"\(ProviderFixture.object)\"", "scp": #""read write""#, "roles": #"["admin"]"#,
                "nbf": ProviderFixture.times.issued,
            ].merging(more) { $1 })
    }

    static func entra() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "entra", try .entra(tenants: .only(ProviderFixture.tenant), audiences: [apiID]),
            "https://login.microsoftonline.com/\(ProviderFixture.tenant)/v2.0",
            entraClaims(["azp": #""spa""#, "azpacr": #""0""#, "ver": #""2.0""#]), client: "spa",
            scopes: ["read", "write"], roles: ["admin"],
            others: [
                ClaimCase(
                    "ID token of the same registration",
                    ["azp": nil, "azpacr": nil, "scp": nil, "roles": nil, "nonce": #""n""#], .azp, "azp"),
                ClaimCase(
                    "an application's that was granted nothing",
                    ["azp": #""stranger""#, "scp": nil, "roles": nil, "idtyp": #""app""#],
                    .insufficientScope, "scp"),
                ClaimCase("with empty grants", ["scp": #""""#, "roles": "[]"], .insufficientScope, "scp"),
                ClaimCase(
                    "another tenant's",
                    [
                        "iss":
                            "\"https://login.microsoftonline.com/\(ProviderFixture.otherTenant)/v2.0\"",
                        "tid": "\"\(ProviderFixture.otherTenant)\"",
                    ], .tenant, "tid"),
                ClaimCase(
                    "tenants that differ", ["tid": "\"\(ProviderFixture.otherTenant)\""], .tenant, "tid"),
                ClaimCase("no tenant", ["tid": nil], .tenant, "tid"),
                ClaimCase(
                    "version 1", ["iss": "\"https://sts.windows.net/\(ProviderFixture.tenant)/\""], .issuer,
                    "iss"),
                otherAPI,
            ])
    }

    static func entra1() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "entra 1",
            try .entra(
                tenants: .only(ProviderFixture.tenant), audiences: ["api://\(apiID)"],
                acceptsVersion1: true),
            "https://sts.windows.net/\(ProviderFixture.tenant)/",
            entraClaims(["aud": "\"api://\(apiID)\"", "appid": #""spa""#, "ver": #""1.0""#]), client: "spa",
            scopes: ["read", "write"], roles: ["admin"],
            others: [
                ClaimCase("ID token", ["appid": nil, "scp": nil], .azp, "azp"),
                ClaimCase(
                    "an application's that was granted nothing", ["scp": nil, "roles": nil],
                    .insufficientScope, "scp"),
            ])
    }

    static func okta() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "okta", try .okta(domain: "tenant.okta.example", audiences: ["api://default"]),
            "https://tenant.okta.example/oauth2/default",
            [
                "ver": "1", "jti": #""AT.1""#, "aud": #""api://default""#, "cid": #""client-1""#,
                "uid": #""00u1""#, "scp": #"["openid","read"]"#, "groups": #"["Everyone"]"#,
            ], client: "client-1", scopes: ["openid", "read"], roles: ["Everyone"],
            others: [
                ClaimCase("ID token", idToken.merging(["cid": nil]) { $1 }, .audienceMissing, "aud"),
                ClaimCase("no client", ["cid": nil], .azp, "cid"), otherAPI,
            ])
    }

    static func auth0() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "auth0",
            try .auth0(domain: "tenant.eu.auth0.example", audiences: ["https://api.example"]),
            "https://tenant.eu.auth0.example/",
            [
                "aud": #"["https://api.example","https://tenant.eu.auth0.example/userinfo"]"#,
                "azp": #""client-1""#, "scope": #""openid read""#, "permissions": #"["read:all"]"#,
            ], client: "client-1", scopes: ["openid", "read"], roles: ["read:all"],
            others: [ClaimCase("ID token", idToken, .audienceMissing, "aud"), otherAPI])
    }

    static func keycloak() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "keycloak",
            try .keycloak(
                url: EndpointURL("https://sso.example"), realm: "main", audiences: ["api"], client: "api"),
            "https://sso.example/realms/main",
            [
                "typ": #""Bearer""#, "azp": #""web""#, "aud": #"["api","account"]"#,
                "scope": #""profile email""#, "realm_access": #"{"roles":["admin"]}"#,
                "resource_access": #"{"api":{"roles":["write"]},"account":{"roles":["manage"]}}"#,
                "allowed-origins": #"["https://app.example"]"#, "jti": #""j""#,
            ], client: "web", scopes: ["profile", "email"], roles: ["admin", "write"],
            others: [
                ClaimCase("ID token", ["typ": #""ID""#], .valueNotAccepted, "typ"),
                ClaimCase("refresh token", ["typ": #""Refresh""#], .valueNotAccepted, "typ"),
                ClaimCase("logout token", ["typ": #""Logout""#], .valueNotAccepted, "typ"),
                ClaimCase("of every client", ["aud": #""account""#], .audienceMissing, "aud"),
            ])
    }

    static func cognito() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "cognito",
            try .cognito(region: "eu-west-1", userPoolID: "eu-west-1_AbC", clientIDs: ["client-1"]),
            "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbC",
            [
                "token_use": #""access""#, "client_id": #""client-1""#, "scope": #""api/read""#,
                "cognito:groups": #"["admin"]"#, "jti": #""j""#, "username": #""alice""#,
            ], client: "client-1", scopes: ["api/read"], roles: ["admin"],
            others: [
                ClaimCase("another application's", ["client_id": #""client-2""#], .azp, "client_id"),
                ClaimCase("no client", ["client_id": nil], .azp, "client_id"),
                ClaimCase(
                    "ID token", ["token_use": #""id""#, "aud": #""client-1""#, "client_id": nil], .azp,
                    "client_id"),
                ClaimCase("another use", ["token_use": #""id""#], .valueNotAccepted, "token_use"),
            ])
    }

    static func supabase() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "supabase", try .supabase(projectRef: "abcdefghijklmnopqrst"),
            "https://abcdefghijklmnopqrst.supabase.co/auth/v1",
            [
                "aud": #""authenticated""#, "role": #""authenticated""#, "is_anonymous": "false",
                "sub": "\"\(ProviderFixture.user)\"", "session_id": #""s""#, "aal": #""aal1""#,
            ], client: nil, roles: ["authenticated"],
            others: [
                ClaimCase("anon", ["aud": #""anon""#], .audienceMissing, "aud"),
                ClaimCase(
                    "a third party's, by the project's OAuth server",
                    ["client_id": #""9a8b7c6d-5e4f-3a2b-1c0d-9e8f7a6b5c4d""#], .azp, "client_id"),
                ClaimCase("no person", ["sub": #""service""#], .subject, "sub"),
            ])
    }

    static func clerk() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "clerk",
            try .clerk(issuer: "https://clerk.company.example", origins: ["https://app.company.example"]),
            "https://clerk.company.example",
            [
                "azp": #""https://app.company.example""#, "sid": #""sess_1""#, "sub": #""user_1""#,
                "org_role": #""org:admin""#, "sts": #""active""#, "fva": "[0,-1]",
            ], client: "https://app.company.example", roles: ["org:admin"],
            others: [
                ClaimCase(
                    "another application's", ["azp": #""https://evil.company.example""#], .azp, "azp"),
                ClaimCase("of no application", ["azp": nil], .azp, "azp"),
                ClaimCase(
                    "made for a third party by a JWT template",
                    ["sid": nil, "sts": nil, "fva": nil, "aud": #""hasura""#], .claimMissing, "sid"),
                ClaimCase("a session that is pending", ["sts": #""pending""#], .valueNotAccepted, "sts"),
                ClaimCase(
                    "another instance's", ["iss": #""https://clerk.other.example""#], .issuer, "iss"),
            ])
    }

    static func workOS() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "workos", try .workOS(clientID: "client_01"), "https://api.workos.com",
            [
                "sub": #""user_1""#, "sid": #""session_1""#, "org_id": #""org_1""#, "role": #""member""#,
                "permissions": #"["posts:read"]"#, "jti": #""j""#,
            ], client: nil, roles: ["member", "posts:read"],
            others: [
                ClaimCase("another application's", ["client_id": #""client_02""#], .azp, "client_id"),
                ClaimCase(
                    "another application's issuer",
                    ["iss": #""https://api.workos.com/user_management/client_02""#], .issuer, "iss"),
            ])
    }

    static func gitHubActions() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "github actions", try .gitHubActions(audiences: ["deploy"], ownerIDs: ["1234"]),
            "https://token.actions.githubusercontent.com",
            [
                "aud": #""deploy""#, "sub": #""repo:company/app:environment:Prüfung""#,
                "repository_owner_id": #""1234""#, "repository_id": #""5""#, "jti": #""j""#,
                "ref": #""refs/heads/main""#, "nbf": ProviderFixture.times.issued,
            ], client: nil,
            others: [
                ClaimCase(
                    "another owner's", ["repository_owner_id": #""1235""#], .valueNotAccepted,
                    "repository_owner_id"),
                ClaimCase("no owner", ["repository_owner_id": nil], .claimMissing, "repository_owner_id"),
                otherAPI,
            ])
    }

    /// As k3s writes it: two audiences, and no client.
    static func kubernetes() throws -> AccessTokenFixture {
        AccessTokenFixture(
            "kubernetes",
            try .kubernetes(
                issuer: "https://kubernetes.default.svc.cluster.local", audiences: ["k3s"]),
            "https://kubernetes.default.svc.cluster.local",
            [
                "aud": #"["https://kubernetes.default.svc.cluster.local","k3s"]"#,
                "sub": #""system:serviceaccount:default:app""#,
                "kubernetes.io": #"{"namespace":"default"}"#,
            ], client: nil, others: [otherAPI])
    }
}
