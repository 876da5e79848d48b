// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension IdentityProvider {
    /// LINE Login in native applications and LIFF, whose ID tokens are signed with ES256 and
    /// published keys.
    ///
    /// - Parameter channelIDs: digits.
    /// - Throws: `invalidIdentifier`.
    public static func line(channelIDs: [String]) throws(IdentityConfigurationError)
        -> IdentityProvider
    {
        try service(
            "line", clientIDs: channelIDs, issuers: "https://access.line.me",
            keys: "https://api.line.me/oauth2/v2.1/certs",
            algorithms: [.es256], scopes: ["openid", "profile"])
    }

    /// LINE Login on the web, whose ID tokens are signed with HS256 and the channel secret,
    /// **instead of** published keys.
    ///
    /// - Parameters:
    ///   - channelIDs: the channels' identifiers; `aud` must name one of them.
    ///   - secret: the channel secret, whose text is the key, bound to HS256.
    /// - Throws: `invalidIdentifier`; `contradiction` if the secret is not bound to HS256.
    public static func line(
        channelIDs: [String], secret: HMACKey
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        guard secret.algorithm == .hs256 else {
            throw IdentityConfigurationError(
                .contradiction,
                "LINE signs with HS256; the secret is bound to \(shown: secret.algorithm.name).")
        }
        var provider = try IdentityProvider(
            name: "line", clientIDs: channelIDs, algorithms: [],
            issuer: .anyOf(["https://access.line.me"]), keySource: .secret(secret),
            facts: ProviderFacts(requiresKeyID: false))
        provider.codeFlow?.scopes = ["openid", "profile"]
        return provider
    }

    /// Twitch, whose ID tokens are signed with RS256.
    ///
    /// - Throws: `invalidIdentifier`.
    public static func twitch(clientIDs: [String]) throws(IdentityConfigurationError)
        -> IdentityProvider
    {
        try service(
            "twitch", clientIDs: clientIDs, issuers: "https://id.twitch.tv/oauth2",
            keys: "https://id.twitch.tv/oauth2/keys",
            scopes: ["openid", "user:read:email"])
    }

    /// LinkedIn, whose ID tokens are signed with RS256. They have no nonce, and their
    /// `email_verified` is text. Accepted issuers are `https://www.linkedin.com/oauth`, under which
    /// users are stored, and `https://www.linkedin.com`.
    ///
    /// - Throws: `invalidIdentifier`.
    public static func linkedIn(clientIDs: [String]) throws(IdentityConfigurationError)
        -> IdentityProvider
    {
        var provider = try service(
            "linkedin", clientIDs: clientIDs, issuers: "https://www.linkedin.com/oauth",
            "https://www.linkedin.com",
            keys: "https://www.linkedin.com/oauth/openid/jwks")
        // LinkedIn rejects a code verifier, and has no nonce.
        provider.codeFlow?.usesPKCE = false
        provider.codeFlow?.usesNonce = false
        return provider
    }

    /// Slack, whose ID tokens are signed with RS256. Users are stored under `sub`, the workspace's
    /// user.
    ///
    /// - Throws: `invalidIdentifier`.
    public static func slack(clientIDs: [String]) throws(IdentityConfigurationError)
        -> IdentityProvider
    {
        try service(
            "slack", clientIDs: clientIDs, issuers: "https://slack.com",
            keys: "https://slack.com/openid/connect/keys")
    }

    /// Discord, whose ID tokens are signed with RS256.
    ///
    /// - Throws: `invalidIdentifier`.
    public static func discord(clientIDs: [String]) throws(IdentityConfigurationError)
        -> IdentityProvider
    {
        try service(
            "discord", clientIDs: clientIDs, issuers: "https://discord.com",
            keys: "https://discord.com/api/oauth2/keys",
            scopes: ["openid", "identify", "email"])
    }

    /// Facebook's Limited Login and code flow with OpenID, whose ID tokens are signed with RS256.
    /// Its e-mail addresses count as unverified, because the token does not say.
    ///
    /// - Parameter appIDs: digits.
    /// - Throws: `invalidIdentifier`.
    public static func facebook(appIDs: [String]) throws(IdentityConfigurationError)
        -> IdentityProvider
    {
        var provider = try service(
            "facebook", clientIDs: appIDs, issuers: "https://www.facebook.com",
            "https://limited.facebook.com",
            keys: "https://limited.facebook.com/.well-known/oauth/openid/jwks/", email: .unverified,
            scopes: ["openid", "email", "public_profile"])
        // Its metadata name no token endpoint.
        provider.codeFlow?.endpoints = .fixed(
            authorization: try EndpointURL("https://www.facebook.com/dialog/oauth"),
            token: try EndpointURL("https://graph.facebook.com/oauth/access_token"))
        return provider
    }

    /// A provider with fixed issuers, of which the first names users, and a fixed address of keys.
    private static func service(
        _ name: String, clientIDs: [String], issuers: String..., keys: String,
        algorithms: [SignatureAlgorithm] = [.rs256], email: EmailRule = .standard,
        scopes: [String] = ["openid", "email", "profile"]
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        var provider = try IdentityProvider(
            name: name, clientIDs: clientIDs, algorithms: algorithms, issuer: .anyOf(issuers),
            keySource: .remote(.keySet(EndpointURL(keys))), facts: ProviderFacts(email: email))
        provider.codeFlow?.scopes = scopes
        return provider
    }
}
