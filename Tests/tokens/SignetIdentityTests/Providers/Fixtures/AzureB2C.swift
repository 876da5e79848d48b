// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let overview = TokenSource.documentation(
    "https://learn.microsoft.com/en-us/azure/active-directory-b2c/tokens-overview")

private func payload(_ more: String) throws -> TestClaimSet {
    try .issued(
        #"""
        {"iss": "https://contoso.b2clogin.com/\#(ProviderFixture.tenant)/v2.0/", "aud": "client-1",
         "tfp": "B2C_1_signin", "ver": "1.0", "sub": "\#(ProviderFixture.object)", "nbf": 1799999940, \#(more)}
        """#)
}

extension ProviderFixture {
    static func azureB2C() throws -> ProviderFixture {
        try ProviderFixture(
            name: "azure b2c",
            provider: .azureB2C(
                tenantName: "contoso", tenantID: tenant, policy: "B2C_1_signin",
                clientIDs: ["client-1"]),
            key: .rsa,
            claims: payload(
                #""oid": "\#(object)", "emails": ["alice@corp.example"], "auth_time": 1799999940, "name": "Alice""#
            ), source: overview)
    }
}

extension ProviderTokens {
    static func azureB2C() throws -> ProviderTokens {
        try ProviderTokens(
            "azure b2c", signIn: .azureB2C(),
            [
                IssuedToken(
                    kind: "access token", source: overview,
                    claims: payload(
                        #""oid": "\#(ProviderFixture.object)", "azp": "client-1", "scp": "read""#),
                    signIn: .refused(.typeMismatch, "scp")),
                IssuedToken(
                    kind: "app-only token of another application", source: .knowledge,
                    claims: payload(#""azp": "daemon", "oid": "\#(ProviderFixture.object)""#),
                    signIn: .refused(.azp, "azp")),
                IssuedToken(
                    kind: "ID token of another policy", source: overview,
                    claims: payload(#""auth_time": 1799999940"#).changing(["tfp": #""B2C_1_reset""#]
                    ),
                    signIn: .refused(.valueNotAccepted, "tfp")),
            ])
    }
}
