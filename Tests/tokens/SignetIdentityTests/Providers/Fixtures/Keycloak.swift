// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let kinds = TokenSource.library(
    "https://github.com/keycloak/keycloak/blob/main/core/src/main/java/org/keycloak/util/TokenUtil.java"
)
private let accessTokens = TokenSource.library(
    "https://github.com/keycloak/keycloak/blob/main/core/src/main/java/org/keycloak/representations/AccessToken.java"
)
private let logoutTokens = TokenSource.documentation(
    "https://www.keycloak.org/docs-api/latest/javadocs/org/keycloak/representations/LogoutToken.html"
)

/// The client "client-1" is the audience of all kinds, as an audience mapper makes it: only the
/// kind tells them apart.
private func payload(_ kind: String, _ more: String) throws -> TestClaimSet {
    try .issued(
        #"""
        {"iss": "https://sso.example/realms/main", "aud": "client-1", "sub": "u1", "typ": "\#(kind)",
         "azp": "client-1", "jti": "j", "sid": "s", \#(more)}
        """#)
}

private let grants = #"""
    "azp": "web", "aud": ["client-1", "account"], "scope": "profile email",
    "realm_access": {"roles": ["admin"]}, "allowed-origins": ["https://app.example"],
    "resource_access": {"client-1": {"roles": ["write"]}, "account": {"roles": ["manage"]}}
    """#

extension ProviderFixture {
    static func keycloak() throws -> ProviderFixture {
        try ProviderFixture(
            name: "keycloak",
            provider: .keycloak(
                url: EndpointURL("https://sso.example"), realm: "main", clientIDs: ["client-1"]),
            key: .rsa,
            claims: payload(
                "ID",
                #""acr": "1", "email_verified": false, "auth_time": 1799999940, "session_state": "s""#
            ),
            source: kinds)
    }
}

extension AccessTokenFixture {
    static func keycloak() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "keycloak",
            profile: .keycloak(
                url: EndpointURL("https://sso.example"), realm: "main", audiences: ["client-1"],
                client: "client-1"),
            source: accessTokens,
            claims: .issued(
                #"{"iss": "https://sso.example/realms/main", "sub": "u1", "typ": "Bearer", \#(grants)}"#
            ),
            client: "web", scopes: ["profile", "email"], roles: ["admin", "write"],
            others: [ClaimCase("of every client", ["aud": #""account""#], .audienceMissing, "aud")])
    }
}

extension ProviderTokens {
    static func keycloak() throws -> ProviderTokens {
        func other(_ kind: String, _ name: String, _ more: String) throws -> IssuedToken {
            try IssuedToken(
                kind: name, source: kinds, claims: payload(kind, more),
                signIn: .refused(.typeMismatch, "typ"), api: .refused(.valueNotAccepted, "typ"))
        }
        return try ProviderTokens(
            "keycloak", signIn: .keycloak(), api: .keycloak(),
            idTokenAtAPI: .refused(.valueNotAccepted, "typ"),
            // It has a second audience, which comes after the kind.
            accessTokenAtSignIn: .refused(.typeMismatch, "typ"),
            [
                other("Refresh", "refresh token", #""scope": "profile email""#),
                other("Offline", "offline token", #""scope": "offline_access""#),
                IssuedToken(
                    kind: "app-only token", source: accessTokens,
                    claims: payload(
                        "Bearer",
                        #""client_id": "daemon", "preferred_username": "service-account-daemon""#
                    ).changing(["azp": #""daemon""#]),
                    signIn: .refused(.typeMismatch, "typ")),
                IssuedToken(
                    kind: "access token with the header of RFC 9068", source: kinds,
                    claims: payload("Bearer", #""scope": "profile""#), type: "at+jwt",
                    signIn: .refused(.typeMismatch), api: .refused(.typeMismatch)),
                IssuedToken(
                    kind: "logout token", source: logoutTokens,
                    claims: payload(
                        "Logout",
                        #""events": {"http://schemas.openid.net/event/backchannel-logout": {}}"#),
                    signIn: .refused(.typeMismatch, "events"),
                    api: .refused(.typeMismatch, "events")),
                IssuedToken(
                    kind: "logout token with its header", source: kinds,
                    claims: payload(
                        "Logout",
                        #""events": {"http://schemas.openid.net/event/backchannel-logout": {}}"#),
                    type: "logout+jwt", signIn: .refused(.typeMismatch),
                    api: .refused(.typeMismatch)),
            ])
    }
}
