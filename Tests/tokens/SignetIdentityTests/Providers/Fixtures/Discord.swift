// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

extension ProviderFixture {
    static func discord() throws -> ProviderFixture {
        try ProviderFixture(
            name: "discord", provider: .discord(clientIDs: ["client-1"]), key: .rsa,
            claims: .issued(
                #"""
                {"iss": "https://discord.com", "aud": "client-1", "sub": "80351110224678912",
                 "auth_time": 1799999940, "at_hash": "x"}
                """#),
            source: .knowledge)
    }
}

extension ProviderTokens {
    /// What it issues besides is opaque.
    static func discord() throws -> ProviderTokens {
        try ProviderTokens("discord", signIn: .discord())
    }
}
