// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let guide = TokenSource.documentation(
    "https://developer.okta.com/docs/guides/customize-tokens-returned-from-okta/main/")
private let server = "https://tenant.okta.example/oauth2/default"

extension ProviderFixture {
    static func okta() throws -> ProviderFixture {
        try ProviderFixture(
            name: "okta",
            provider: .okta(
                domain: "tenant.okta.example", authorizationServer: "default",
                clientIDs: ["client-1"]),
            key: .rsa,
            claims: .issued(
                #"""
                {"iss": "\#(server)", "aud": "client-1", "sub": "00uid4BxXw6I6TV4m0g3", "ver": 1,
                 "jti": "ID.T-ngjNl193t6rg3", "amr": ["mfa", "pwd", "kba"], "idp": "00oixa26ycdNcX0VT0h7",
                 "auth_time": 1799999940, "at_hash": "x", "name": "Alice"}
                """#),
            source: guide, type: nil)
    }
}

extension AccessTokenFixture {
    static func okta() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "okta",
            profile: .okta(domain: "tenant.okta.example", audiences: ["api://default"]),
            source: guide,
            claims: .issued(
                #"""
                {"iss": "\#(server)", "aud": "api://default", "sub": "joe.user@example.com", "ver": 1,
                 "jti": "AT.bcNo4WsBA8QS81SOrrTx", "cid": "client-1", "uid": "00uixa271s6x7qt8I0h7",
                 "scp": ["openid", "read"], "groups": ["Everyone"], "auth_time": 1799999940}
                """#),
            type: nil, client: "client-1", scopes: ["openid", "read"], roles: ["Everyone"],
            others: [ClaimCase("no client", ["cid": nil], .azp, "cid"), otherAPI])
    }
}

extension ProviderTokens {
    static func okta() throws -> ProviderTokens {
        try ProviderTokens(
            "okta", signIn: .okta(), api: .okta(), idTokenAtAPI: .refused(.audienceMissing, "aud"),
            accessTokenAtSignIn: .refused(.audienceMissing, "aud"),
            [
                IssuedToken(
                    kind: "app-only token", source: .knowledge,
                    claims: .issued(
                        #"""
                        {"iss": "\#(server)", "aud": "api://default", "sub": "0oa1", "ver": 1, "jti": "AT.1",
                         "cid": "0oa1", "scp": ["jobs"]}
                        """#),
                    type: nil, signIn: .refused(.audienceMissing, "aud")),
                IssuedToken(
                    kind: "access token of the organization's own server",
                    source: .documentation(
                        "https://developer.okta.com/docs/api/openapi/okta-oauth/oauth/tag/CustomAS/"
                    ),
                    claims: .issued(
                        #"""
                        {"iss": "https://tenant.okta.example", "aud": "https://tenant.okta.example",
                         "sub": "joe.user@example.com", "ver": 1, "jti": "AT.2", "cid": "client-1",
                         "uid": "00uixa271s6x7qt8I0h7", "scp": ["openid"]}
                        """#),
                    type: nil, signIn: .refused(.issuer, "iss"), api: .refused(.issuer, "iss")),
            ])
    }
}
