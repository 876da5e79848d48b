// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// The profile of the access tokens: the options that name it.
struct AccessTokenProfileOptions: ParsableArguments {
    enum Name: String, ExpressibleByArgument, CaseIterable {
        case rfc9068, entra, okta, auth0, keycloak, cognito, supabase, spring, clerk, workos
        case gitHubActions = "github-actions"
        case kubernetes, issuer

        /// The options of other profiles that this profile does not take.
        var lacking: Set<String> {
            Self.allCases.reduce(into: Set()) { $0.formUnion($1.options) }.subtracting(options)
        }

        /// The options that this profile takes.
        var options: Set<String> {
            switch self {
            case .rfc9068:
                [
                    "--issuer", "--algorithm", "--keys-url", "--audience", "--client-id",
                    "--clients-without-subject",
                ]
            case .entra: ["--tenant", "--cloud", "--entra-v1", "--audience", "--client-id"]
            case .okta: ["--domain", "--authorization-server", "--audience", "--client-id"]
            case .auth0: ["--domain", "--audience", "--client-id"]
            case .keycloak:
                [
                    "--url", "--realm", "--audience", "--client-id", "--role-client",
                    "--clients-without-subject",
                ]
            case .cognito: ["--region", "--user-pool", "--client-id"]
            case .supabase: ["--project", "--url", "--client-id"]
            case .spring: ["--issuer", "--audience", "--client-id"]
            case .clerk: ["--issuer", "--origin"]
            case .workos: ["--issuer", "--client-id"]
            case .gitHubActions: ["--issuer", "--audience", "--owner-id"]
            case .kubernetes: ["--issuer", "--keys-url", "--audience"]
            case .issuer:
                TextSecretOptions.names.union([
                    "--issuer", "--algorithm", "--keys-url", "--audience", "--client-id",
                    "--any-audience", "--client-claim", "--scope-claim", "--role-claim",
                    "--clients-without-subject",
                ])
            }
        }
    }

    @Option(help: "Who issues the tokens; issuer: any other.")
    var profile: Name

    @Option(
        help: ArgumentHelp(
            "How the issuer names this server in aud; may be repeated.", valueName: "audience")
    )
    var audience: [String] = []

    @Option(
        help: ArgumentHelp(
            "A client that may have asked for the token; may be repeated. (supabase: besides the project's own; workos: exactly one)",
            valueName: "id"))
    var clientID: [String] = []

    @Option(
        help: ArgumentHelp(
            "keycloak: the client whose roles count besides the realm's.", valueName: "id"))
    var roleClient: String?

    @Option(
        help: ArgumentHelp("clerk: of the application's pages; may be repeated.", valueName: "url"))
    var origin: [String] = []

    @Option(
        help: ArgumentHelp(
            "github-actions: repository_owner_id; may be repeated.", valueName: "digits"))
    var ownerID: [String] = []

    @Flag(help: "issuer: it signs for this application only; aud is not checked.")
    var anyAudience = false

    @Option(
        help: ArgumentHelp(
            "issuer: a claim that names the client; may be repeated.", valueName: "claim"))
    var clientClaim: [String] = []

    @Option(help: ArgumentHelp("issuer: a claim with scopes; may be repeated.", valueName: "claim"))
    var scopeClaim: [String] = []

    @Option(help: ArgumentHelp("issuer: a claim with roles; may be repeated.", valueName: "claim"))
    var roleClaim: [String] = []

    @Flag(
        help: ArgumentHelp(
            "rfc9068, keycloak, issuer: accept a client's own token without sub, which shows no person."
        ))
    var clientsWithoutSubject = false

    /// The preset. The options are checked before the file of a secret is read.
    func chosen(_ issuer: IssuerOptions) throws -> AccessTokenProfile {
        try checkOptions(issuer)
        var profile = try preset(issuer)
        // These presets have already used the clients.
        let hasTaken: Set<Name> = [.cognito, .supabase, .workos]
        if !clientID.isEmpty, !hasTaken.contains(self.profile) { profile.client = .anyOf(clientID) }
        if clientsWithoutSubject { profile.subject = .absentForClients }
        return profile
    }

    private func preset(_ issuer: IssuerOptions) throws -> AccessTokenProfile {
        switch profile {
        case .rfc9068:
            return try .rfc9068(
                issuer: required(issuer.issuer, option: "--issuer"), resources: audience,
                algorithms: issuer.signatureAlgorithms(), keys: issuer.location())
        case .entra:
            return try .entra(
                tenants: issuer.entraTenants(), audiences: audience,
                acceptsVersion1: issuer.acceptsVersion1, cloud: issuer.cloud ?? .global)
        case .okta:
            return try .okta(
                domain: required(issuer.domain, option: "--domain"),
                authorizationServer: issuer.authorizationServer ?? "default", audiences: audience)
        case .auth0:
            return try .auth0(
                domain: required(issuer.domain, option: "--domain"), audiences: audience)
        case .keycloak:
            return try .keycloak(
                url: EndpointURL(required(issuer.url, option: "--url")),
                realm: required(issuer.realm, option: "--realm"),
                audiences: audience, client: roleClient)
        case .cognito:
            return try .cognito(
                region: required(issuer.region, option: "--region"),
                userPoolID: required(issuer.userPool, option: "--user-pool"), clientIDs: clientID)
        case .supabase:
            if let project = issuer.project {
                return try .supabase(projectRef: project, clientIDs: clientID)
            }
            return try .supabase(
                url: EndpointURL(required(issuer.url, option: "--project or --url")),
                clientIDs: clientID)
        case .spring:
            return try .spring(
                issuer: required(issuer.issuer, option: "--issuer"), audiences: audience)
        case .clerk:
            return try .clerk(issuer: required(issuer.issuer, option: "--issuer"), origins: origin)
        case .workos:
            let client = try required(
                clientID.count == 1 ? clientID.first : nil, option: "one --client-id")
            return try .workOS(clientID: client, issuer: issuer.issuer)
        case .gitHubActions:
            guard let place = issuer.issuer else {
                return try .gitHubActions(audiences: audience, ownerIDs: ownerID)
            }
            return try .gitHubActions(audiences: audience, ownerIDs: ownerID, issuer: place)
        case .kubernetes:
            return try .kubernetes(
                issuer: required(issuer.issuer, option: "--issuer"), audiences: audience,
                keys: issuer.location())
        case .issuer: return try own(issuer)
        }
    }

    private func own(_ issuer: IssuerOptions) throws -> AccessTokenProfile {
        let name = try required(issuer.issuer, option: "--issuer")
        let audience: AccessTokenProfile.AudienceRule =
            !audience.isEmpty ? .anyOf(audience) : anyAudience ? .boundByIssuer : .boundByClient
        var profile =
            if let secret = try issuer.secret() {
                try AccessTokenProfile(issuer: name, audience: audience, secret: secret)
            } else {
                try AccessTokenProfile(
                    issuer: name, audience: audience, algorithms: issuer.signatureAlgorithms(),
                    keys: issuer.location())
            }
        if !clientClaim.isEmpty { profile.clientClaims = clientClaim }
        if !scopeClaim.isEmpty { profile.scopeClaims = scopeClaim }
        profile.roleClaims = roleClaim.map { [$0] }
        return profile
    }

    private func checkOptions(_ issuer: IssuerOptions) throws {
        let own = [
            ("--audience", !audience.isEmpty), ("--client-id", !clientID.isEmpty),
            ("--role-client", roleClient != nil), ("--origin", !origin.isEmpty),
            ("--owner-id", !ownerID.isEmpty), ("--any-audience", anyAudience),
            ("--client-claim", !clientClaim.isEmpty), ("--scope-claim", !scopeClaim.isEmpty),
            ("--role-claim", !roleClaim.isEmpty),
            ("--clients-without-subject", clientsWithoutSubject),
        ]
        let given = own.filter(\.1).map(\.0)
        try issuer.check(given, of: profile.rawValue, has: profile.options)
        try require(
            audience.isEmpty || !anyAudience,
            otherwise: "--audience and --any-audience contradict each other.",
            advice: "Give one of them.")
        // The options that bind a token to this server. For `issuer` any of its three is enough.
        let ways = ["--audience", "--client-id", "--origin", "--any-audience"].filter(
            profile.options.contains)
        let isBound =
            profile == .supabase
            || (profile.options.contains("--audience") && profile != .issuer
                ? !audience.isEmpty : ways.contains(where: given.contains))
        try require(
            isBound, otherwise: "Name the audience that the token must be for.",
            advice: "\(ways.first ?? "--audience") NAME"
        )
        try require(
            profile != .gitHubActions || !ownerID.isEmpty,
            otherwise: "Say whose workflows are accepted.",
            advice: "--owner-id DIGITS")
    }
}
