// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jwt verify`
struct JWTVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a token and its claims; print the claims only if every check passes.",
        discussion: """
            Issuer and audience are checked unless an option turns that off. Put -- before a \
            token that is an argument, because a stranger may have chosen how it begins. Keys at \
            an address are fetched once, as 'signet jwks fetch' does: with https, or http on this \
            machine, for --algorithm alone if it is given. The \
            claims are printed as they were signed; at a terminal, lines with their times in UTC \
            follow.

            EXAMPLES
              signet jwt verify --key jwks.json --issuer https://idp.example \\
                  --audience api < token
              signet jwt verify --jwks https://idp.example/jwks.json \\
                  --issuer https://idp.example --audience api < token
              signet jwt verify --key key.pem --algorithm RS256 --any-issuer \\
                  --any-audience --json < token
              signet jwt verify --secret-text secret.txt --algorithm HS256 \\
                  --issuer https://idp.example --audience api < token
            """)

    @OptionGroup var key: TokenVerifierOptions

    @OptionGroup(title: "Policy") var policy: TokenPolicyOptions

    @Flag(help: "Print a JSON object: valid, header, claims, or the error.")
    var json = false

    @Argument(help: "The token; standard input without it.")
    var token: String?

    func run() throws {
        try key.check(token ?? "-")
        let checked = try policy.policy()
        // No request is made for a token that is not there.
        let early = try key.isFetched ? read() : nil
        let verifier = try key.verifier(checked)
        let compact = try early ?? read()
        let verified: VerifiedToken<JSONValue>
        do {
            verified = try verifier.verify(compact, as: JSONValue.self)
        } catch {
            var failure = CommandFailure(error)
            if let expected = policy.expectation(error.code) { failure.advice = expected }
            if error.code == .noMatchingKey, error.detail != .unusableKey, try key.isFetched {
                failure.cause = Advice.Cause(error.code, detail: .fetched)
            }
            throw failure
        }
        // The claims as they were signed: a number with many digits keeps them all.
        let claims = Array(verified.registered.root.rawBytes)
        guard json else {
            guard Output.isTerminal else { return try Output.bytes(claims + [0x0a]) }
            try Output.bytes(JSONOutput.oneLine(claims) + [0x0a])
            let times = ClaimTimes(
                claims: verified.registered.root, now: policy.clock.now(),
                leewaySeconds: Double(policy.leeway))
            return try times.text(.output).map(Output.line) ?? ()
        }
        try Output.json(
            [
                "valid": true, "header": JSONOutput.header(verified.header),
                "keyID": verified.keyID.map(JSONValue.string),
            ], texts: ["claims": JSONOutput.oneLine(claims)])
    }

    private func read() throws -> [UInt8] {
        try Input.token(token, maximumByteCount: Input.maximumJWTByteCount)
    }
}
