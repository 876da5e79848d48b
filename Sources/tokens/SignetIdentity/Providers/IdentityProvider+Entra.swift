// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension IdentityProvider {
    /// Microsoft Entra ID (Azure AD), for work, school and personal accounts.
    ///
    /// `iss`, `tid` and the key's `issuer`, if it has one, must name the same accepted tenant. A
    /// person is stored under tenant and `oid`, which is required: request the scope `profile`.
    /// `email` may be typed by an administrator of any tenant, so it counts as verified only with
    /// `xms_edov`. RS256.
    ///
    /// - Parameters:
    ///   - tenants: the tenants that may sign in.
    ///   - clientIDs: the application's client identifiers; `aud` must name one of them.
    ///   - acceptsVersion1: also accepts tokens of the older endpoint, whose issuer is
    ///     `https://sts.windows.net/…/`.
    ///   - cloud: the cloud that issues the tokens. National clouds must use version 2.
    /// - Throws: `invalidIdentifier`; `contradiction` for version 1 of a national cloud.
    public static func entra(
        tenants: EntraTenants, clientIDs: [String], acceptsVersion1: Bool = false,
        cloud: EntraCloud = .global
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        try entra(
            EntraIssuer(tenants: tenants, acceptsVersion1: acceptsVersion1, cloud: cloud),
            clientIDs: clientIDs
        )
    }

    /// Microsoft Entra External ID (CIAM), whose issuer is
    /// `https://TENANT.ciamlogin.com/TENANT/v2.0`. The rules are those of Entra.
    ///
    /// Custom domains are not covered. For a custom domain, use
    /// ``openID(issuer:clientIDs:algorithms:keys:)`` with the issuer in its metadata.
    ///
    /// - Throws: `invalidIdentifier`.
    public static func entraExternalID(
        tenantID: String, clientIDs: [String]
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        try entra(EntraIssuer(tenants: .only(tenantID), cloud: nil), clientIDs: clientIDs)
    }

    private static func entra(
        _ rule: EntraIssuer, clientIDs: [String]
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        var provider = try IdentityProvider(
            name: "entra", clientIDs: clientIDs, algorithms: [.rs256], issuer: .entra(rule),
            keySource: .remote(.keySet(EndpointURL(rule.keysAddress))),
            // Version 1 names the requesting client in "appid".
            facts: ProviderFacts(email: .entra, partyClaims: ["azp", "appid"]))
        provider.codeFlow = try rule.codeFlow()
        return provider
    }
}
