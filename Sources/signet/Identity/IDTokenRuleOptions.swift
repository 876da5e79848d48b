// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// What else a token must say: the options of `signet idtoken verify`.
struct IDTokenRuleOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("File with the nonce that was sent; without it none was.", valueName: "file"),
        completion: .file())
    var nonceFile: String?

    @Flag(name: .customLong("nonce-sha256"), help: "The client sent the hexadecimal SHA-256 of the nonce.")
    var hashesNonce = false

    @Option(
        name: .long,
        help: ArgumentHelp("File with the access token that at_hash must belong to.", valueName: "file"),
        completion: .file())
    var accessTokenFile: String?

    @Option(
        name: .long, help: ArgumentHelp("File with the code that c_hash must belong to.", valueName: "file"),
        completion: .file())
    var codeFile: String?

    @Option(
        name: .customLong("max-age"), help: ArgumentHelp("Seconds since iat at most.", valueName: "seconds"))
    var maximumAge: Int64?

    @Option(
        name: .customLong("max-auth-age"),
        help: ArgumentHelp("Seconds since auth_time at most.", valueName: "seconds"))
    var maximumAuthenticationAge: Int64?

    @Option(
        name: .customLong("acr"),
        help: ArgumentHelp("A value that acr may be; may be repeated.", valueName: "value"))
    var contexts: [String] = []

    @Flag(
        name: .customLong("require-verified-email"), help: "The provider must vouch for the e-mail address.")
    var requiresVerifiedEmail = false

    @Option(
        name: .customLong("accept"),
        help: ArgumentHelp(
            "A claim that must be there, with a value that it may have; may be repeated.",
            valueName: "claim=value"))
    var acceptedValues: [String] = []

    @Option(
        name: .customLong("trusted-audience"),
        help: ArgumentHelp("What aud may hold beside a client; may be repeated.", valueName: "audience"))
    var trustedAudiences: [String] = []

    @Flag(name: .customLong("azp-optional"), help: "Several audiences do not ask for azp.")
    var isPartyOptional = false

    @Flag(name: .customLong("unsolicited-nonce"), help: "Accept a nonce that was not sent.")
    var allowsUnsolicitedNonce = false

    @Option(
        name: .long, help: ArgumentHelp("Seconds that clocks may differ, 0 to 300.", valueName: "seconds"))
    var leeway: Int64 = 30

    @Option(
        name: .long,
        help: ArgumentHelp("Verify as if it were this time (seconds since 1970).", valueName: "time"))
    var at: Int64?

    /// The values of `--accept`, by the claims' names.
    private var accepted: [String: [String]] {
        var accepted: [String: [String]] = [:]
        for text in acceptedValues {
            // By bytes: to Unicode an "=" and a mark behind it are another character.
            let name = text.utf8.prefix { $0 != UInt8(ascii: "=") }
            let value = text.utf8.dropFirst(name.count + 1)
            accepted[String(decoding: name, as: UTF8.self), default: []]
                .append(String(decoding: value, as: UTF8.self))
        }
        return accepted
    }

    func adjusted(_ provider: IdentityProvider) -> IdentityProvider {
        var provider = provider
        provider.requiresVerifiedEmail = requiresVerifiedEmail
        provider.trustedAudiences += trustedAudiences
        if isPartyOptional { provider.authorizedPartyRule = .optional }
        if allowsUnsolicitedNonce { provider.allowsUnsolicitedNonce = true }
        provider.acceptedValues = accepted
        return provider
    }

    func options() -> TokenVerificationOptions {
        var options = TokenVerificationOptions()
        options.leeway = .seconds(leeway)
        options.maximumAge = maximumAge.map { .seconds($0) }
        if let at {
            options.clock = .fixed(secondsSince1970: Double(at))
            options.keySet.wallClock = options.clock
        }
        return options
    }

    /// Refuses, before anything is read, what contradicts itself.
    func check() throws {
        for text in acceptedValues {
            let name = text.utf8.prefix { $0 != UInt8(ascii: "=") }
            guard !name.isEmpty, name.count < text.utf8.count else {
                throw CommandFailure.usage(
                    "--accept takes CLAIM=VALUE.", advice: "--accept hd=company.example")
            }
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
            maximumAuthenticationAge: maximumAuthenticationAge.map { .seconds($0) }, contexts: contexts)
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

    /// Verifies, and waits for the keys where they are fetched. From the main thread only.
    func verify(_ compact: String, _ verifier: IDTokenVerifier) throws(IdentityError) -> VerifiedIdentity {
        try waitingForIdentity { () async throws(IdentityError) -> VerifiedIdentity in
            try await verifier.verify(
                compact, nonce: nonce, accessToken: accessToken, code: code,
                maximumAuthenticationAge: maximumAuthenticationAge, authenticationContexts: contexts)
        }
    }
}

extension Input {
    /// A credential in a file, without the line end behind it.
    static func tokenFile(_ path: String?) throws -> [UInt8] {
        // Some room for line ends; the verifier has the last word.
        var bytes = try Input.bytes(path, maximumByteCount: JWTCommand.maximumTokenByteCount + 1024)
        while let last = bytes.last, last == 0x0a || last == 0x0d || last == 0x20 { bytes.removeLast() }
        guard !bytes.isEmpty else {
            throw CommandFailure.refused(
                "malformed", "There is nothing in \(path ?? "standard input").", advice: "Look at the file.")
        }
        return bytes
    }
}
