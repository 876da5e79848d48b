// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// `signet idtoken verify`
struct IDTokenVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an ID token; print the identity only if every check passes.",
        discussion: """
            The rules are those of SignetIdentity: OpenID Connect Core 3.1.3.7 and the \
            provider's own. The command fetches the provider's keys unless a file holds them. \
            Anyone who has an ID token can sign in with it while it is valid, so it comes from a \
            file or from standard input, never from an argument. The same goes for the nonce, an \
            access token, a code and a secret.

            EXAMPLES
              signet idtoken verify --provider google \\
                  --client-id 123-abc.apps.googleusercontent.com < token
              signet idtoken verify --provider apple --client-id eg.Kinnect \\
                  --nonce-file nonce --nonce-sha256 --jwks keys.json --token token
              signet idtoken verify --provider oidc --issuer https://idp.example \\
                  --client-id web --json < token
              signet idtoken verify --provider line --client-id 1234567890 \\
                  --secret-text /dev/fd/3 3< channel-secret < token
            """)

    @OptionGroup(title: "Provider") var provider: ProviderOptions
    @OptionGroup(title: "Issuer") var issuer: IssuerOptions
    @OptionGroup(title: "Rules") var rules: IDTokenRuleOptions
    @OptionGroup(title: "Claims and time") var claims: ClaimRuleOptions

    @OptionGroup var files: TokenFileOptions

    func run() throws {
        try claims.check()
        try rules.check()
        try files.check(issuer, inputs: rules.nonceFile, rules.accessTokenFile, rules.codeFile)
        let chosen = rules.adjusted(try provider.chosen(issuer), claims: claims)
        let options = claims.options()
        let keys = try files.keys(
            chosen.keySource, algorithms: chosen.algorithms, clock: options.clock)
        let verifier = try IDTokenVerifier(chosen, keys: keys, options: options)
        let request = try rules.request()
        let compact = try files.compact()
        let identity: VerifiedIdentity
        do throws(IdentityError) {
            identity = try request.verify(compact, with: verifier)
        } catch {
            throw CommandFailure(
                error, expecting: chosen.keySource.names(chosen.algorithms),
                wereFetched: verifier.remoteKeys != nil,
                isGoogle: provider.provider == .google, lacking: provider.provider.lacking)
        }
        try TokenReport(identity).print(json: files.json, now: options.clock.now())
    }
}
