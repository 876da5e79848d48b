// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

/// One registration that is both client and API: only their claims tell its tokens apart.
private let registration = "6731de76-14a6-49ae-97bc-6eba6914391e"
private let tenant = ProviderFixture.tenant
private let service = "1f5d9c27-3b1e-4c1a-9d63-0a4b5c6d7e8f"

private let idTokens = TokenSource.documentation(
    "https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference")
private let accessTokens = TokenSource.documentation(
    "https://learn.microsoft.com/en-us/entra/identity-platform/access-token-claims-reference")

private func payload(_ issuer: String, _ more: String) throws -> TestClaimSet {
    try .issued(
        #"""
        {"iss": "\#(issuer)", "aud": "\#(registration)", "tid": "\#(tenant)", "nbf": 1799999940,
         "oid": "\#(ProviderFixture.object)", "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
         "aio": "Df2UVXL1ix", "uti": "hDPtVq2jTU2nCbqZrRUAAA", "rh": "0.AScA", \#(more)}
        """#)
}

/// An application that acts for itself: it is subject and object at once.
private func app(_ issuer: String, _ more: String) throws -> TestClaimSet {
    try payload(issuer, more).changing(["oid": "\"\(service)\"", "sub": "\"\(service)\""])
}

private let version2 = "https://login.microsoftonline.com/\(tenant)/v2.0"
private let version1 = "https://sts.windows.net/\(tenant)/"
private let external = "https://\(tenant).ciamlogin.com/\(tenant)/v2.0"
private let person =
    #""ver": "2.0", "name": "Alice", "email": "alice@corp.example", "preferred_username": "alice@corp.example""#

extension ProviderFixture {
    static func entra() throws -> ProviderFixture {
        try ProviderFixture(
            name: "entra", provider: .entra(tenants: .only(tenant), clientIDs: [registration]),
            key: .rsa,
            claims: payload(version2, person), source: idTokens)
    }

    static func entra1() throws -> ProviderFixture {
        try ProviderFixture(
            name: "entra 1",
            provider: .entra(
                tenants: .only(tenant), clientIDs: [registration], acceptsVersion1: true),
            key: .rsa,
            claims: payload(
                version1,
                #""ver": "1.0", "amr": ["pwd"], "name": "Alice", "unique_name": "alice@corp.example""#
            ),
            source: idTokens)
    }

    static func entraExternalID() throws -> ProviderFixture {
        try ProviderFixture(
            name: "entra external",
            provider: .entraExternalID(tenantID: tenant, clientIDs: [registration]), key: .rsa,
            claims: payload(external, person), source: idTokens)
    }
}

extension AccessTokenFixture {
    static func entra() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "entra", profile: .entra(tenants: .only(tenant), audiences: [registration]),
            source: accessTokens,
            claims: payload(
                version2,
                #""ver": "2.0", "azp": "spa", "azpacr": "0", "scp": "read write", "roles": ["admin"]"#
            ),
            client: "spa", scopes: ["read", "write"], roles: ["admin"],
            others: [
                ClaimCase(
                    "with empty grants", ["scp": #""""#, "roles": "[]"], .insufficientScope, "scp"),
                ClaimCase(
                    "another tenant's",
                    [
                        "iss":
                            "\"https://login.microsoftonline.com/\(ProviderFixture.otherTenant)/v2.0\"",
                        "tid": "\"\(ProviderFixture.otherTenant)\"",
                    ], .tenant, "tid"),
                ClaimCase(
                    "tenants that differ", ["tid": "\"\(ProviderFixture.otherTenant)\""], .tenant,
                    "tid"),
                ClaimCase("no tenant", ["tid": nil], .tenant, "tid"), otherAPI,
            ])
    }

    static func entra1() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "entra 1",
            profile: .entra(
                tenants: .only(tenant), audiences: ["api://\(registration)"], acceptsVersion1: true),
            source: accessTokens,
            claims: payload(
                version1,
                #""ver": "1.0", "appid": "spa", "appidacr": "0", "scp": "read write", "roles": ["admin"]"#
            ).changing(["aud": "\"api://\(registration)\""]),
            client: "spa", scopes: ["read", "write"], roles: ["admin"],
            others: [
                ClaimCase(
                    "an application's that was granted nothing", ["scp": nil, "roles": nil],
                    .insufficientScope, "scp")
            ])
    }
}

extension ProviderTokens {
    static func entra() throws -> ProviderTokens {
        try ProviderTokens(
            "entra", signIn: .entra(), api: .entra(), idTokenAtAPI: .refused(.azp, "azp"),
            accessTokenAtSignIn: .refused(.typeMismatch, "scp"),
            [
                IssuedToken(
                    kind: "app-only token", source: accessTokens,
                    claims: app(
                        version2,
                        #""ver": "2.0", "azp": "daemon", "azpacr": "1", "idtyp": "app", "roles": ["Read.All"]"#
                    ),
                    signIn: .refused(.typeMismatch, "idtyp")),
                IssuedToken(
                    kind: "app-only token without a grant", source: accessTokens,
                    claims: app(version2, #""ver": "2.0", "azp": "daemon", "azpacr": "1""#),
                    signIn: .refused(.typeMismatch, "azpacr"),
                    api: .refused(.insufficientScope, "scp")),
                IssuedToken(
                    kind: "ID token, version 1", source: idTokens,
                    claims: ProviderFixture.entra1().claims,
                    signIn: .refused(.issuer, "iss"), api: .refused(.issuer, "iss")),
                IssuedToken(
                    kind: "access token, version 1", source: accessTokens,
                    claims: payload(
                        version1, #""ver": "1.0", "appid": "spa", "appidacr": "0", "scp": "read""#),
                    signIn: .refused(.typeMismatch, "scp"), api: .refused(.issuer, "iss")),
            ])
    }

    static func entra1() throws -> ProviderTokens {
        try ProviderTokens(
            "entra 1", signIn: .entra1(), api: .entra1(),
            idTokenAtAPI: .refused(.audienceMissing, "aud"),
            accessTokenAtSignIn: .refused(.audienceMissing, "aud"),
            [
                IssuedToken(
                    kind: "access token for the client identifier", source: accessTokens,
                    claims: payload(
                        version1, #""ver": "1.0", "appid": "spa", "appidacr": "0", "scp": "read""#),
                    signIn: .refused(.typeMismatch, "scp"), api: .refused(.audienceMissing, "aud")),
                IssuedToken(
                    kind: "app-only token for the client identifier", source: accessTokens,
                    claims: app(
                        version1, #""ver": "1.0", "appid": "\#(registration)", "appidacr": "1""#),
                    signIn: .refused(.typeMismatch, "appidacr"),
                    api: .refused(.audienceMissing, "aud")),
                IssuedToken(
                    kind: "app-only token", source: accessTokens,
                    claims: app(
                        version1,
                        #""ver": "1.0", "appid": "daemon", "appidacr": "1", "roles": ["Read.All"]"#
                    ).changing(["aud": "\"api://\(registration)\""]),
                    signIn: .refused(.audienceMissing, "aud")),
            ])
    }

    static func entraExternalID() throws -> ProviderTokens {
        try ProviderTokens(
            "entra external", signIn: .entraExternalID(),
            [
                IssuedToken(
                    kind: "access token", source: accessTokens,
                    claims: payload(
                        external, #""ver": "2.0", "azp": "spa", "azpacr": "0", "scp": "read""#),
                    signIn: .refused(.typeMismatch, "scp")),
                IssuedToken(
                    kind: "app-only token", source: accessTokens,
                    claims: app(
                        external, #""ver": "2.0", "azp": "daemon", "azpacr": "1", "roles": ["a"]"#),
                    signIn: .refused(.typeMismatch, "azpacr")),
            ])
    }
}
