// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension IdentityProvider {
    /// Auth0. Its issuer ends in a slash. RS256; HS256, which Auth0 also offers, needs the client
    /// secret and is not accepted.
    ///
    /// - Parameters:
    ///   - domain: bare, as in `tenant.eu.auth0.com`, or a domain of your own.
    ///   - clientIDs: the application's client identifiers; `aud` must name one of them.
    /// - Throws: `invalidIdentifier`.
    public static func auth0(
        domain: String, clientIDs: [String]
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        let host = try Identifier.domain(domain)
        return try IdentityProvider(
            name: "auth0", clientIDs: clientIDs, algorithms: [.rs256],
            issuer: .anyOf(["https://\(host)/"]),
            keySource: .remote(.keySet(EndpointURL("https://\(host)/.well-known/jwks.json"))),
            facts: ProviderFacts(isOrganization: true))
    }

    /// Any other OpenID Connect provider.
    ///
    /// Without a checked nonce, a `client_id` in the token must be in ``clientIDs`` or
    /// ``authorizedParties``. In a token with `scope` or `scp`, `cid` and `appid` must be too.
    ///
    /// - Parameters:
    ///   - issuer: exactly as its metadata and tokens have it, with its final slash, if any. https,
    ///     or http on this machine.
    ///   - clientIDs: the application's client identifiers; `aud` must name one of them.
    ///   - algorithms: the algorithms that it signs with. RS256 is the default of OpenID Connect.
    ///   - keys: the location of its keys; by default found by discovery.
    /// - Throws: `invalidURL`, `invalidIdentifier`; `contradiction` without an algorithm.
    public static func openID(
        issuer: String, clientIDs: [String], algorithms: [SignatureAlgorithm] = [.rs256],
        keys: RemoteKeySet.Location = .discovery
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        try openID(
            EndpointURL(issuer), clientIDs: clientIDs, algorithms: algorithms,
            keySource: .remote(keys))
    }

    /// Any other OpenID Connect provider whose metadata are at its issuer. Accepts
    /// ``EndpointURL/init(unencryptedInPrivateNetwork:)``, which an issuer given as text cannot be.
    ///
    /// - Parameters:
    ///   - issuer: its text must be what its metadata and tokens have, with its final slash, if
    ///     any.
    ///   - clientIDs: the application's client identifiers; `aud` must name one of them.
    ///   - algorithms: the algorithms that it signs with.
    /// - Throws: `invalidURL`, `invalidIdentifier`; `contradiction` without an algorithm.
    public static func openID(
        issuer: EndpointURL, clientIDs: [String], algorithms: [SignatureAlgorithm] = [.rs256]
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        var provider = try openID(
            issuer, clientIDs: clientIDs, algorithms: algorithms,
            keySource: .remote(.discoveryAt(issuer)))
        provider.codeFlow = CodeFlow(issuer: issuer)
        return provider
    }

    /// Any other provider that signs with the client secret (HS256 and so on; OpenID Connect Core,
    /// section 10.1). Anyone with the secret can make tokens for every user.
    ///
    /// - Parameters:
    ///   - issuer: exactly as its tokens have it in `iss`, with its final slash, if any.
    ///   - clientIDs: the application's client identifiers; `aud` must name one of them.
    ///   - secret: the client secret, whose text is the key.
    /// - Throws: `invalidURL`, `invalidIdentifier`.
    public static func openID(
        issuer: String, clientIDs: [String], secret: HMACKey
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        try openID(
            EndpointURL(issuer), clientIDs: clientIDs, algorithms: [], keySource: .secret(secret))
    }

    private static func openID(
        _ issuer: EndpointURL, clientIDs: [String], algorithms: [SignatureAlgorithm],
        keySource: IssuerKeySource
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        // OpenID Connect Discovery 1.0, section 3: neither query nor fragment.
        guard issuer.query == nil else {
            throw Identifier.invalid("An issuer has no query.")
        }
        if case .remote = keySource, algorithms.isEmpty {
            throw IdentityConfigurationError(
                .contradiction, "The list of algorithms is empty: no token could verify.")
        }
        return try IdentityProvider(
            name: "openid", clientIDs: clientIDs, algorithms: algorithms,
            issuer: .anyOf([issuer.text]), keySource: keySource,
            facts: ProviderFacts(
                requiresKeyID: false, isOrganization: true, hasUnknownAccessTokens: true))
    }
}
