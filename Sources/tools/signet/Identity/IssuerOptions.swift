// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import SignetIdentity
internal import SignetJOSE

/// Where tokens come from: the options that `signet idtoken verify` and `signet accesstoken verify`
/// share. Each preset takes some of them; any other option is a usage error.
struct IssuerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The issuer exactly as in iss, including any final slash.", valueName: "url"))
    var issuer: String?

    @Option(
        help: ArgumentHelp(
            "Signature algorithm; may be repeated. (default: RS256; a secret needs it)",
            valueName: "name"))
    var algorithm: [String] = []

    @Option(
        help: ArgumentHelp("Where its keys are. (default: found by discovery)", valueName: "url"))
    var keysURL: String?

    /// The secret that the issuer signs with, in place of published keys.
    @OptionGroup var secrets: TextSecretOptions

    @Option(
        help: ArgumentHelp(
            "entra: a tenant's GUID, may be repeated; or organizations, or anyone. entra-external, azure-b2c: its GUID.",
            valueName: "tenant"))
    var tenant: [String] = []

    @Option(
        help: ArgumentHelp(
            "entra: global, us-government or china. (default: global)", valueName: "name"))
    var cloud: EntraCloud?

    @Flag(name: .customLong("entra-v1"), help: "entra: also accept tokens of the v1.0 endpoint.")
    var acceptsVersion1 = false

    @Option(help: ArgumentHelp("auth0, okta: the domain.", valueName: "domain"))
    var domain: String?

    @Option(help: ArgumentHelp("okta: the authorization server.", valueName: "id"))
    var authorizationServer: String?

    @Option(
        help: ArgumentHelp(
            "keycloak, authentik: the server. supabase: the address, without /auth/v1.",
            valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("keycloak: the realm.", valueName: "name"))
    var realm: String?

    @Option(help: ArgumentHelp("cognito: as in eu-west-1.", valueName: "region"))
    var region: String?

    @Option(help: ArgumentHelp("cognito: the user pool's identifier.", valueName: "id"))
    var userPool: String?

    @Option(
        help: ArgumentHelp(
            "firebase: the project; supabase: the project's reference.", valueName: "project"))
    var project: String?

    /// The names of the options that were given.
    var given: [String] {
        [
            ("--issuer", issuer != nil), ("--algorithm", !algorithm.isEmpty),
            ("--keys-url", keysURL != nil), ("--tenant", !tenant.isEmpty),
            ("--cloud", cloud != nil),
            ("--entra-v1", acceptsVersion1), ("--domain", domain != nil),
            ("--authorization-server", authorizationServer != nil), ("--url", url != nil),
            ("--realm", realm != nil), ("--region", region != nil),
            ("--user-pool", userPool != nil),
            ("--project", project != nil),
        ].filter(\.1).map(\.0) + secrets.given
    }

    /// Refuses options that the preset does not take, because they would have no effect and the
    /// user believes that they do. Also refuses contradictory options.
    func check(_ more: [String], of preset: String, has options: Set<String>) throws {
        for name in given + more where !options.contains(name) {
            throw CommandFailure.usage(
                "\(shown: name) means nothing for \(shown: "\(preset)").", advice: "Leave it out.")
        }
        try require(
            project == nil || url == nil, otherwise: "--project and --url contradict each other.",
            advice: "Give one of them.")
        try require(
            secrets.given.isEmpty || keysURL == nil,
            otherwise: "An issuer that signs with a secret publishes no keys.",
            advice: "Leave --keys-url out.")
    }

    /// The secret, from a file or a descriptor; nil where the issuer publishes keys.
    ///
    /// - Parameter fixed: the algorithm of a preset that takes no `--algorithm`.
    func secret(for fixed: HMACAlgorithm? = nil) throws -> HMACKey? {
        guard !secrets.given.isEmpty else { return nil }
        let all = secrets.all(orKeyIn: "--jwks")
        guard let secret = all.first, all.count == 1 else {
            throw CommandFailure.usage(
                "Say where the secret is, in one way.",
                advice: "Give one of --secret-text and --secret-base64url.")
        }
        try require(
            algorithm.count <= 1, otherwise: "A secret works with one algorithm only.",
            advice: "One of: HS256, HS384, HS512")
        return try secret.hmacKey(fixed ?? TextSecretOptions.algorithm(algorithm.first))
    }

    func signatureAlgorithms() throws -> [SignatureAlgorithm] {
        for name in algorithm where HMACAlgorithm(name: name) != nil {
            throw CommandFailure.usage(
                "\(shown: name) takes the issuer's secret.",
                advice: "Where this issuer signs with one: --secret-text FILE")
        }
        return try (algorithm.isEmpty ? ["RS256"] : algorithm).compactMap(KeyFile.signature)
    }

    func location() throws -> RemoteKeySet.Location {
        guard let keysURL else { return .discovery }
        return .keySet(try EndpointURL(keysURL))
    }

    func entraTenants() throws -> EntraTenants {
        switch tenant {
        case []:
            throw CommandFailure.usage(
                "Say whose tenant is accepted.",
                advice: "--tenant GUID, --tenant organizations or --tenant anyone")
        case ["organizations"]: .anyOrganization
        case ["anyone"]: .anyone
        default: try .only(tenant)
        }
    }

    func oneTenant() throws -> String {
        try required(tenant.count == 1 ? tenant.first : nil, option: "one --tenant")
    }
}

/// The value of an option that a preset needs.
func required(_ value: String?, option: String) throws -> String {
    guard let value else {
        throw CommandFailure.missing([(option, value)])
    }
    return value
}

extension CommandFailure {
    /// The failure that options are missing. It names every option without a value.
    static func missing(_ options: [(name: String, value: String?)]) -> CommandFailure {
        let names = options.filter { $0.value == nil }.map(\.name)
        let list = [names.dropLast().joined(separator: ", "), names.last ?? ""]
            .filter { !$0.isEmpty }.joined(separator: " and ")
        return usage(
            "\(shown: list) \(shown: names.count == 1 ? "is" : "are") needed here.",
            advice: "Give \(list).")
    }
}

extension EntraCloud: ExpressibleByArgument {}
