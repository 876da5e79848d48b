// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

extension ProviderFixture {
    static func facebook() throws -> ProviderFixture {
        try ProviderFixture(
            name: "facebook", provider: .facebook(appIDs: ["client-1"]), key: .rsa,
            claims: .issued(
                #"""
                {"iss": "https://www.facebook.com", "aud": "client-1", "sub": "10158", "jti": "j",
                 "name": "Alice", "given_name": "Alice", "family_name": "A", "email": "alice@corp.example",
                 "picture": "https://platform-lookaside.fbsbx.example/a", "user_friends": ["10159"]}
                """#),
            source: .library(
                "https://github.com/facebook/facebook-ios-sdk/blob/main/FBSDKCoreKit/FBSDKCoreKit/include/FBSDKAuthenticationTokenClaims.h"
            ))
    }
}

extension ProviderTokens {
    /// What it issues besides is opaque.
    static func facebook() throws -> ProviderTokens {
        try ProviderTokens("facebook", signIn: .facebook())
    }
}
