// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension AccessTokenProfile {
    /// Clerk's session tokens, which have no `aud`. `azp`, the requesting origin, must be in
    /// `origins`. A pending session (`sts`) is rejected. A token without `sid` is rejected too: JWT
    /// templates make such tokens for third parties, with the same keys and the same `azp`. Roles
    /// are those in the person's active organization (`org_id`, `o`), which the person may have
    /// created.
    ///
    /// - Parameters:
    ///   - issuer: the instance's Frontend API, as in `https://clerk.company.example`.
    ///   - origins: of the application's pages, as in `https://app.company.example`.
    /// - Throws: `invalidURL`, `invalidIdentifier`.
    public static func clerk(
        issuer: String, origins: [String]
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        var profile = try AccessTokenProfile(
            name: "clerk", issuer: .anyOf([issuer]), audience: .boundByClient, algorithms: [.rs256],
            keySource: .remote(
                .keySet(EndpointURL(issuer).appending(path: ".well-known/jwks.json"))))
        profile.client = .anyOf(try Identifier.checked(origins, as: "origin"))
        profile.clientClaims = ["azp"]
        profile.preset.requiredClaims = ["sid"]
        profile.preset.refusedValues = ["sts": ["pending"]]
        profile.scopeClaims = []
        profile.roleClaims = [["org_role"], ["org_permissions"], ["o", "rol"]]
        return profile
    }

    /// WorkOS AuthKit's session tokens, which have no `aud`: the key set is the client's own. If a
    /// token names a client (`client_id`), that must be `clientID`.
    ///
    /// `sid` must name a session. Under a custom domain, Connect also issues ID tokens and tokens
    /// for further applications and machines, all about the same person. Write your own profile for
    /// Connect's tokens.
    ///
    /// Roles are `role`, `roles` and `permissions`. If an administrator impersonates a person, the
    /// session has `act`: see ``VerifiedAccessToken/claims(as:)``.
    ///
    /// - Parameters:
    ///   - clientID: the application's client identifier.
    ///   - issuer: the custom authentication domain, with its final slash, if any; nil for WorkOS's
    ///     own domain.
    /// - Throws: `invalidIdentifier`, `invalidURL`.
    public static func workOS(
        clientID: String, issuer: String? = nil
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        let client = try Identifier.pathSegment(clientID, as: "client identifier")
        if let issuer { _ = try EndpointURL(issuer) }
        let usual = [
            "https://api.workos.com", "https://api.workos.com/",
            "https://api.workos.com/user_management/\(client)",
        ]
        var profile = try AccessTokenProfile(
            name: "workos", issuer: .anyOf(issuer.map { [$0] } ?? usual),
            audience: .boundByIssuer, algorithms: [.rs256],
            keySource: .remote(.keySet(EndpointURL("https://api.workos.com/sso/jwks/\(client)"))))
        profile.clientClaims = ["client_id"]
        profile.client = .anyOfWhereNamed([client])
        profile.preset.acceptedPrefixes = ["sid": "session_"]
        profile.scopeClaims = []
        profile.roleClaims = [["role"], ["roles"], ["permissions"]]
        return profile
    }

    /// GitHub Actions: identifies the workflow and its repository. Any workflow can get tokens for
    /// any audience, so name the owners; restrict the tokens further with ``acceptedValues``
    /// (`repository_id`, `environment`, `ref`).
    ///
    /// - Parameters:
    ///   - audiences: the audiences that the workflow requests.
    ///   - ownerIDs: the accepted `repository_owner_id`s, digits. An owner's name may pass to
    ///     someone else.
    ///   - issuer: instead of github.com's: `https://HOST/_services/token` (Enterprise Server),
    ///     `https://token.actions.SUBDOMAIN.ghe.com`, or github.com's with the enterprise's slug
    ///     appended. Owner identifiers are the installation's own.
    /// - Throws: `invalidIdentifier`, `invalidURL`.
    public static func gitHubActions(
        audiences: [String], ownerIDs: [String],
        issuer: String = "https://token.actions.githubusercontent.com"
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        let keys = try EndpointURL(issuer).appending(path: ".well-known/jwks")
        var profile = try AccessTokenProfile(
            name: "github-actions", issuer: .anyOf([issuer]), audience: .anyOf(audiences),
            algorithms: [.rs256],
            keySource: .remote(.keySet(keys)))
        profile.preset.acceptedValues = [
            "repository_owner_id": try Identifier.checked(ownerIDs, as: "owner's identifier")
        ]
        profile.clientClaims = []
        profile.scopeClaims = []
        // Environments and branches may have long names, in any script.
        profile.subject = .unicode(maximumByteCount: 1_024)
        return profile
    }

    /// Kubernetes: the service account of a pod, `system:serviceaccount:NAMESPACE:NAME` in `sub`.
    ///
    /// - Parameters:
    ///   - issuer: the cluster's (`--service-account-issuer`).
    ///   - audiences: the audiences of the pod's projected volume. The cluster's own audience is in
    ///     every default token, so name an audience of this service only. Any pod of the cluster
    ///     can request that audience: check the subject.
    ///   - keys: the API server's `/openid/v1/jwks` if discovery is not reachable.
    /// - Throws: `invalidURL`, `invalidIdentifier`.
    public static func kubernetes(
        issuer: String, audiences: [String], keys: RemoteKeySet.Location = .discovery
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        _ = try EndpointURL(issuer)
        var profile = try AccessTokenProfile(
            name: "kubernetes", issuer: .anyOf([issuer]), audience: .anyOf(audiences),
            algorithms: [.rs256, .es256], keySource: .remote(keys))
        profile.clientClaims = []
        profile.scopeClaims = []
        profile.subject = .text(maximumByteCount: 512)
        return profile
    }
}
