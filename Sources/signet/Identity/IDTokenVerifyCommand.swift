// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// `signet idtoken verify`
struct IDTokenVerifyCommand: Verdict {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an ID token; print who it is about only if all is good.",
        discussion: """
            The provider's rules are those of SignetIdentity (OpenID Connect Core 3.1.3.7 and what the provider adds). \
            Its keys are fetched from where it publishes them, unless a file holds them. Whoever has an ID token can \
            sign in with it for as long as it is valid: it comes from a file or from standard input, never from an \
            argument. The same goes for the nonce, an access token and a code.

            EXAMPLES
              signet idtoken verify --provider google \\
                  --client-id 123-abc.apps.googleusercontent.com < token
              signet idtoken verify --provider apple --client-id eg.Kinnect \\
                  --nonce-file nonce --nonce-sha256 --jwks keys.json --token token
              signet idtoken verify --provider oidc --issuer https://idp.example \\
                  --client-id web --json < token
            """)

    @OptionGroup(title: "Provider") var provider: ProviderOptions
    @OptionGroup(title: "Rules") var rules: IDTokenRuleOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with the provider's keys as it publishes them (for firebase its certificates, too); without it they are fetched.",
            valueName: "file"), completion: .file())
    var jwks: String?

    @Option(
        name: .long, help: ArgumentHelp("File with the token; standard input without it.", valueName: "file"),
        completion: .file())
    var token: String?

    @Flag(name: .long, help: "Print a JSON object: valid, identity, claims, or the error.")
    var json = false

    func run() throws {
        try rules.check()
        let files = [jwks, token ?? "-", rules.nonceFile, rules.accessTokenFile, rules.codeFile]
        try Input.checkStandardInput(all: files.compactMap(\.self))
        let chosen = try identifying { try provider.chosen() }
        let verifier = try verifier(rules.adjusted(chosen))
        let request = try rules.request()
        // Bytes that are not UTF-8 become characters that base64url does not have.
        let compact = String(decoding: try Input.tokenFile(token), as: UTF8.self)
        let identity: VerifiedIdentity
        do throws(IdentityError) {
            identity = try request.verify(compact, verifier)
        } catch {
            throw CommandFailure(error, of: chosen)
        }
        try IdentityReport(identity).print(json: json)
    }

    private func verifier(_ provider: IdentityProvider) throws -> IDTokenVerifier {
        let options = rules.options()
        guard let jwks else {
            return try identifying {
                try IDTokenVerifier(provider, transport: KeyTransport.system, options: options)
            }
        }
        let bytes = try Input.bytes(jwks, maximumByteCount: KeySet.maximumByteCount)
        let published: PublishedKeys
        do throws(KeyError) {
            published = try PublishedKeys(bytes, of: provider, clock: options.clock)
        } catch {
            throw CommandFailure(error, in: jwks)
        }
        for key in published.keys.skipped { Output.errorLine("signet: left out \(key)") }
        return try identifying {
            try IDTokenVerifier(provider, keys: published.keys, issuers: published.issuers, options: options)
        }
    }
}

extension PublishedKeys {
    /// What a provider publishes, in a file: its certificates where it publishes such, a JWK set everywhere.
    fileprivate init(_ bytes: [UInt8], of provider: IdentityProvider, clock: TokenClock) throws(KeyError) {
        let isSet = (try? JSONDocument(bytes).root.member("keys")) != nil
        if case .remote(.certificates) = provider.keySource, !isSet {
            try self.init(
                certificates: bytes, algorithms: provider.algorithms, maximumKeyCount: KeySet.maximumKeyCount,
                secondsSince1970: Int64(exactly: clock.now().secondsSince1970.rounded(.down)) ?? 0)
        } else {
            try self.init(
                jwks: bytes, algorithms: provider.algorithms, maximumKeyCount: KeySet.maximumKeyCount)
        }
    }
}
