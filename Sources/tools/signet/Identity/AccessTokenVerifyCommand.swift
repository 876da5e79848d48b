// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// `signet accesstoken verify`
struct AccessTokenVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an access token; print what it grants only if every check passes.",
        discussion: """
            The rules are those of SignetIdentity's profiles. The command fetches the issuer's \
            keys unless a file holds them. Anyone who has the token can use it, so it comes from \
            a file or from standard input, never from an argument. A secret comes from a file or \
            a descriptor.

            EXAMPLES
              signet accesstoken verify --profile entra --tenant GUID \\
                  --audience GUID --scope read < token
              signet accesstoken verify --profile keycloak --audience api \\
                  --url https://sso.example --realm main < token
              signet accesstoken verify --profile cognito --region eu-west-1 \\
                  --user-pool eu-west-1_A --client-id ID --json < token
            """)

    @OptionGroup(title: "Profile") var profile: AccessTokenProfileOptions
    @OptionGroup(title: "Issuer") var issuer: IssuerOptions
    @OptionGroup(title: "Rules") var rules: AccessTokenRuleOptions
    @OptionGroup(title: "Claims and time") var claims: ClaimRuleOptions
    @OptionGroup var files: TokenFileOptions

    func run() throws {
        try claims.check()
        try rules.check()
        try files.check(issuer)
        let chosen = rules.adjusted(try profile.chosen(issuer), claims: claims)
        let options = claims.options()
        let keys = try files.keys(
            chosen.keySource, algorithms: chosen.algorithms, clock: options.clock)
        let verifier = try AccessTokenVerifier(chosen, keys: keys, options: options)
        let compact = try files.compact()
        let scopes = rules.scope
        let token: VerifiedAccessToken
        do throws(IdentityError) {
            token = try Self.verify(compact, scopes: scopes, with: verifier)
        } catch {
            throw CommandFailure(
                error, expecting: chosen.keySource.names(chosen.algorithms),
                wereFetched: verifier.remoteKeys != nil, lacking: profile.profile.lacking)
        }
        try TokenReport(token).print(json: files.json, now: options.clock.now())
    }

    /// Verifies. Waits for keys that must be fetched, so only the main thread may call it.
    private static func verify(
        _ compact: String, scopes: [String], with verifier: AccessTokenVerifier
    ) throws(IdentityError) -> VerifiedAccessToken {
        if verifier.remoteKeys == nil,
            let token = try verifier.verifyWithKeysInHand(compact, scopes: scopes)
        {
            return token
        }
        return try waiting { () async throws(IdentityError) in
            try await verifier.verify(compact, scopes: scopes)
        }
    }
}

/// The further rules for an access token: options of `signet accesstoken verify`.
struct AccessTokenRuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A scope that the token must have; may be repeated.", valueName: "scope")
    )
    var scope: [String] = []

    @Flag(help: "Refuse a token with neither a scope nor a role.")
    var requireGrant = false

    @Flag(help: "entra: accept a token with neither a scope nor a role.")
    var grantsOptional = false

    @Option(
        help: ArgumentHelp(
            "Refuse a token with this claim and value; may be repeated.",
            valueName: "claim=value"))
    var refuse: [String] = []

    @Option(help: ArgumentHelp("What the header's typ must be, as in at+jwt.", valueName: "type"))
    var type: String?

    @Flag(help: "Accept a token that is bound to a sender (cnf), without checking the binding.")
    var bindingNotChecked = false

    func adjusted(_ profile: AccessTokenProfile, claims: ClaimRuleOptions) -> AccessTokenProfile {
        var profile = profile
        profile.acceptedValues = claims.accepted
        profile.requiredClaims = claims.requireClaim
        profile.refusedValues = ClaimRuleOptions.pairs(refuse)
        if bindingNotChecked { profile.sender = .bindingNotChecked }
        if let type { profile.type = .exactly(type) }
        if requireGrant { profile.requiresScopeOrRole = true }
        if grantsOptional { profile.requiresScopeOrRole = false }
        return profile
    }

    /// Refuses contradictory options, before anything is read.
    func check() throws {
        try ClaimRuleOptions.check(refuse, option: "--refuse")
        try require(
            !requireGrant || !grantsOptional,
            otherwise: "--require-grant and --grants-optional contradict each other.",
            advice: "Give one of them.")
    }
}
