// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity

extension ProviderFixture {
    package static let openIDIssuer = "https://idp.example"

    /// A provider that follows the standards and nothing else.
    package static func openID() throws -> ProviderFixture {
        try ProviderFixture(
            name: "openid", provider: .openID(issuer: openIDIssuer, clientIDs: ["client-1"]),
            key: .rsa,
            claims: .issued(
                #"""
                {"iss": "\#(openIDIssuer)", "aud": ["client-1"], "sub": "u1", "email": "alice@corp.example",
                 "email_verified": true, "acr": "silver"}
                """#),
            source: .documentation("https://openid.net/specs/openid-connect-core-1_0.html"))
    }
}
