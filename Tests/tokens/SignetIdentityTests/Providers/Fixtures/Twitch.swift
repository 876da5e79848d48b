// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

extension ProviderFixture {
    static func twitch() throws -> ProviderFixture {
        try ProviderFixture(
            name: "twitch", provider: .twitch(clientIDs: ["client-1"]), key: .rsa,
            claims: .issued(
                #"""
                {"iss": "https://id.twitch.tv/oauth2", "aud": "client-1", "azp": "client-1",
                 "sub": "713936733", "preferred_username": "alice", "email": "alice@corp.example",
                 "email_verified": true, "picture": "https://static-cdn.jtvnw.example/a"}
                """#),
            source: .documentation("https://dev.twitch.tv/docs/authentication/getting-tokens-oidc"))
    }
}

extension ProviderTokens {
    /// What it issues besides is opaque.
    static func twitch() throws -> ProviderTokens {
        try ProviderTokens("twitch", signIn: .twitch())
    }
}
