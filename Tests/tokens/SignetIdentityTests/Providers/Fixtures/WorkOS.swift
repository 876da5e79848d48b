// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

/// The custom domain, under which AuthKit and Connect issue.
private let issuer = "https://auth.company.example"
private let connect = TokenSource.documentation(
    "https://workos.com/docs/authkit/connect/token-claims")
private let connectReference = TokenSource.documentation(
    "https://workos.com/docs/reference/workos-connect/token")

extension AccessTokenFixture {
    static func workOS() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "workos", profile: .workOS(clientID: "client_01", issuer: issuer),
            source: .documentation("https://workos.com/docs/reference/authkit/session-tokens"),
            claims: .issued(
                #"""
                {"iss": "\#(issuer)", "sub": "user_01HBEQKA6K4QJAS93VPE39W1JT",
                 "act": {"sub": "admin@foocorp.example"}, "org_id": "org_01HRDMC6CM357W30QMHMQ96Q0S",
                 "role": "member", "roles": ["member"], "permissions": ["posts:read"],
                 "entitlements": ["audit-logs"], "sid": "session_01HQSXZGF8FHF7A9ZZFCW4387R", "jti": "j"}
                """#),
            roles: ["member", "member", "posts:read"],
            others: [
                ClaimCase(
                    "another application's", ["client_id": #""client_02""#], .azp, "client_id"),
                ClaimCase(
                    "another application's issuer",
                    ["iss": #""https://api.workos.com/user_management/client_02""#], .issuer, "iss"),
            ])
    }
}

extension ProviderTokens {
    static func workOS() throws -> ProviderTokens {
        try ProviderTokens(
            "workos", api: .workOS(),
            [
                // Any application that a person let act for them, an MCP client say, has one.
                IssuedToken(
                    kind: "Connect access token of a third party", source: connectReference,
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "aud": "client_01", "sub": "user_01HBEQKA6K4QJAS93VPE39W1JT",
                         "org_id": "org_01HRDMC6CM357W30QMHMQ96Q0S", "sid": "app_consent_01JQ0E27WE4K1R",
                         "jti": "01JQ0E27ZXE4XNHVP870S6PWYN"}
                        """#),
                    api: .refused(.valueNotAccepted, "sid")),
                IssuedToken(
                    kind: "Connect access token that names its client", source: connect,
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "aud": "client_01", "sub": "user_01HBEQKA6K4QJAS93VPE39W1JT",
                         "client_id": "client_third", "sid": "app_consent_01JQ0E27WE4K1R", "scope": "openid",
                         "jti": "01JQ0E27ZXE4XNHVP870S6PWYN"}
                        """#),
                    api: .refused(.azp, "client_id")),
                IssuedToken(
                    kind: "Connect ID token", source: connectReference,
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "aud": "client_third", "sub": "user_01HBEQKA6K4QJAS93VPE39W1JT",
                         "email": "alice@corp.example", "email_verified": true, "given_name": "Alice"}
                        """#),
                    api: .refused(.claimMissing, "sid")),
                IssuedToken(
                    kind: "app-only token", source: connect,
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "aud": "client_01", "sub": "client_machine",
                         "org_id": "org_01HRDMC6CM357W30QMHMQ96Q0S", "jti": "j"}
                        """#),
                    api: .refused(.claimMissing, "sid")),
            ])
    }
}
