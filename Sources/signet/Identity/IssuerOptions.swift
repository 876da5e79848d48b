// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCrypto
internal import SignetIdentity
internal import SignetJOSE
internal import SystemBridge

/// Where tokens come from: what `signet idtoken verify` and `signet accesstoken verify` share.
/// Each preset takes some of these options; one that it does not have is a mistake.
struct IssuerOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The issuer as its tokens write it, to the last slash.", valueName: "url"))
    var issuer: String?

    @Option(
        name: .customLong("algorithm"),
        help: ArgumentHelp(
            "What it signs with; may be repeated; RS256 without it, HS256 with --secret-file.",
            valueName: "name"))
    var algorithms: [String] = []

    @Option(
        name: .customLong("keys-url"),
        help: ArgumentHelp("Where its keys are; found by discovery without it.", valueName: "url"))
    var keysURL: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with the secret that it signs with, whose text is the key, instead of published keys.",
            valueName: "file"), completion: .file())
    var secretFile: String?

    @Option(
        name: .customLong("tenant"),
        help: ArgumentHelp(
            "entra: a tenant's GUID, may be repeated; or organizations, or anyone. entra-external, azure-b2c: its GUID.",
            valueName: "tenant"))
    var tenants: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "entra: global, us-government or china. (default: global)", valueName: "name"))
    var cloud: CloudArgument?

    @Flag(name: .customLong("entra-v1"), help: "entra: accept tokens of the older endpoint too.")
    var acceptsVersion1 = false

    @Option(name: .long, help: ArgumentHelp("auth0, okta: the domain.", valueName: "domain"))
    var domain: String?

    @Option(name: .long, help: ArgumentHelp("okta: the authorization server.", valueName: "id"))
    var authorizationServer: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "keycloak, authentik: the server. supabase: the address, without /auth/v1.",
            valueName: "url"))
    var url: String?

    @Option(name: .long, help: ArgumentHelp("keycloak: the realm.", valueName: "name"))
    var realm: String?

    @Option(name: .long, help: ArgumentHelp("cognito: as in eu-west-1.", valueName: "region"))
    var region: String?

    @Option(
        name: .long, help: ArgumentHelp("cognito: the user pool's identifier.", valueName: "id"))
    var userPool: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "firebase: the project; supabase: the project's reference.", valueName: "project"))
    var project: String?

    /// What was given, by the options' names.
    var given: [String] {
        [
            ("--issuer", issuer != nil), ("--algorithm", !algorithms.isEmpty),
            ("--keys-url", keysURL != nil),
            ("--secret-file", secretFile != nil), ("--tenant", !tenants.isEmpty),
            ("--cloud", cloud != nil),
            ("--entra-v1", acceptsVersion1), ("--domain", domain != nil),
            ("--authorization-server", authorizationServer != nil), ("--url", url != nil),
            ("--realm", realm != nil), ("--region", region != nil),
            ("--user-pool", userPool != nil),
            ("--project", project != nil),
        ].filter(\.1).map(\.0)
    }

    /// Refuses what a preset does not have: it would change nothing, and whoever wrote it believes
    /// that it does. And what contradicts itself.
    func check(_ more: [String], of preset: String, has options: Set<String>) throws {
        for name in given + more where !options.contains(name) {
            throw CommandFailure.usage(
                "\(name) means nothing for \(preset).", advice: "Leave it out.")
        }
        guard project == nil || url == nil else {
            throw CommandFailure.usage(
                "--project and --url contradict each other.", advice: "Give one of them.")
        }
        guard secretFile == nil || keysURL == nil else {
            throw CommandFailure.usage(
                "Whoever signs with a secret publishes no keys.", advice: "Leave --keys-url out.")
        }
    }

    /// The secret, from a file or a descriptor.
    func secret() throws -> HMACKey? {
        guard let secretFile else { return nil }
        guard algorithms.count <= 1 else {
            throw CommandFailure.usage(
                "A secret is for one algorithm.", advice: "One of: HS256, HS384, HS512")
        }
        let algorithm = try KeyFile.hmac(algorithms.first) ?? .hs256
        let contents = try Input.contents(secretFile, maximumByteCount: 4_096)
        if contents.isOpenToOthers { Input.warn(about: secretFile) }
        var bytes = contents.bytes
        while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
        return try failing { try HMACKey(secret: SecretKey(copying: bytes), algorithm: algorithm) }
    }

    func signatureAlgorithms() throws -> [SignatureAlgorithm] {
        try (algorithms.isEmpty ? ["RS256"] : algorithms).compactMap { try KeyFile.signature($0) }
    }

    func location() throws -> RemoteKeySet.Location {
        guard let keysURL else { return .discovery }
        return .keySet(try EndpointURL(keysURL))
    }

    func entraTenants() throws -> EntraTenants {
        switch tenants {
        case []:
            throw CommandFailure.usage(
                "Say whose tenant is accepted.",
                advice: "--tenant GUID, --tenant organizations or --tenant anyone")
        case ["organizations"]: .anyOrganization
        case ["anyone"]: .anyone
        default: try .only(tenants)
        }
    }

    func oneTenant() throws -> String {
        try Self.required(tenants.count == 1 ? tenants.first : nil, "one --tenant")
    }

    static func required(_ value: String?, _ option: String) throws -> String {
        guard let value else {
            throw CommandFailure.usage("\(option) is needed here.", advice: "Give \(option).")
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
