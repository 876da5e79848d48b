// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

extension ProviderFixture {
    static func google() throws -> ProviderFixture {
        try ProviderFixture(
            name: "google",
            provider: .google(clientIDs: ["web.apps.example", "ios.apps.example"]), key: .rsa,
            claims: .issued(
                #"""
                {"iss": "https://accounts.google.com", "azp": "ios.apps.example", "aud": "web.apps.example",
                 "sub": "110169484474386276334", "hd": "corp.example", "email": "alice@corp.example",
                 "email_verified": true, "name": "Alice", "given_name": "Alice",
                 "picture": "https://pictures.example/a", "nonce": "made-by-the-sdk"}
                """#),
            source: .library(
                "https://cloud.google.com/nodejs/docs/reference/google-auth-library/latest/google-auth-library/tokenpayload"
            ))
    }
}

extension ProviderTokens {
    static func google() throws -> ProviderTokens {
        try ProviderTokens(
            "google", signIn: .google(),
            [
                // Any customer of Google Cloud gets one for any audience: "azp" is what tells.
                IssuedToken(
                    kind: "ID token of a service account",
                    source: .documentation(
                        "https://cloud.google.com/docs/authentication/get-id-token"),
                    claims: .issued(
                        #"""
                        {"iss": "https://accounts.google.com", "azp": "102345678901234567890",
                         "aud": "web.apps.example", "sub": "102345678901234567890",
                         "email": "robot@project.iam.gserviceaccount.com", "email_verified": true}
                        """#),
                    signIn: .refused(.azp, "azp")),
                IssuedToken(
                    kind: "account event", source: .knowledge,
                    claims: .issued(
                        #"""
                        {"iss": "https://accounts.google.com/", "aud": "web.apps.example", "jti": "756E69",
                         "events": {"https://schemas.openid.net/secevent/risc/event-type/account-disabled":
                           {"subject": {"subject_type": "iss-sub", "iss": "https://accounts.google.com/",
                             "sub": "110169484474386276334"}, "reason": "hijacking"}}}
                        """#),
                    signIn: .refused(.issuer, "iss")),
            ])
    }
}
