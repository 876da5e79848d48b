// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// The provider of the ID tokens: the options that name it.
struct ProviderOptions: ParsableArguments {
    enum Name: String, ExpressibleByArgument, CaseIterable {
        case google, apple, entra
        case entraExternal = "entra-external"
        case supabase, firebase, auth0, okta, keycloak, cognito
        case azureB2C = "azure-b2c"
        case authentik, line, linkedin, twitch, slack, discord, facebook, oidc

        /// Whether the audience of its tokens is something else than a client ID.
        var hasOwnAudience: Bool { self == .supabase || self == .firebase }

        /// The options of other providers that this provider does not take.
        var lacking: Set<String> {
            Self.allCases.reduce(into: Set()) { $0.formUnion($1.options) }.subtracting(options)
        }

        /// The options that this provider takes.
        var options: Set<String> {
            var options: Set<String> =
                switch self {
                case .google: ["--hosted-domain"]
                case .entra: ["--tenant", "--cloud", "--entra-v1"]
                case .entraExternal: ["--tenant"]
                case .supabase: TextSecretOptions.names.union(["--project", "--url"])
                case .firebase: ["--project"]
                case .auth0: ["--domain"]
                case .okta: ["--domain", "--authorization-server"]
                case .keycloak: ["--url", "--realm"]
                case .cognito: ["--region", "--user-pool"]
                case .azureB2C: ["--tenant", "--tenant-name", "--policy", "--policy-claim"]
                case .authentik: ["--url", "--application"]
                case .line: TextSecretOptions.names
                case .oidc:
                    TextSecretOptions.names.union(["--issuer", "--algorithm", "--keys-url"])
                case .apple, .linkedin, .twitch, .slack, .discord, .facebook: []
                }
            if !hasOwnAudience { options.insert("--client-id") }
            return options
        }
    }

    @Option(help: "Who issued the token.")
    var provider: Name

    @Option(
        help: ArgumentHelp(
            "A client that the token may have been made for; may be repeated (not for supabase, firebase).",
            valueName: "id"))
    var clientID: [String] = []

    @Option(
        help: ArgumentHelp("azure-b2c: the first label of TENANT.b2clogin.com.", valueName: "name"))
    var tenantName: String?

    @Option(help: ArgumentHelp("azure-b2c: the policy (user flow).", valueName: "name"))
    var policy: String?

    @Option(
        help: ArgumentHelp(
            "azure-b2c: the claim that names the policy, tfp or acr. (default: tfp)",
            valueName: "claim"))
    var policyClaim: String?

    @Option(help: ArgumentHelp("authentik: the application's slug.", valueName: "slug"))
    var application: String?

    @Option(
        help: ArgumentHelp(
            "google: an accepted Workspace domain (hd); may be repeated.", valueName: "domain")
    )
    var hostedDomain: [String] = []

    /// The preset. The options are checked before the file of a secret is read.
    func chosen(_ issuer: IssuerOptions) throws -> IdentityProvider {
        try checkOptions(issuer)
        switch provider {
        case .google: return try .google(clientIDs: clientID, hostedDomains: hostedDomain)
        case .apple: return try .apple(clientIDs: clientID)
        case .entra:
            return try .entra(
                tenants: issuer.entraTenants(), clientIDs: clientID,
                acceptsVersion1: issuer.acceptsVersion1, cloud: issuer.cloud ?? .global)
        case .entraExternal:
            return try .entraExternalID(tenantID: issuer.oneTenant(), clientIDs: clientID)
        case .supabase: return try supabase(issuer)
        case .firebase:
            return try .firebase(projectID: required(issuer.project, option: "--project"))
        case .auth0:
            return try .auth0(
                domain: required(issuer.domain, option: "--domain"), clientIDs: clientID)
        case .okta:
            return try .okta(
                domain: required(issuer.domain, option: "--domain"),
                authorizationServer: issuer.authorizationServer, clientIDs: clientID)
        case .keycloak:
            return try .keycloak(
                url: EndpointURL(required(issuer.url, option: "--url")),
                realm: required(issuer.realm, option: "--realm"),
                clientIDs: clientID)
        case .authentik:
            return try .authentik(
                url: EndpointURL(required(issuer.url, option: "--url")),
                application: required(application, option: "--application"), clientIDs: clientID)
        case .cognito:
            return try .cognito(
                region: required(issuer.region, option: "--region"),
                userPoolID: required(issuer.userPool, option: "--user-pool"), clientIDs: clientID)
        case .azureB2C:
            return try .azureB2C(
                tenantName: required(tenantName, option: "--tenant-name"),
                tenantID: issuer.oneTenant(),
                policy: required(policy, option: "--policy"), policyClaim: policyClaim ?? "tfp",
                clientIDs: clientID)
        case .line:
            guard let secret = try issuer.secret(for: .hs256) else {
                return try .line(channelIDs: clientID)
            }
            return try .line(channelIDs: clientID, secret: secret)
        case .linkedin: return try .linkedIn(clientIDs: clientID)
        case .twitch: return try .twitch(clientIDs: clientID)
        case .slack: return try .slack(clientIDs: clientID)
        case .discord: return try .discord(clientIDs: clientID)
        case .facebook: return try .facebook(appIDs: clientID)
        case .oidc: return try openID(issuer)
        }
    }

    private func supabase(_ issuer: IssuerOptions) throws -> IdentityProvider {
        let place = issuer.project.map { "https://\($0).supabase.co" }
        if let secret = try issuer.secret(for: .hs256) {
            // Checks the name, as for published keys.
            if let project = issuer.project {
                _ = try IdentityProvider.supabase(projectRef: project)
            }
            return try .supabaseLegacy(
                url: EndpointURL(required(place ?? issuer.url, option: "--project or --url")),
                secret: secret)
        }
        if let project = issuer.project { return try .supabase(projectRef: project) }
        return try .supabase(url: EndpointURL(required(issuer.url, option: "--project or --url")))
    }

    private func openID(_ issuer: IssuerOptions) throws -> IdentityProvider {
        let name = try required(issuer.issuer, option: "--issuer")
        if let secret = try issuer.secret() {
            return try .openID(issuer: name, clientIDs: clientID, secret: secret)
        }
        return try .openID(
            issuer: name, clientIDs: clientID, algorithms: issuer.signatureAlgorithms(),
            keys: issuer.location())
    }

    private func checkOptions(_ issuer: IssuerOptions) throws {
        let own = [
            ("--client-id", !clientID.isEmpty), ("--tenant-name", tenantName != nil),
            ("--policy", policy != nil), ("--policy-claim", policyClaim != nil),
            ("--application", application != nil), ("--hosted-domain", !hostedDomain.isEmpty),
        ]
        try issuer.check(own.filter(\.1).map(\.0), of: provider.rawValue, has: provider.options)
        try require(
            !clientID.isEmpty || provider.hasOwnAudience,
            otherwise: "Name the client that the token must be for.", advice: "--client-id ID")
    }
}
