// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE
internal import SignetPlatform

/// The further rules for an ID token: the options of `signet idtoken verify`.
struct IDTokenRuleOptions: ParsableArguments {
    @Option(file: "File with the nonce that was sent; omit it if none was sent.")
    var nonceFile: String?

    @Flag(
        name: .customLong("nonce-sha256"),
        help: "The client sent the hexadecimal SHA-256 of the nonce.")
    var hashesNonce = false

    @Option(file: "File with the access token that at_hash must belong to.")
    var accessTokenFile: String?

    @Option(file: "File with the code that c_hash must belong to.")
    var codeFile: String?

    @Option(help: ArgumentHelp("Maximum seconds since auth_time.", valueName: "seconds"))
    var maxAuthAge: Int64?

    @Option(help: ArgumentHelp("An accepted value of acr; may be repeated.", valueName: "value"))
    var acr: [String] = []

    @Flag(help: "The provider must vouch for the e-mail address.")
    var requireVerifiedEmail = false

    @Option(
        help: ArgumentHelp(
            "A further audience that aud may hold; may be repeated.", valueName: "audience"))
    var trustedAudience: [String] = []

    @Option(
        help: ArgumentHelp("A further client that azp may name; may be repeated.", valueName: "id"))
    var authorizedParty: [String] = []

    @Flag(
        name: .customLong("require-azp"), help: "The token must name the client that asked for it.")
    var isPartyRequired = false

    @Flag(
        name: .customLong("azp-optional"),
        help: "Do not require azp when there are several audiences.")
    var isPartyOptional = false

    @Flag(help: "Accept a token with a nonce although none was sent.")
    var unsolicitedNonce = false

    @Option(help: ArgumentHelp("Maximum seconds between iat and exp.", valueName: "seconds"))
    var maxLifetime: Int64?

    @Option(
        help: ArgumentHelp(
            "A domain that the issuer controls, so that its addresses count as verified; TENANT=DOMAIN for one tenant; may be repeated.",
            valueName: "domain"))
    var authoritativeDomain: [String] = []

    func adjusted(_ provider: IdentityProvider, claims: ClaimRuleOptions) -> IdentityProvider {
        var provider = provider
        provider.requiresVerifiedEmail = requireVerifiedEmail
        provider.trustedAudiences += trustedAudience
        provider.authorizedParties = authorizedParty
        if isPartyOptional { provider.authorizedPartyRule = .optional }
        if isPartyRequired { provider.authorizedPartyRule = .required }
        if let maxLifetime { provider.maximumLifetime = .seconds(maxLifetime) }
        for text in authoritativeDomain {
            guard text.utf8.contains(UInt8(ascii: "=")) else {
                provider.authoritativeDomains.append(text)
                continue
            }
            provider.authoritativeDomainsOfTenants.merge(ClaimRuleOptions.pairs([text])) { $0 + $1 }
        }
        if unsolicitedNonce { provider.allowsUnsolicitedNonce = true }
        provider.acceptedValues = claims.accepted
        provider.requiredClaims = claims.requireClaim
        return provider
    }

    /// Refuses contradictory options, before anything is read.
    func check() throws {
        try require(
            !isPartyOptional || !isPartyRequired,
            otherwise: "--azp-optional and --require-azp contradict each other.",
            advice: "Give one of them.")
        if let maxAuthAge {
            try require(
                maxAuthAge >= 0,
                otherwise:
                    "--max-auth-age is \(maxAuthAge), and a sign-in is 0 seconds old or more.",
                advice: "--max-auth-age SECONDS")
        }
        try require(
            nonceFile != nil || !hashesNonce,
            otherwise: "--nonce-sha256 says how the nonce was sent.",
            advice: "--nonce-file FILE")
    }

    func request() throws -> IDTokenRequest {
        let nonce = try nonceFile.map(Self.text)
        return IDTokenRequest(
            nonce: nonce.map { hashesNonce ? .sha256Hex(of: $0) : .raw($0) } ?? .none,
            accessToken: try accessTokenFile.map(Self.text),
            code: try codeFile.map(Self.text),
            maximumAuthenticationAge: maxAuthAge.map { .seconds($0) }, contexts: acr)
    }

    /// The content of a file, without the white space around it.
    private static func text(_ path: String) throws -> String {
        let bytes = try Input.tokenFile(path)
        let shape = InputShape(of: bytes.span)
        // No nonce, token or code begins with the mark.
        guard shape != .byteOrderMark, let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure.refused(
                "malformed",
                shape?.sentence(about: "\(typed: path)") ?? "\(typed: path) does not hold text.")
        }
        return text
    }
}

/// The values that the sign-in request contained.
struct IDTokenRequest: Sendable {
    let nonce: NonceExpectation
    let accessToken: String?
    let code: String?
    let maximumAuthenticationAge: Duration?
    let contexts: [String]

    /// Verifies. Waits for keys that must be fetched, so only the main thread may call it.
    func verify(_ compact: String, with verifier: IDTokenVerifier) throws(IdentityError)
        -> VerifiedIdentity
    {
        if verifier.remoteKeys == nil,
            let identity = try verifier.verifyWithKeysInHand(
                compact, nonce: nonce, accessToken: accessToken, code: code,
                maximumAuthenticationAge: maximumAuthenticationAge, authenticationContexts: contexts
            )
        {
            return identity
        }
        return try waiting { () async throws(IdentityError) in
            try await verifier.verify(
                compact, nonce: nonce, accessToken: accessToken, code: code,
                maximumAuthenticationAge: maximumAuthenticationAge, authenticationContexts: contexts
            )
        }
    }
}
