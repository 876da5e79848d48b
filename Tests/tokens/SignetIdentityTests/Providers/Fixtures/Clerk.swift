// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let issuer = "https://clerk.company.example"
private let origin = "https://app.company.example"

extension AccessTokenFixture {
    static func clerk() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "clerk", profile: .clerk(issuer: issuer, origins: [origin]),
            source: .documentation("https://clerk.com/docs/guides/sessions/session-tokens"),
            claims: .issued(
                #"""
                {"iss": "\#(issuer)", "azp": "\#(origin)", "sid": "sess_2GbDB4enNdCa5vS1zpC3Xzg9tK9",
                 "sub": "user_2GIpXOEpVyJw51rkZn9Kmnc6Sxr", "nbf": 1799999930, "v": 2, "sts": "active",
                 "fva": [7, -1], "o": {"id": "org_1", "slg": "company", "rol": "admin"}}
                """#),
            client: origin, roles: ["admin"],
            others: [
                ClaimCase(
                    "another application's", ["azp": #""https://evil.company.example""#], .azp,
                    "azp"),
                ClaimCase("of no application", ["azp": nil], .azp, "azp"),
                ClaimCase(
                    "a session that is pending", ["sts": #""pending""#], .valueNotAccepted, "sts"),
                ClaimCase(
                    "another instance's", ["iss": #""https://clerk.other.example""#], .issuer, "iss"
                ),
            ])
    }
}

extension ProviderTokens {
    static func clerk() throws -> ProviderTokens {
        try ProviderTokens(
            "clerk", api: .clerk(),
            [
                IssuedToken(
                    kind: "session token, version 1",
                    source: .library(
                        "https://github.com/clerk/javascript/blob/main/packages/backend/src/fixtures/index.ts"
                    ),
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "azp": "\#(origin)", "sid": "sess_2GbDB4enNdCa5vS1zpC3Xzg9tK9",
                         "sub": "user_2GIpXOEpVyJw51rkZn9Kmnc6Sxr", "nbf": 1799999930}
                        """#)),
                IssuedToken(
                    kind: "made for a third party by a JWT template",
                    source: .knowledge,
                    claims: .issued(
                        #"{"iss": "\#(issuer)", "azp": "\#(origin)", "sub": "user_1", "aud": "hasura"}"#
                    ),
                    api: .refused(.claimMissing, "sid")),
                IssuedToken(
                    kind: "OAuth access token", source: .knowledge,
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "sub": "user_1", "client_id": "third", "jti": "oat_1",
                         "scope": "profile"}
                        """#),
                    type: "at+jwt", api: .refused(.typeMismatch)),
                IssuedToken(
                    kind: "ID token for an OAuth application", source: .knowledge,
                    claims: .issued(
                        #"{"iss": "\#(issuer)", "sub": "user_1", "aud": "third", "azp": "third", "sid": "sess_1"}"#
                    ),
                    api: .refused(.azp, "azp")),
                IssuedToken(
                    kind: "machine token", source: .knowledge,
                    claims: .issued(
                        #"{"iss": "\#(issuer)", "sub": "mch_1", "aud": ["mch_2"], "jti": "mt_1", "scopes": "mch_2"}"#
                    ),
                    api: .refused(.claimMissing, "sid")),
            ])
    }
}
