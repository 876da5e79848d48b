// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jws …`: signatures over any payload.
struct JWSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jws", abstract: "Sign and verify any payload (RFC 7515, compact form).",
        subcommands: [JWSSignCommand.self, JWSVerifyCommand.self])
}

/// The algorithm, where the key does not say it.
struct AlgorithmOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Needed where the key does not say it: RSA in PEM, a symmetric key.", valueName: "name"))
    var algorithm: String?
}

/// `signet jws sign`
struct JWSSignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a payload; print the compact form.",
        discussion: """
            EXAMPLES
              signet jws sign --key key.json < message > message.jws
              signet jws sign --key key.pem --algorithm PS256 --input message
            """)

    @OptionGroup var key: KeyOption
    @OptionGroup var algorithm: AlgorithmOption

    @Option(name: .long, help: ArgumentHelp("The payload; standard input without it.", valueName: "file"))
    var input: String?

    @Option(name: .long, help: ArgumentHelp("The header's typ.", valueName: "media type"))
    var type: String?

    @Option(
        name: .customLong("content-type"), help: ArgumentHelp("The header's cty.", valueName: "media type"))
    var contentType: String?

    func run() throws {
        try failing {
            let jwk = try KeyFile.read(key.key).single()
            let payload = try Input.bytes(input)
            let signer: JWSSigner
            if jwk.keyType == "oct" {
                let secret = try HMACKey(jwk: jwk, algorithm: KeyFile.hmac(algorithm.algorithm))
                signer = try JWSSigner(hmacKey: secret, type: type, contentType: contentType)
            } else {
                let signing = try SigningKey(jwk: jwk, algorithm: KeyFile.signature(algorithm.algorithm))
                signer = JWSSigner(key: signing, type: type, contentType: contentType)
            }
            Output.line(try signer.sign(payload))
        }
    }
}

/// `signet jws verify`
struct JWSVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a compact JWS; print its payload only if the signature is good.",
        discussion: """
            EXAMPLES
              signet jws verify --key jwks.json < message.jws
              signet jws verify --key key.pem --algorithm RS256 --json "$TOKEN"
            """)

    @OptionGroup var key: KeyOption
    @OptionGroup var algorithm: AlgorithmOption

    @Flag(name: .long, help: "Print a JSON object: valid, header, payload in base64url, or the error.")
    var json = false

    @Argument(help: "The token; standard input without it.")
    var token: String?

    func run() throws {
        let verifier = try KeyFile.read(key.key).verifier(algorithm: algorithm.algorithm)
        let compact = try Input.token(token)
        do throws(TokenError) {
            let verified = try verifier.verify(compact)
            guard json else { return Output.bytes(verified.payload) }
            var members: [String: JSONValue] = [
                "valid": .bool(true), "header": JSONOutput.header(verified.header),
                "payload": .string(Base64URL.encode(verified.payload)),
            ]
            if let keyID = verified.keyID { members["keyID"] = .string(keyID) }
            Output.line(JSONOutput.line(members))
        } catch {
            if json { Output.line(JSONOutput.refusal(CommandFailure(error), claim: error.claim)) }
            throw CommandFailure(error)
        }
    }
}
