// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let idTokens = TokenSource.library(
    "https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/id_token.py")
private let issuer = "https://sso.example/application/o/app/"

extension ProviderFixture {
    static func authentik() throws -> ProviderFixture {
        try ProviderFixture(
            name: "authentik",
            provider: .authentik(
                url: EndpointURL("https://sso.example"), application: "app", clientIDs: ["client-1"]
            ),
            key: .rsa,
            // As a refreshed token of 2022 was: nulls for what is unknown.
            claims: .issued(
                #"""
                {"iss": "\#(issuer)", "aud": "client-1", "sub": "u1", "nonce": null, "at_hash": null,
                 "c_hash": null, "acr": "goauthentik.io/providers/oauth2/default", "amr": ["pwd"],
                 "auth_time": 1799999940, "sid": "s"}
                """#),
            source: idTokens)
    }
}

extension ProviderTokens {
    static func authentik() throws -> ProviderTokens {
        // The ID token with two more claims and the same nonce.
        let access = ["azp": Optional(#""client-1""#), "uid": #""q1W2e3R4""#]
        let claims = try ProviderFixture.authentik().claims
        return try ProviderTokens(
            "authentik", signIn: .authentik(),
            [
                IssuedToken(
                    kind: "access token", source: idTokens, claims: claims.changing(access),
                    signIn: .refused(.typeMismatch, "uid")),
                IssuedToken(
                    kind: "app-only token", source: idTokens,
                    claims: claims.changing(access).changing([
                        "sub": #""ak-app-client_credentials""#
                    ]),
                    signIn: .refused(.typeMismatch, "uid")),
                IssuedToken(
                    kind: "logout token",
                    source: .library(
                        "https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/tests/test_backchannel_logout.py"
                    ),
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "aud": "client-1", "sub": "u1", "sid": "s", "jti": "j",
                         "events": {"http://schemas.openid.net/event/backchannel-logout": {}}}
                        """#),
                    signIn: .refused(.typeMismatch, "events")),
            ])
    }
}
