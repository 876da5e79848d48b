// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

extension ProviderFixture {
    static func linkedIn() throws -> ProviderFixture {
        try ProviderFixture(
            name: "linkedin", provider: .linkedIn(clientIDs: ["client-1"]), key: .rsa,
            claims: .issued(
                #"""
                {"iss": "https://www.linkedin.com/oauth", "aud": "client-1", "sub": "782bbtaQ",
                 "name": "Alice", "given_name": "Alice", "family_name": "A",
                 "picture": "https://media.licdn.example/a", "email": "alice@corp.example",
                 "email_verified": "true", "locale": {"country": "US", "language": "en"}}
                """#),
            source: .documentation(
                "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2"
            ), type: nil)
    }
}

extension ProviderTokens {
    /// What it issues besides is opaque.
    static func linkedIn() throws -> ProviderTokens {
        try ProviderTokens("linkedin", signIn: .linkedIn())
    }
}
