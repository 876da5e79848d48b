// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// What else a token must say: the options of `signet idtoken verify`.
struct IDTokenRuleOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with the nonce that was sent; without it none was.", valueName: "file"),
        completion: .file())
    var nonceFile: String?

    @Flag(
        name: .customLong("nonce-sha256"),
        help: "The client sent the hexadecimal SHA-256 of the nonce.")
    var hashesNonce = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with the access token that at_hash must belong to.", valueName: "file"),
        completion: .file())
    var accessTokenFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("File with the code that c_hash must belong to.", valueName: "file"),
        completion: .file())
    var codeFile: String?

    @Option(
        name: .customLong("max-auth-age"),
        help: ArgumentHelp("Seconds since auth_time at most.", valueName: "seconds"))
    var maximumAuthenticationAge: Int64?

    @Option(
        name: .customLong("acr"),
        help: ArgumentHelp("A value that acr may be; may be repeated.", valueName: "value"))
    var contexts: [String] = []

    @Flag(
        name: .customLong("require-verified-email"),
        help: "The provider must vouch for the e-mail address.")
    var requiresVerifiedEmail = false

    @Option(
        name: .customLong("trusted-audience"),
        help: ArgumentHelp(
            "What aud may hold beside a client; may be repeated.", valueName: "audience"))
    var trustedAudiences: [String] = []

    @Option(
        name: .customLong("authorized-party"),
        help: ArgumentHelp("A further client that azp may name; may be repeated.", valueName: "id"))
    var authorizedParties: [String] = []

    @Flag(
        name: .customLong("require-azp"), help: "The token must name the client that asked for it.")
    var isPartyRequired = false

    @Flag(name: .customLong("azp-optional"), help: "Several audiences do not ask for azp.")
    var isPartyOptional = false

    @Flag(name: .customLong("unsolicited-nonce"), help: "Accept a nonce that was not sent.")
    var allowsUnsolicitedNonce = false

    @Option(
        name: .customLong("max-lifetime"),
        help: ArgumentHelp("Seconds between iat and exp at most.", valueName: "seconds"))
    var maximumLifetime: Int64?

    @Option(
        name: .customLong("authoritative-domain"),
        help: ArgumentHelp(
            "A domain that the issuer is in charge of, so that addresses there count as verified; of one of several tenants: TENANT=DOMAIN; may be repeated.",
            valueName: "domain"))
    var authoritativeDomains: [String] = []

    func adjusted(_ provider: IdentityProvider, _ claims: ClaimRuleOptions) -> IdentityProvider {
        var provider = provider
        provider.requiresVerifiedEmail = requiresVerifiedEmail
        provider.trustedAudiences += trustedAudiences
        provider.authorizedParties = authorizedParties
        if isPartyOptional { provider.authorizedPartyRule = .optional }
        if isPartyRequired { provider.authorizedPartyRule = .required }
        if let maximumLifetime { provider.maximumLifetime = .seconds(maximumLifetime) }
        for text in authoritativeDomains {
            guard text.utf8.contains(UInt8(ascii: "=")) else {
                provider.authoritativeDomains.append(text)
                continue
            }
            provider.authoritativeDomainsOfTenants.merge(ClaimRuleOptions.pairs([text])) { $0 + $1 }
        }
        if allowsUnsolicitedNonce { provider.allowsUnsolicitedNonce = true }
        provider.acceptedValues = claims.accepted
        provider.requiredClaims = claims.requiredClaims
        return provider
    }

    /// Refuses, before anything is read, what contradicts itself.
    func check() throws {
        guard !isPartyOptional || !isPartyRequired else {
            throw CommandFailure.usage(
                "--azp-optional and --require-azp contradict each other.",
                advice: "Give one of them.")
        }
        guard nonceFile != nil || !hashesNonce else {
            throw CommandFailure.usage(
                "--nonce-sha256 says how the nonce was sent.", advice: "--nonce-file FILE")
        }
    }

    func request() throws -> IDTokenRequest {
        let nonce = try nonceFile.map { try Self.text($0) }
        return IDTokenRequest(
            nonce: nonce.map { hashesNonce ? .sha256Hex(of: $0) : .raw($0) } ?? .none,
            accessToken: try accessTokenFile.map { try Self.text($0) },
            code: try codeFile.map { try Self.text($0) },
            maximumAuthenticationAge: maximumAuthenticationAge.map { .seconds($0) },
            contexts: contexts)
    }

    /// What a file holds, without the line end behind it.
    private static func text(_ path: String) throws -> String {
        let bytes = try Input.tokenFile(path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure.refused("malformed", "\(path) does not hold text.")
        }
        return text
    }
}

/// What the request asked for.
struct IDTokenRequest: Sendable {
    let nonce: NonceExpectation
    let accessToken: String?
    let code: String?
    let maximumAuthenticationAge: Duration?
    let contexts: [String]

    /// Verifies, and waits for the keys where they are fetched: that from the main thread only.
    func verify(_ compact: String, _ verifier: IDTokenVerifier) throws(IdentityError)
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
        return try waitingForIdentity { () async throws(IdentityError) -> VerifiedIdentity in
            try await verifier.verify(
                compact, nonce: nonce, accessToken: accessToken, code: code,
                maximumAuthenticationAge: maximumAuthenticationAge, authenticationContexts: contexts
            )
        }
    }
}

extension Input {
    /// A credential in a file, without the line end behind it.
    static func tokenFile(_ path: String?) throws -> [UInt8] {
        // Some room for line ends; the verifier has the last word.
        var bytes = try Input.bytes(path, maximumByteCount: JWTCommand.maximumTokenByteCount + 1024)
        while let last = bytes.last, last == 0x0a || last == 0x0d || last == 0x20 {
            bytes.removeLast()
        }
        guard !bytes.isEmpty else {
            throw CommandFailure.refused(
                "malformed", "There is nothing in \(path ?? "standard input").",
                advice: "Look at the file.")
        }
        return bytes
    }
}
