// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension IdentityProvider {
    /// Sign in with Google.
    ///
    /// The issuer is accepted with and without `https://`; keys are fetched from `googleapis.com`;
    /// RS256; at most 86,400 s between `iat` and `exp`. If an application's server has its own
    /// client identifier, tokens have the server in `aud` and the application in `azp`. Name both
    /// in `clientIDs`, or the application in ``authorizedParties``.
    ///
    /// The e-mail address counts as verified only if Google controls it: `@gmail.com`, or an
    /// account of a Workspace domain. For any other address, `email_verified` only says that the
    /// address was right once.
    ///
    /// - Parameters:
    ///   - clientIDs: the OAuth client identifiers, iOS, Android and web.
    ///   - hostedDomains: the Workspace domains that may sign in; empty to allow all. The `hd`
    ///     claim decides, not the address.
    /// - Throws: `invalidIdentifier`.
    public static func google(
        clientIDs: [String], hostedDomains: [String] = []
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        var provider = try IdentityProvider(
            name: "google", clientIDs: clientIDs, hostedDomains: hostedDomains,
            algorithms: [.rs256],
            issuer: .anyOf(["https://accounts.google.com", "accounts.google.com"]),
            keySource: .remote(.keySet(EndpointURL("https://www.googleapis.com/oauth2/v3/certs"))),
            facts: ProviderFacts(email: .google))
        provider.maximumLifetime = .seconds(86_400)
        provider.allowsUnsolicitedNonce = true
        return provider
    }
}
