// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let issuer = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbC"
private let accessTokens = TokenSource.documentation(
    "https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html"
)

extension ProviderFixture {
    static func cognito() throws -> ProviderFixture {
        try ProviderFixture(
            name: "cognito",
            provider: .cognito(
                region: "eu-west-1", userPoolID: "eu-west-1_AbC", clientIDs: ["client-1"]),
            key: .rsa,
            claims: .issued(
                #"""
                {"iss": "\#(issuer)", "aud": "client-1", "sub": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
                 "token_use": "id", "cognito:username": "alice", "cognito:groups": ["admin"],
                 "email": "alice@corp.example", "email_verified": true, "auth_time": 1799999940,
                 "event_id": "e", "origin_jti": "o", "jti": "j"}
                """#),
            source: .documentation(
                "https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-tokens-with-identity-providers.html"
            ), type: nil)
    }
}

extension AccessTokenFixture {
    static func cognito() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "cognito",
            profile: .cognito(
                region: "eu-west-1", userPoolID: "eu-west-1_AbC", clientIDs: ["client-1"]),
            source: accessTokens,
            claims: .issued(
                #"""
                {"iss": "\#(issuer)", "sub": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", "token_use": "access",
                 "client_id": "client-1", "scope": "api/read", "cognito:groups": ["admin"], "version": 2,
                 "device_key": "k", "event_id": "e", "origin_jti": "o", "jti": "j", "username": "alice",
                 "auth_time": 1799999940}
                """#),
            type: nil, client: "client-1", scopes: ["api/read"], roles: ["admin"],
            others: [
                ClaimCase(
                    "another application's", ["client_id": #""client-2""#], .azp, "client_id"),
                ClaimCase("no client", ["client_id": nil], .azp, "client_id"),
                ClaimCase("another use", ["token_use": #""id""#], .valueNotAccepted, "token_use"),
            ])
    }
}

extension ProviderTokens {
    static func cognito() throws -> ProviderTokens {
        try ProviderTokens(
            "cognito", signIn: .cognito(), api: .cognito(),
            idTokenAtAPI: .refused(.azp, "client_id"),
            accessTokenAtSignIn: .refused(.audienceMissing, "aud"),
            [
                IssuedToken(
                    kind: "access token for a resource server", source: .knowledge,
                    claims: AccessTokenFixture.cognito().claims.changing(["aud": #""client-1""#]),
                    type: nil,
                    signIn: .refused(.typeMismatch, "token_use")),
                IssuedToken(
                    kind: "app-only token", source: .knowledge,
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "sub": "client-1", "token_use": "access", "client_id": "client-1",
                         "scope": "api/read", "version": 2, "jti": "j", "auth_time": 1799999940}
                        """#),
                    type: nil, signIn: .refused(.audienceMissing, "aud")),
            ])
    }
}
