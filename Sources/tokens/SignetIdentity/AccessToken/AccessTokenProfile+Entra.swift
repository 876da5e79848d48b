// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension AccessTokenProfile {
    /// Microsoft Entra ID: tokens for your own API, delegated (`scp`) or of an application
    /// (`roles`).
    ///
    /// The tenant is checked as for ID tokens. Unlike an ID token, an access token must name the
    /// requesting client (`azp`, `appid`). `roles` holds the roles. A person is `oid` within `tid`,
    /// not `sub`.
    ///
    /// Entra gives every application of the tenant a token for this API without a grant. A token
    /// with neither `scp` nor `roles` is rejected (`insufficientScope`). If you keep a list of
    /// clients instead, set ``client`` and clear ``requiresScopeOrRole``.
    ///
    /// - Parameters:
    ///   - tenants: the accepted tenants.
    ///   - audiences: the API: its client identifier (version 2), or its application URI (version
    ///     1).
    ///   - acceptsVersion1: also accepts tokens of the older endpoint, which an API gets unless its
    ///     manifest has `accessTokenAcceptedVersion: 2`.
    ///   - cloud: the cloud that issues the tokens. National clouds must use version 2.
    /// - Throws: `invalidIdentifier`; `contradiction` for version 1 of a national cloud.
    public static func entra(
        tenants: EntraTenants, audiences: [String], acceptsVersion1: Bool = false,
        cloud: EntraCloud = .global
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        let rule = try EntraIssuer(tenants: tenants, acceptsVersion1: acceptsVersion1, cloud: cloud)
        var profile = try AccessTokenProfile(
            name: "entra", issuer: .entra(rule), audience: .anyOf(audiences), algorithms: [.rs256],
            keySource: .remote(.keySet(EndpointURL(rule.keysAddress))))
        profile.clientClaims = ["azp", "appid"]
        profile.client = .named
        profile.scopeClaims = ["scp"]
        profile.roleClaims = [["roles"]]
        profile.requiresScopeOrRole = true
        return profile
    }
}
