// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// Whose tokens: the options that name a provider. Each provider has its own; one that it does not have is a mistake.
struct ProviderOptions: ParsableArguments {
    enum Name: String, ExpressibleByArgument, CaseIterable {
        case google, apple, entra, supabase, firebase, auth0, okta, keycloak, cognito
        case azureB2C = "azure-b2c"
        case authentik, line, linkedin, twitch, slack, discord, facebook, oidc

        /// Those that know their clients by another name.
        var hasOwnAudience: Bool { self == .supabase || self == .firebase }
    }

    @Option(name: .long, help: "Who has issued the token.")
    var provider: Name

    @Option(
        name: .customLong("client-id"),
        help: ArgumentHelp(
            "A client that the token may have been made for; may be repeated (not for supabase, firebase).",
            valueName: "id"))
    var clientIDs: [String] = []

    @Option(
        name: .customLong("authorized-party"),
        help: ArgumentHelp("A further client that azp may name; may be repeated.", valueName: "id"))
    var authorizedParties: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("oidc: the issuer as the token writes it, to the last slash.", valueName: "url"))
    var issuer: String?

    @Option(
        name: .customLong("algorithm"),
        help: ArgumentHelp("oidc: what it signs with; may be repeated; RS256 without it.", valueName: "name"))
    var algorithms: [String] = []

    @Option(
        name: .customLong("tenant"),
        help: ArgumentHelp(
            "entra: a tenant's GUID, may be repeated; or organizations, or anyone. azure-b2c: its GUID.",
            valueName: "tenant"))
    var tenants: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("entra: global, us-government or china. (default: global)", valueName: "name"))
    var cloud: CloudArgument?

    @Flag(name: .customLong("entra-v1"), help: "entra: accept tokens of the older endpoint too.")
    var acceptsVersion1 = false

    @Option(
        name: .long,
        help: ArgumentHelp("azure-b2c: the first label of TENANT.b2clogin.com.", valueName: "name"))
    var tenantName: String?

    @Option(name: .long, help: ArgumentHelp("azure-b2c: the policy (user flow).", valueName: "name"))
    var policy: String?

    @Option(
        name: .long,
        help: ArgumentHelp("okta: a custom one; the organization's own without it.", valueName: "id"))
    var authorizationServer: String?

    @Option(name: .long, help: ArgumentHelp("keycloak: the realm.", valueName: "name"))
    var realm: String?

    @Option(name: .long, help: ArgumentHelp("authentik: the application's slug.", valueName: "slug"))
    var application: String?

    @Option(name: .long, help: ArgumentHelp("cognito: as in eu-west-1.", valueName: "region"))
    var region: String?

    @Option(name: .long, help: ArgumentHelp("cognito: the user pool's identifier.", valueName: "id"))
    var userPool: String?

    @Option(
        name: .long,
        help: ArgumentHelp("firebase: the project; supabase: the project's reference.", valueName: "project"))
    var project: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "keycloak, authentik: the server. supabase: the address, without /auth/v1.", valueName: "url"))
    var url: String?

    @Option(name: .long, help: ArgumentHelp("auth0, okta: the domain.", valueName: "domain"))
    var domain: String?

    @Option(
        name: .customLong("hosted-domain"),
        help: ArgumentHelp("google: a Workspace domain that hd may be; may be repeated.", valueName: "domain")
    )
    var hostedDomains: [String] = []

    func chosen() throws -> IdentityProvider {
        try checkOptions()
        var provider = try preset()
        provider.authorizedParties = authorizedParties
        return provider
    }

    private func preset() throws -> IdentityProvider {
        switch provider {
        case .google: return try .google(clientIDs: clientIDs, hostedDomains: hostedDomains)
        case .apple: return try .apple(clientIDs: clientIDs)
        case .entra:
            return try .entra(
                tenants: entraTenants(), clientIDs: clientIDs, acceptsVersion1: acceptsVersion1,
                cloud: cloud?.cloud ?? .global)
        case .supabase:
            if let project { return try .supabase(projectRef: project) }
            return try .supabase(url: EndpointURL(Self.required(url, "--project or --url")))
        case .firebase: return try .firebase(projectID: Self.required(project, "--project"))
        case .auth0: return try .auth0(domain: Self.required(domain, "--domain"), clientIDs: clientIDs)
        case .okta:
            return try .okta(
                domain: Self.required(domain, "--domain"), authorizationServer: authorizationServer,
                clientIDs: clientIDs)
        case .keycloak:
            return try .keycloak(
                url: EndpointURL(Self.required(url, "--url")), realm: Self.required(realm, "--realm"),
                clientIDs: clientIDs)
        case .authentik:
            return try .authentik(
                url: EndpointURL(Self.required(url, "--url")),
                application: Self.required(application, "--application"), clientIDs: clientIDs)
        case .cognito:
            return try .cognito(
                region: Self.required(region, "--region"), userPoolID: Self.required(userPool, "--user-pool"),
                clientIDs: clientIDs)
        case .azureB2C:
            return try .azureB2C(
                tenantName: Self.required(tenantName, "--tenant-name"),
                tenantID: Self.required(tenants.count == 1 ? tenants.first : nil, "one --tenant"),
                policy: Self.required(policy, "--policy"), clientIDs: clientIDs)
        case .line: return try .line(channelIDs: clientIDs)
        case .linkedin: return try .linkedIn(clientIDs: clientIDs)
        case .twitch: return try .twitch(clientIDs: clientIDs)
        case .slack: return try .slack(clientIDs: clientIDs)
        case .discord: return try .discord(clientIDs: clientIDs)
        case .facebook: return try .facebook(appIDs: clientIDs)
        case .oidc:
            let names = algorithms.isEmpty ? ["RS256"] : algorithms
            return try .openID(
                issuer: Self.required(issuer, "--issuer"), clientIDs: clientIDs,
                algorithms: names.compactMap { try KeyFile.signature($0) })
        }
    }

    private func entraTenants() throws -> EntraTenants {
        switch tenants {
        case []:
            throw CommandFailure.usage(
                "Say whose tenant may sign in.",
                advice: "--tenant GUID, --tenant organizations or --tenant anyone")
        case ["organizations"]: .anyOrganization
        case ["anyone"]: .anyone
        default: try .only(tenants)
        }
    }

    /// An option that the provider does not have would change nothing, and whoever wrote it believes that it does.
    private func checkOptions() throws {
        let given: [(name: String, isGiven: Bool, providers: Set<Name>)] = [
            ("--client-id", !clientIDs.isEmpty, Set(Name.allCases.filter { !$0.hasOwnAudience })),
            ("--issuer", issuer != nil, [.oidc]), ("--algorithm", !algorithms.isEmpty, [.oidc]),
            ("--tenant", !tenants.isEmpty, [.entra, .azureB2C]), ("--cloud", cloud != nil, [.entra]),
            ("--entra-v1", acceptsVersion1, [.entra]), ("--tenant-name", tenantName != nil, [.azureB2C]),
            ("--policy", policy != nil, [.azureB2C]), ("--project", project != nil, [.supabase, .firebase]),
            ("--url", url != nil, [.supabase, .keycloak, .authentik]),
            ("--domain", domain != nil, [.auth0, .okta]),
            ("--authorization-server", authorizationServer != nil, [.okta]),
            ("--realm", realm != nil, [.keycloak]), ("--application", application != nil, [.authentik]),
            ("--region", region != nil, [.cognito]), ("--user-pool", userPool != nil, [.cognito]),
            ("--hosted-domain", !hostedDomains.isEmpty, [.google]),
        ]
        for option in given where option.isGiven && !option.providers.contains(provider) {
            throw CommandFailure.usage(
                "\(option.name) means nothing for \(provider.rawValue).", advice: "Leave it out.")
        }
        guard project == nil || url == nil else {
            throw CommandFailure.usage(
                "--project and --url contradict each other.", advice: "Give one of them.")
        }
        guard !clientIDs.isEmpty || provider.hasOwnAudience else {
            throw CommandFailure.usage(
                "Say for which client the token must have been made.", advice: "--client-id ID")
        }
    }

    private static func required(_ value: String?, _ option: String) throws -> String {
        guard let value else {
            throw CommandFailure.usage("This provider needs \(option).", advice: "Give \(option).")
        }
        return value
    }
}

/// A cloud of Entra as an argument.
enum CloudArgument: String, ExpressibleByArgument, CaseIterable {
    case global
    case usGovernment = "us-government"
    case china

    var cloud: EntraCloud {
        switch self {
        case .global: .global
        case .usGovernment: .usGovernment
        case .china: .china
        }
    }
}
