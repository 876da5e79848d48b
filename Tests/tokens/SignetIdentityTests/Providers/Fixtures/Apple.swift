// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

extension ProviderFixture {
    static func apple() throws -> ProviderFixture {
        try ProviderFixture(
            name: "apple", provider: .apple(clientIDs: ["eg.Kinnect.auth", "eg.Kinnect"]),
            key: .rsa,
            // The nonce is the SHA-256 of "raw-nonce", by another implementation.
            claims: .issued(
                #"""
                {"iss": "https://appleid.apple.com", "aud": "eg.Kinnect",
                 "sub": "001234.0123456789abcdef0123456789abcdef.1234",
                 "nonce": "2c5d107938053a2275f022c153c9a71f65ee07754b8bca543ee97a0c3cc66990",
                 "nonce_supported": true, "email": "x1@privaterelay.appleid.com",
                 "email_verified": "true", "is_private_email": "true", "real_user_status": 2,
                 "auth_time": 1799999940}
                """#),
            nonce: .sha256Hex(of: "raw-nonce"),
            source: .documentation(
                "https://developer.apple.com/documentation/signinwithapplejs/authorizationi/id_token"
            ),
            type: nil)
    }
}

extension ProviderTokens {
    static func apple() throws -> ProviderTokens {
        try ProviderTokens(
            "apple", signIn: .apple(),
            [
                IssuedToken(
                    kind: "account event",
                    source: .documentation("https://developer.apple.com/forums/thread/655485"),
                    claims: .issued(
                        #"""
                        {"iss": "https://appleid.apple.com", "aud": "eg.Kinnect", "jti": "e1",
                         "events": "{\"type\":\"consent-revoked\",\"sub\":\"001234.0123.1234\",\"event_time\":1}"}
                        """#),
                    type: nil, signIn: .refused(.typeMismatch, "events"))
            ])
    }
}
