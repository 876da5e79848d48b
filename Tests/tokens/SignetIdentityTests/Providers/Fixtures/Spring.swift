// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let generator = TokenSource.library(
    "https://github.com/spring-projects/spring-authorization-server/blob/main/oauth2-authorization-server/src/main/java/org/springframework/security/oauth2/server/authorization/token/JwtGenerator.java"
)

private func payload(_ more: String) throws -> TestClaimSet {
    try .issued(
        #"{"iss": "https://spring.example", "aud": "client-1", "sub": "alice", "jti": "j", \#(more)}"#
    )
}

extension AccessTokenFixture {
    static func spring() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "spring",
            profile: .spring(issuer: "https://spring.example", audiences: ["client-1"]),
            source: generator, claims: payload(#""nbf": 1799999940, "scope": ["read", "openid"]"#),
            type: nil,
            scopes: ["read", "openid"], others: [otherAPI])
    }
}

extension ProviderTokens {
    static func spring() throws -> ProviderTokens {
        try ProviderTokens(
            "spring", api: .spring(),
            [
                IssuedToken(
                    kind: "ID token", source: generator,
                    claims: payload(
                        #""azp": "client-1", "auth_time": 1799999940, "sid": "s", "nonce": "n""#),
                    type: nil, api: .refused(.claimMissing, "scope")),
                IssuedToken(
                    kind: "app-only token", source: generator,
                    claims: payload(#""nbf": 1799999940, "scope": ["jobs"]"#).changing([
                        "sub": #""client-1""#
                    ]), type: nil),
                IssuedToken(
                    kind: "app-only token without a scope", source: generator,
                    claims: payload(#""nbf": 1799999940"#).changing(["sub": #""client-1""#]),
                    type: nil,
                    api: .refused(.claimMissing, "scope")),
            ])
    }
}
