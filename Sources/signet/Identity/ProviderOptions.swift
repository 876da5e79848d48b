// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// Whose tokens: the options that name a provider. Each provider has its own; one that it does not have is a mistake.
struct ProviderOptions: ParsableArguments {
    enum Name: String, ExpressibleByArgument, CaseIterable {
        case google, apple, entra, supabase, firebase, auth0, oidc
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
            "entra: a tenant's GUID, may be repeated; or organizations, or anyone.", valueName: "tenant"))
    var tenants: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("firebase: the project; supabase: the project's reference.", valueName: "project"))
    var project: String?

    @Option(
        name: .long, help: ArgumentHelp("supabase: the address, without /auth/v1.", valueName: "url"))
    var url: String?

    @Option(name: .long, help: ArgumentHelp("auth0: the domain.", valueName: "domain"))
    var domain: String?

    @Option(
        name: .customLong("hosted-domain"),
        help: ArgumentHelp("google: a Workspace domain that hd may be; may be repeated.", valueName: "domain")
    )
    var hostedDomains: [String] = []

    func chosen() throws -> IdentityProvider {
        try checkOptions()
        var provider: IdentityProvider
        switch self.provider {
        case .google: provider = try .google(clientIDs: clientIDs, hostedDomains: hostedDomains)
        case .apple: provider = try .apple(clientIDs: clientIDs)
        case .entra: provider = try .entra(tenants: entraTenants(), clientIDs: clientIDs)
        case .supabase:
            if let project {
                provider = try .supabase(projectRef: project)
            } else {
                provider = try .supabase(url: EndpointURL(Self.required(url, "--project or --url")))
            }
        case .firebase: provider = try .firebase(projectID: Self.required(project, "--project"))
        case .auth0: provider = try .auth0(domain: Self.required(domain, "--domain"), clientIDs: clientIDs)
        case .oidc:
            let names = algorithms.isEmpty ? ["RS256"] : algorithms
            provider = try .openID(
                issuer: Self.required(issuer, "--issuer"), clientIDs: clientIDs,
                algorithms: names.compactMap { try KeyFile.signature($0) })
        }
        provider.authorizedParties = authorizedParties
        return provider
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
            ("--client-id", !clientIDs.isEmpty, [.google, .apple, .entra, .auth0, .oidc]),
            ("--issuer", issuer != nil, [.oidc]), ("--algorithm", !algorithms.isEmpty, [.oidc]),
            ("--tenant", !tenants.isEmpty, [.entra]), ("--project", project != nil, [.supabase, .firebase]),
            ("--url", url != nil, [.supabase]), ("--domain", domain != nil, [.auth0]),
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
        guard !clientIDs.isEmpty || provider == .supabase || provider == .firebase else {
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
