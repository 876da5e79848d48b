// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension IdentityProvider {
    /// Sign in with Apple.
    ///
    /// Accepted issuers are `https://appleid.apple.com`, which tokens carry, and `https://account.apple.com`, which the discovery document
    /// has named since 2025; users are stored under the first. RS256. The nonce is whatever the application passed, most often
    /// ``NonceExpectation/sha256Hex(of:)``. `email_verified` and `is_private_email` come as booleans or as text.
    ///
    /// - Parameter clientIDs: the bundle identifier (tokens from an iOS application) and the Services ID (from the web and from Android).
    /// - Throws: `invalidIdentifier`.
    public static func apple(clientIDs: [String]) throws(IdentityConfigurationError) -> IdentityProvider {
        try IdentityProvider(
            name: "apple", clientIDs: clientIDs, algorithms: [.rs256],
            issuer: .anyOf(["https://appleid.apple.com", "https://account.apple.com"]),
            keySource: .remote(.keySet(EndpointURL("https://appleid.apple.com/auth/keys"))), email: .apple)
    }
}
