// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension IdentityProvider {
    /// Supabase Auth with the project's published keys (ES256 or RS256).
    ///
    /// The tokens are the project's access tokens: `aud` is `authenticated`, `sub` a UUID. The
    /// e-mail address never counts as verified, since the token does not say so; an empty address
    /// counts as absent. Users write `user_metadata`: authorise nothing by it. People who signed in
    /// anonymously have `is_anonymous`, which is **not** checked.
    ///
    /// If the project is itself an OAuth server, a token for another application names that
    /// application in `client_id`. The token is rejected unless ``authorizedParties`` has the
    /// application.
    ///
    /// - Parameter projectRef: the first label of `https://REF.supabase.co`.
    /// - Throws: `invalidIdentifier`.
    public static func supabase(projectRef: String) throws(IdentityConfigurationError)
        -> IdentityProvider
    {
        let reference = try Identifier.label(projectRef, as: "project reference")
        return try supabase(url: EndpointURL("https://\(reference).supabase.co"))
    }

    /// A Supabase project at its own address.
    ///
    /// - Parameter url: without `/auth/v1`, which is appended.
    /// - Throws: `invalidIdentifier`, `invalidURL`.
    public static func supabase(url: EndpointURL) throws(IdentityConfigurationError)
        -> IdentityProvider
    {
        let issuer = try url.appending(path: "auth/v1")
        var provider = try IdentityProvider(
            name: "supabase", clientIDs: ["authenticated"], algorithms: [.es256, .rs256],
            issuer: .anyOf([issuer.text]),
            keySource: .remote(.keySet(issuer.appending(path: ".well-known/jwks.json"))),
            facts: supabaseFacts)
        provider.codeFlow = nil
        return provider
    }

    /// Supabase Auth of a project that still signs with its shared secret (HS256), **instead of**
    /// published keys.
    ///
    /// Any holder of this secret can make tokens for every user: prefer ``supabase(projectRef:)``.
    /// Secret and published keys are never mixed: a token that the secret rejects is not tried with
    /// the keys. All further rules are those of ``supabase(url:)``.
    ///
    /// - Parameters:
    ///   - url: the project's address, without `/auth/v1`.
    ///   - secret: the project's JWT secret, whose text is the key, bound to HS256.
    /// - Throws: `contradiction` if the secret is not bound to HS256; `invalidURL`.
    public static func supabaseLegacy(
        url: EndpointURL, secret: HMACKey
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        guard secret.algorithm == .hs256 else {
            throw IdentityConfigurationError(
                .contradiction,
                "Supabase signs with HS256; the secret is bound to \(shown: secret.algorithm.name)."
            )
        }
        var legacyFacts = supabaseFacts
        legacyFacts.requiresKeyID = false
        var provider = try IdentityProvider(
            name: "supabase", clientIDs: ["authenticated"], algorithms: [],
            issuer: .anyOf([url.appending(path: "auth/v1").text]), keySource: .secret(secret),
            facts: legacyFacts)
        provider.codeFlow = nil
        return provider
    }

    private static let supabaseFacts = ProviderFacts(
        subject: .uuid, email: .unverified,
        // Tokens of the project's own OAuth server differ only in `client_id`.
        partyClaims: ["azp", "client_id"])
}
