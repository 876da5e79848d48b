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
            token that is an argument, because a stranger may have chosen how it begins.

            EXAMPLES
              signet jwt verify --key jwks.json --issuer https://idp.example \\
                  --audience api < token
              signet jwt verify --key key.pem --algorithm RS256 --any-issuer \\
                  --any-audience --json < token
              signet jwt verify --secret-text secret.txt --algorithm HS256 \\
                  --issuer https://idp.example --audience api < token
            """)

    @OptionGroup var key: TokenKeyOptions

    @Flag(
        help:
            "Accept a secret of 16 bytes or more that is shorter than its hash, until it is replaced."
    )
    var allowShortSecret = false

    @OptionGroup(title: "Policy") var policy: TokenPolicyOptions

    @Flag(help: "Print a JSON object: valid, header, claims, or the error.")
    var json = false

    @Argument(help: "The token; standard input without it.")
    var token: String?

    func run() throws {
        try key.check(token ?? "-", allowsShortSecret: allowShortSecret)
        let checked = try policy.policy()
        let verifier = try key.verifier(checked, allowsShortSecret: allowShortSecret)
        let compact = try Input.token(token, maximumByteCount: Input.maximumJWTByteCount)
        let verified: VerifiedToken<JSONValue>
        do {
            verified = try verifier.verify(compact, as: JSONValue.self)
        } catch {
            var failure = CommandFailure(error)
            if let expected = policy.expectation(error.code) { failure.advice = expected }
            throw failure
        }
        // The claims as they were signed: a number with many digits keeps them all.
        let claims = Array(verified.registered.root.rawBytes)
        guard json else {
            return try Output.bytes(
                (Output.isTerminal ? JSONOutput.oneLine(claims) : claims) + [0x0a])
        }
        try Output.json(
            [
                "valid": true, "header": JSONOutput.header(verified.header),
                "keyID": verified.keyID.map(JSONValue.string),
            ], texts: ["claims": JSONOutput.oneLine(claims)])
    }
}
