// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

/// A provider that follows the standards and nothing else.
private let issuer = ProviderFixture.openIDIssuer

private func specification(_ name: String) -> TokenSource {
    .documentation("https://openid.net/specs/\(name).html")
}

extension AccessTokenFixture {
    static func rfc9068() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "rfc9068", profile: .rfc9068(issuer: issuer, resources: ["https://api.example"]),
            source: .documentation("https://www.rfc-editor.org/rfc/rfc9068"),
            claims: .issued(
                #"""
                {"iss": "\#(issuer)", "aud": "https://api.example", "sub": "u1", "client_id": "client-1",
                 "jti": "t", "scope": "read write"}
                """#),
            type: "at+jwt", client: "client-1", scopes: ["read", "write"], others: [otherAPI])
    }
}

extension ProviderTokens {
    static func openID() throws -> ProviderTokens {
        let logout =
            #""sid": "s", "jti": "l", "events": {"http://schemas.openid.net/event/backchannel-logout": {}}"#
        func payload(_ more: String) throws -> TestClaimSet {
            try .issued(#"{"iss": "\#(issuer)", "aud": "client-1", "sub": "u1", \#(more)}"#)
        }
        return try ProviderTokens(
            "openid", signIn: .openID(), api: .rfc9068(), idTokenAtAPI: .refused(.typeMismatch),
            accessTokenAtSignIn: .refused(.typeMismatch),
            [
                IssuedToken(
                    kind: "app-only token",
                    source: .documentation("https://www.rfc-editor.org/rfc/rfc9068"),
                    claims: payload(#""client_id": "client-1", "jti": "t""#).changing([
                        "aud": #""https://api.example""#, "sub": #""client-1""#,
                    ]),
                    type: "application/at+jwt", signIn: .refused(.typeMismatch)),
                IssuedToken(
                    kind: "logout token", source: specification("openid-connect-backchannel-1_0"),
                    claims: payload(logout), type: "logout+jwt", signIn: .refused(.typeMismatch),
                    api: .refused(.typeMismatch)),
                IssuedToken(
                    kind: "logout token without a type",
                    source: specification("openid-connect-backchannel-1_0"),
                    claims: payload(logout),
                    type: nil, signIn: .refused(.typeMismatch, "events"),
                    api: .refused(.typeMismatch)),
                IssuedToken(
                    kind: "security event",
                    source: .documentation("https://www.rfc-editor.org/rfc/rfc8417"),
                    claims: payload(#""jti": "e", "events": {"urn:example:event": {}}"#),
                    type: "secevent+jwt", signIn: .refused(.typeMismatch),
                    api: .refused(.typeMismatch)),
                IssuedToken(
                    kind: "signed UserInfo", source: specification("openid-connect-core-1_0"),
                    claims: payload(#""email": "alice@corp.example""#).changing([
                        "iat": nil, "exp": nil,
                    ]),
                    signIn: .refused(.claimMissing, "exp"), api: .refused(.typeMismatch)),
                IssuedToken(
                    kind: "authorization response", source: specification("oauth-v2-jarm"),
                    claims: payload(#""code": "c", "state": "s""#).changing([
                        "iat": nil, "sub": nil,
                    ]),
                    type: nil, signIn: .refused(.claimMissing, "iat"), api: .refused(.typeMismatch)),
                IssuedToken(
                    kind: "introspection response",
                    source: .documentation("https://www.rfc-editor.org/rfc/rfc9701"),
                    claims: payload(#""token_introspection": {"active": true, "sub": "u1"}"#)
                        .changing(["exp": nil, "sub": nil]),
                    type: "token-introspection+jwt", signIn: .refused(.typeMismatch),
                    api: .refused(.typeMismatch)),
            ])
    }
}
