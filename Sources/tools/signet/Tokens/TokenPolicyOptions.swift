// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetJOSE

/// The rules for a token: the options of `signet jwt verify`.
struct TokenPolicyOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("iss")],
        help: ArgumentHelp("The issuer that iss must equal; may be repeated.", valueName: "issuer"))
    var issuer: [String] = []

    @Flag(help: "Do not check the issuer.")
    var anyIssuer = false

    @Option(
        name: [.long, .customLong("aud")],
        help: ArgumentHelp("An audience that aud may hold; may be repeated.", valueName: "audience")
    )
    var audience: [String] = []

    @Flag(help: "Do not check the audience.")
    var anyAudience = false

    @Option(
        help: ArgumentHelp("The header's typ; without it JWT or none.", valueName: "media type"))
    var type: String?

    @Flag(help: "Do not check the header's typ.")
    var anyType = false

    @Option(help: ArgumentHelp("Seconds that clocks may differ, 0 to 300.", valueName: "seconds"))
    var leeway: Int64 = 30

    @Option(help: ArgumentHelp("Maximum seconds since iat.", valueName: "seconds"))
    var maxAge: Int64?

    @Option(
        name: .customLong("require"),
        help: ArgumentHelp("A claim that the token must have; may be repeated.", valueName: "claim")
    )
    var requiredClaims: [String] = []

    @Flag(help: "Accept a token that never expires.")
    var allowMissingExpiration = false

    @Option(
        help: ArgumentHelp(
            "Verify as if it were this time (seconds since 1970).", valueName: "time"))
    var at: Int64?

    /// The expectations of the options, and never what the token says, which is the sender's
    /// choice.
    func expectation(_ code: TokenError.Code) -> String? {
        switch code {
        case .audienceMismatch: Self.expectation(audience, option: "--audience", claim: "aud")
        case .issuerMismatch: Self.expectation(issuer, option: "--issuer", claim: "iss")
        default: nil
        }
    }

    private static func expectation(_ values: [String], option: String, claim: String) -> String {
        "Expected (\(option)): \(values.joined(separator: ", ")). 'signet jwt inspect' shows the "
            + "token's \"\(claim)\"."
    }

    /// What the times of a token are compared with.
    var clock: TimeSource {
        at.map { .fixed(secondsSince1970: Double($0)) } ?? CommandClock.current
    }

    func policy() throws -> TokenPolicy {
        try require(
            issuer.isEmpty == anyIssuer, otherwise: "Name the trusted issuer, in one way.",
            advice: "--issuer https://… or --any-issuer")
        try require(
            audience.isEmpty == anyAudience,
            otherwise: "Name the audience that the token must be for, in one way.",
            advice: "--audience … or --any-audience")
        try require(
            type == nil || !anyType, otherwise: "--type and --any-type contradict each other.",
            advice: "Give one of them.")
        return try TokenPolicy(
            issuer: anyIssuer ? .notChecked : .anyOf(issuer),
            audience: anyAudience ? .notChecked : .anyOf(audience),
            type: anyType ? .notChecked : (type.map { .exactly($0) } ?? .jwt),
            expiration: allowMissingExpiration ? .optional : .required,
            leeway: .seconds(leeway), maximumAge: maxAge.map { .seconds($0) },
            requiredClaims: requiredClaims, maximumTokenByteCount: Input.maximumJWTByteCount,
            clock: clock)
    }
}
