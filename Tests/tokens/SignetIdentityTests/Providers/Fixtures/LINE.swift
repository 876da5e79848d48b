// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

extension ProviderFixture {
    static func line() throws -> ProviderFixture {
        try ProviderFixture(
            name: "line", provider: .line(channelIDs: ["client-1"]), key: .ec,
            claims: .issued(
                #"""
                {"iss": "https://access.line.me", "aud": "client-1", "sub": "U1234567890abcdef",
                 "amr": ["linesso"], "auth_time": 1799999940, "name": "Alice",
                 "picture": "https://profile.line-scdn.net/a", "email": "alice@corp.example"}
                """#),
            source: .documentation(
                "https://developers.line.biz/en/docs/line-login/verify-id-token/"))
    }
}

extension ProviderTokens {
    /// What it issues besides is opaque.
    static func line() throws -> ProviderTokens { try ProviderTokens("line", signIn: .line()) }
}
