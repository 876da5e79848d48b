// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jws verify`
struct JWSVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a compact JWS; print its payload only if the signature is good.",
        discussion: """
            The payload is printed byte for byte. Put -- before a token that is an argument.

            EXAMPLES
              signet jws verify --key jwks.json < message.jws
              signet jws verify --key key.pem --algorithm RS256 --json < message.jws
            """)

    @OptionGroup var key: KeyOption
    @OptionGroup var algorithm: AlgorithmOption

    @Flag(help: "Print a JSON object: valid, header, payload in base64url, or the error.")
    var json = false

    @Argument(help: "The token; standard input without it.")
    var token: String?

    func run() throws {
        try Input.checkStandardInput([key.key, token ?? "-"])
        let verifier = try KeyFile.read(key.key).verifier(algorithm: algorithm.algorithm)
        let verified = try verifier.verify(Input.token(token))
        guard json else { return try Output.bytes(verified.payload) }
        try Output.json([
            "valid": true, "header": JSONOutput.header(verified.header),
            "payload": .string(Base64URL.encode(verified.payload)),
            "keyID": verified.keyID.map(JSONValue.string),
        ])
    }
}
