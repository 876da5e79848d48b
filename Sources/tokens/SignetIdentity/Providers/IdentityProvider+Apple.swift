// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension IdentityProvider {
    /// Sign in with Apple.
    ///
    /// Accepted issuers are `https://appleid.apple.com`, which tokens carry, and
    /// `https://account.apple.com`, which the discovery document has named since 2025; users are
    /// stored under the first. RS256. The nonce is the value that the application passed, usually
    /// ``NonceExpectation/sha256Hex(of:)``. `email_verified` and `is_private_email` may be booleans
    /// or text.
    ///
    /// - Parameter clientIDs: the bundle identifier (tokens from an iOS application) and the
    ///   Services ID (from the web and from Android).
    /// - Throws: `invalidIdentifier`.
    public static func apple(clientIDs: [String]) throws(IdentityConfigurationError)
        -> IdentityProvider
    {
        let issuers = ["https://appleid.apple.com", "https://account.apple.com"]
        var provider = try IdentityProvider(
            name: "apple", clientIDs: clientIDs, algorithms: [.rs256], issuer: .anyOf(issuers),
            keySource: .remote(.keySet(EndpointURL("https://appleid.apple.com/auth/keys"))),
            facts: ProviderFacts(email: .apple))
        provider.codeFlow = CodeFlow(
            endpoints: .discovered(
                at: try EndpointURL("https://appleid.apple.com/.well-known/openid-configuration"),
                issuers: issuers))
        provider.codeFlow?.scopes = ["openid", "email", "name"]
        // With the scopes `email` and `name` Apple supports only `form_post`.
        provider.codeFlow?.responseMode = .formPost
        return provider
    }
}
