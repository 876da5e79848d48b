// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension IdentityProvider {
    /// Okta, whose ID tokens are signed with RS256.
    ///
    /// - Parameters:
    ///   - domain: bare, as in `tenant.okta.com`, or a domain of your own.
    ///   - authorizationServer: the identifier of a custom server, such as `default`; nil for the
    ///     organization's own server.
    ///   - clientIDs: the application's client identifiers; `aud` must name one of them.
    /// - Throws: `invalidIdentifier`.
    public static func okta(
        domain: String, authorizationServer: String? = nil, clientIDs: [String]
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        let issuer = try OktaIssuer(domain, server: authorizationServer)
        return try IdentityProvider(
            name: "okta", clientIDs: clientIDs, algorithms: [.rs256], issuer: .anyOf([issuer.text]),
            keySource: .remote(.keySet(EndpointURL(issuer.keys))),
            facts: ProviderFacts(isOrganization: true))
    }

    /// Keycloak, with its default algorithm RS256. The payload's `typ` must be `ID`: access,
    /// refresh and logout tokens, which Keycloak signs with the same keys, have a different `typ`.
    ///
    /// - Parameters:
    ///   - url: the server, as in `https://sso.example` or `https://sso.example/auth`.
    ///   - realm: the realm's name.
    ///   - clientIDs: the application's client identifiers; `aud` must name one of them.
    /// - Throws: `invalidURL`, `invalidIdentifier`.
    public static func keycloak(
        url: EndpointURL, realm: String, clientIDs: [String]
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        let issuer = try url.appending(path: "realms/\(Identifier.pathSegment(realm, as: "realm"))")
        return try IdentityProvider(
            name: "keycloak", clientIDs: clientIDs, algorithms: [.rs256],
            issuer: .anyOf([issuer.text]),
            keySource: .remote(.keySet(issuer.appending(path: "protocol/openid-connect/certs"))),
            facts: ProviderFacts(isOrganization: true, requiredValues: ["typ": ["ID"]]))
    }

    /// Amazon Cognito, whose ID tokens are signed with RS256. `token_use` must be `id`.
    ///
    /// People who sign in through another provider have a nonce that Cognito made: see
    /// ``allowsUnsolicitedNonce``.
    ///
    /// - Throws: `invalidIdentifier`.
    public static func cognito(
        region: String, userPoolID: String, clientIDs: [String]
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        let issuer = try Identifier.cognitoIssuer(region: region, userPoolID: userPoolID)
        return try IdentityProvider(
            name: "cognito", clientIDs: clientIDs, algorithms: [.rs256], issuer: .anyOf([issuer]),
            keySource: .remote(.keySet(EndpointURL("\(issuer)/.well-known/jwks.json"))),
            facts: ProviderFacts(isOrganization: true, requiredValues: ["token_use": ["id"]]))
    }

    /// Azure AD B2C, whose ID tokens are signed with RS256. Each policy (user flow) has its own
    /// metadata, and all policies share an issuer. The claim that names the policy must name
    /// `policy`, so that no weaker policy signs anyone in. `sub` must be the person's (in the
    /// portal "Subject (sub) claim: ObjectID"). A token with `scp` is an access token, and is
    /// rejected.
    ///
    /// - Parameters:
    ///   - tenantName: the first label of `TENANT.b2clogin.com` and `TENANT.onmicrosoft.com`.
    ///   - tenantID: a GUID.
    ///   - policy: the policy's name, as in `B2C_1_signin`.
    ///   - policyClaim: `tfp`, or `acr` if the policy is configured so.
    ///   - clientIDs: the application's client identifiers; `aud` must name one of them.
    /// - Throws: `invalidIdentifier`.
    public static func azureB2C(
        tenantName: String, tenantID: String, policy: String, policyClaim: String = "tfp",
        clientIDs: [String]
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        let tenant = try Identifier.label(tenantName, as: "tenant's name")
        let id = try Identifier.guid(tenantID, as: "tenant identifier")
        let policyName = try Identifier.pathSegment(policy, as: "policy")
        let server = "https://\(tenant).b2clogin.com"
        let policyAddress = "\(server)/\(tenant).onmicrosoft.com/\(policyName)"
        let issuers = [
            "\(server)/\(id)/v2.0/", "\(server)/tfp/\(id)/\(policyName.lowercasedASCII)/v2.0/",
        ]
        var provider = try IdentityProvider(
            name: "azure-b2c", clientIDs: clientIDs, algorithms: [.rs256], issuer: .anyOf(issuers),
            keySource: .remote(.keySet(EndpointURL("\(policyAddress)/discovery/v2.0/keys"))),
            facts: ProviderFacts(
                // Azure writes the name as given, or in lower case.
                requiredValues: [policyClaim: [policyName, policyName.lowercasedASCII]],
                accessTokenMark: ["scp"]))
        let metadata = try EndpointURL("\(policyAddress)/v2.0/.well-known/openid-configuration")
        provider.codeFlow = CodeFlow(endpoints: .discovered(at: metadata, issuers: issuers))
        provider.codeFlow?.scopes = ["openid"]
        return provider
    }

    /// Authentik, with RS256 or ES256 depending on its key: the issuer of an application's provider
    /// in its default mode. Authentik's access tokens are its ID tokens plus `azp` and `uid`, even
    /// with the nonce, so a token with `azp` and `uid` is rejected.
    ///
    /// - Parameters:
    ///   - url: the server, as in `https://sso.example`.
    ///   - application: the slug.
    ///   - clientIDs: the application's client identifiers; `aud` must name one of them.
    /// - Throws: `invalidURL`, `invalidIdentifier`.
    public static func authentik(
        url: EndpointURL, application: String, clientIDs: [String]
    ) throws(IdentityConfigurationError) -> IdentityProvider {
        let slug = try Identifier.pathSegment(application, as: "application's slug")
        let issuer = try url.appending(path: "application/o/\(slug)/")
        return try IdentityProvider(
            name: "authentik", clientIDs: clientIDs, algorithms: [.rs256, .es256],
            issuer: .anyOf([issuer.text]),
            keySource: .remote(.keySet(issuer.appending(path: "jwks/"))),
            facts: ProviderFacts(isOrganization: true, accessTokenMark: ["azp", "uid"]))
    }
}
