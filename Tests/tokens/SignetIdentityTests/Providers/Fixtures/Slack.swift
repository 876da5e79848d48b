// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

extension ProviderFixture {
    static func slack() throws -> ProviderFixture {
        try ProviderFixture(
            name: "slack", provider: .slack(clientIDs: ["client-1"]), key: .rsa,
            claims: .issued(
                #"""
                {"iss": "https://slack.com", "aud": "client-1", "sub": "U0R7MFMJM", "nonce": "",
                 "at_hash": "tUbyWGBHe0V32FJEupkgVQ", "auth_time": 1799999940,
                 "https://slack.com/team_id": "T0RR", "https://slack.com/user_id": "U0JM",
                 "email": "alice@corp.example", "email_verified": true, "date_email_verified": 1622128723,
                 "locale": "en-US", "name": "Alice", "given_name": "", "family_name": "",
                 "https://slack.com/team_image_default": true}
                """#),
            source: .documentation("https://docs.slack.dev/reference/methods/openid.connect.token"),
            type: nil
        )
    }
}

extension ProviderTokens {
    /// What it issues besides is opaque.
    static func slack() throws -> ProviderTokens { try ProviderTokens("slack", signIn: .slack()) }
}
