// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let issuer = "https://tenant.eu.auth0.example/"
private let profiles = TokenSource.documentation(
    "https://auth0.com/docs/secure/tokens/access-tokens/access-token-profiles")

extension ProviderFixture {
    static func auth0() throws -> ProviderFixture {
        try ProviderFixture(
            name: "auth0",
            provider: .auth0(domain: "tenant.eu.auth0.example", clientIDs: ["client-1"]),
            key: .rsa,
            claims: .issued(
                #"""
                {"iss": "\#(issuer)", "aud": "client-1", "sub": "auth0|5f7c8ec7c33c6c004bbafe82",
                 "name": "Alice", "given_name": "Alice", "family_name": "A", "picture": "https://a.example/a",
                 "email": "alice@corp.example", "email_verified": true, "sid": "s1", "nonce": "n-1"}
                """#),
            nonce: .raw("n-1"),
            source: .documentation(
                "https://auth0.com/docs/secure/tokens/id-tokens/id-token-structure"))
    }
}

extension AccessTokenFixture {
    static func auth0() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "auth0",
            profile: .auth0(domain: "tenant.eu.auth0.example", audiences: ["https://api.example"]),
            source: profiles,
            claims: .issued(
                #"""
                {"iss": "\#(issuer)", "aud": ["https://api.example", "\#(issuer)userinfo"],
                 "sub": "auth0|123456", "azp": "client-1", "scope": "openid read",
                 "permissions": ["read:all"]}
                """#),
            client: "client-1", scopes: ["openid", "read"], roles: ["read:all"],
            others: [otherAPI, ClaimCase("no client", ["azp": nil], .azp, "azp")])
    }
}

extension ProviderTokens {
    static func auth0() throws -> ProviderTokens {
        try ProviderTokens(
            "auth0", signIn: .auth0(), api: .auth0(),
            idTokenAtAPI: .refused(.audienceMissing, "aud"),
            accessTokenAtSignIn: .refused(.audienceMissing, "aud"),
            [
                IssuedToken(
                    kind: "access token, RFC 9068", source: profiles,
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "aud": ["https://api.example", "\#(issuer)userinfo"],
                         "sub": "auth0|123456", "client_id": "client-1", "jti": "73WakrfVbNJBaAmh",
                         "scope": "openid read"}
                        """#),
                    type: "at+jwt", signIn: .refused(.typeMismatch), api: .refused(.typeMismatch)),
                IssuedToken(
                    kind: "app-only token", source: .knowledge,
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "aud": "https://api.example", "sub": "client-2@clients",
                         "azp": "client-2", "gty": "client-credentials", "scope": "read"}
                        """#),
                    signIn: .refused(.audienceMissing, "aud")),
                IssuedToken(
                    kind: "logout token",
                    source: .documentation(
                        "https://auth0.com/docs/authenticate/login/logout/back-channel-logout"),
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "aud": "client-1", "sub": "auth0|5f7c8ec7c33c6c004bbafe82",
                         "sid": "s1", "jti": "l1",
                         "events": {"http://schemas.openid.net/event/backchannel-logout": {}}}
                        """#),
                    type: "logout+jwt", signIn: .refused(.typeMismatch),
                    api: .refused(.typeMismatch)),
            ])
    }
}
