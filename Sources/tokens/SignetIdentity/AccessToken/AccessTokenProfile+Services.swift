// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension AccessTokenProfile {
    /// Okta: `scp` is a list; `cid` names the client and is required. `groups` holds the roles, if
    /// the authorization server adds it.
    ///
    /// - Parameters:
    ///   - domain: bare, as in `tenant.okta.com`, or a domain of your own.
    ///   - authorizationServer: its identifier. Access tokens of the organization's own server are
    ///     for Okta only.
    ///   - audiences: how the authorization server names this API in `aud`.
    /// - Throws: `invalidIdentifier`.
    public static func okta(
        domain: String, authorizationServer: String = "default", audiences: [String]
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        let issuer = try OktaIssuer(domain, server: authorizationServer)
        var profile = try AccessTokenProfile(
            name: "okta", issuer: .anyOf([issuer.text]), audience: .anyOf(audiences),
            algorithms: [.rs256], keySource: .remote(.keySet(EndpointURL(issuer.keys))))
        profile.clientClaims = ["cid"]
        profile.client = .named
        profile.scopeClaims = ["scp"]
        profile.roleClaims = [["groups"]]
        return profile
    }

    /// Auth0, with its own form of access tokens. For its "RFC 9068" profile use
    /// ``rfc9068(issuer:resources:algorithms:keys:)``. `permissions` holds the roles.
    ///
    /// - Parameters:
    ///   - domain: bare, as in `tenant.eu.auth0.com`, or a domain of your own.
    ///   - audiences: the API's identifier. Never a client identifier, which ID tokens have.
    /// - Throws: `invalidIdentifier`.
    public static func auth0(
        domain: String, audiences: [String]
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        let host = try Identifier.domain(domain)
        var profile = try AccessTokenProfile(
            name: "auth0", issuer: .anyOf(["https://\(host)/"]), audience: .anyOf(audiences),
            algorithms: [.rs256],
            keySource: .remote(.keySet(EndpointURL("https://\(host)/.well-known/jwks.json"))))
        profile.clientClaims = ["azp", "client_id"]
        profile.client = .named
        profile.roleClaims = [["permissions"]]
        return profile
    }

    /// Keycloak: `azp` is required, and the payload's `typ` must be `Bearer`, unlike in ID and
    /// refresh tokens, or `DPoP`, about which ``sender`` decides. Roles are the realm's, and
    /// `client`'s if given. If clients use the header of RFC 9068, set ``type`` to
    /// `.exactly("at+jwt")`.
    ///
    /// - Parameters:
    ///   - url: the server, as in `https://sso.example` or `https://sso.example/auth`.
    ///   - realm: the realm's name.
    ///   - audiences: the audiences that an audience mapper adds to `aud`. Without a mapper,
    ///     Keycloak writes `account` into the tokens of every client.
    ///   - client: a client whose roles count besides the realm's; nil for none.
    /// - Throws: `invalidURL`, `invalidIdentifier`.
    public static func keycloak(
        url: EndpointURL, realm: String, audiences: [String], client: String? = nil
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        let issuer = try url.appending(path: "realms/\(Identifier.pathSegment(realm, as: "realm"))")
        var profile = try AccessTokenProfile(
            name: "keycloak", issuer: .anyOf([issuer.text]), audience: .anyOf(audiences),
            algorithms: [.rs256],
            keySource: .remote(.keySet(issuer.appending(path: "protocol/openid-connect/certs"))))
        profile.preset.acceptedValues = ["typ": ["Bearer", "DPoP"]]
        profile.clientClaims = ["azp"]
        profile.client = .named
        profile.scopeClaims = ["scope"]
        profile.roleClaims = [["realm_access", "roles"]]
        if let client { profile.roleClaims.append(["resource_access", client, "roles"]) }
        return profile
    }

    /// Amazon Cognito: access tokens have no `aud`; `client_id` must be in `clientIDs`, and
    /// `token_use` must be `access`. `cognito:groups` holds the roles.
    ///
    /// - Throws: `invalidIdentifier`.
    public static func cognito(
        region: String, userPoolID: String, clientIDs: [String]
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        let issuer = try Identifier.cognitoIssuer(region: region, userPoolID: userPoolID)
        var profile = try AccessTokenProfile(
            name: "cognito", issuer: .anyOf([issuer]), audience: .boundByClient,
            algorithms: [.rs256],
            keySource: .remote(.keySet(EndpointURL("\(issuer)/.well-known/jwks.json"))))
        profile.client = .anyOf(clientIDs)
        profile.clientClaims = ["client_id"]
        profile.preset.acceptedValues = ["token_use": ["access"]]
        profile.scopeClaims = ["scope"]
        profile.roleClaims = [["cognito:groups"]]
        return profile
    }

    /// Supabase Auth with published keys. The only role is `role`, which is `authenticated`. People
    /// who signed in anonymously have `is_anonymous`: see ``VerifiedAccessToken/claims(as:)``.
    ///
    /// - Parameters:
    ///   - projectRef: the project's identifier, the first label of its address.
    ///   - clientIDs: applications that may act for people through the project's own OAuth server,
    ///     named in `client_id`; none by default.
    /// - Throws: `invalidIdentifier`.
    public static func supabase(
        projectRef: String, clientIDs: [String] = []
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        let reference = try Identifier.label(projectRef, as: "project reference")
        return try supabase(
            url: EndpointURL("https://\(reference).supabase.co"), clientIDs: clientIDs)
    }

    /// Access tokens of a Supabase project at its own address.
    ///
    /// - Parameters:
    ///   - url: without `/auth/v1`, which is appended.
    ///   - clientIDs: applications that may act for people; none by default.
    /// - Throws: `invalidIdentifier`, `invalidURL`.
    public static func supabase(
        url: EndpointURL, clientIDs: [String] = []
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        let issuer = try url.appending(path: "auth/v1")
        var profile = try AccessTokenProfile(
            name: "supabase", issuer: .anyOf([issuer.text]), audience: .anyOf(["authenticated"]),
            algorithms: [.es256, .rs256],
            keySource: .remote(.keySet(issuer.appending(path: ".well-known/jwks.json"))))
        profile.followSupabase(clientIDs)
        return profile
    }

    /// Supabase Auth of a project that still signs with its shared secret (HS256), **instead of**
    /// published keys: any holder of the secret can make tokens for every user. All further rules
    /// are those of ``supabase(url:clientIDs:)``, without `clientIDs`.
    ///
    /// - Parameters:
    ///   - url: without `/auth/v1`, which is appended.
    ///   - secret: the project's JWT secret, whose text is the key, bound to HS256.
    /// - Throws: `contradiction` if the secret is not bound to HS256; `invalidURL`.
    public static func supabaseLegacy(
        url: EndpointURL, secret: HMACKey
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        guard secret.algorithm == .hs256 else {
            throw IdentityConfigurationError(
                .contradiction,
                "Supabase signs with HS256; the secret is bound to \(shown: secret.algorithm.name)."
            )
        }
        var profile = try AccessTokenProfile(
            name: "supabase", issuer: .anyOf([url.appending(path: "auth/v1").text]),
            audience: .anyOf(["authenticated"]), algorithms: [], keySource: .secret(secret))
        profile.followSupabase([])
        return profile
    }

    private mutating func followSupabase(_ clientIDs: [String]) {
        client = .anyOfWhereNamed(clientIDs)
        clientClaims = ["client_id"]
        subject = .uuid
        scopeClaims = []
        roleClaims = [["role"]]
    }
}
