// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jwt sign`
struct JWTSignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign claims; print the token.",
        discussion: """
            The claims are a JSON object in a file or on standard input. --lifetime adds iat and exp; without it the \
            claims must hold exp.

            EXAMPLES
              echo '{"iss":"https://idp.example","aud":"api","sub":"u1"}' | \\
                  signet jwt sign --key key.json --lifetime 300
              signet jwt sign --key secret.json --claims claims.json --type at+jwt
            """)

    @OptionGroup var key: KeyOption
    @OptionGroup var algorithm: AlgorithmOption

    @Option(
        name: .long,
        help: ArgumentHelp("The claims; standard input without it.", valueName: "file"),
        completion: .file())
    var claims: String?

    @Option(
        name: .long, help: ArgumentHelp("Seconds until the token expires.", valueName: "seconds"))
    var lifetime: Int64?

    @Option(name: .long, help: ArgumentHelp("The header's typ.", valueName: "media type"))
    var type = "JWT"

    @Flag(name: .long, help: "Print a JSON object: token, algorithm, keyID.")
    var json = false

    func run() throws {
        try failing {
            // The signer holds to the same range, and knows only when everything was read.
            guard (1...315_360_000).contains(lifetime ?? 1) else {
                throw CommandFailure.usage("--lifetime takes 1 second to 10 years (315360000).")
            }
            try Input.checkStandardInput(key.key, claims ?? "-")
            let jwk = try KeyFile.read(key.key).single()
            let key = try TokenKey(jwk, algorithm: algorithm.algorithm)
            let bytes = try Input.bytes(claims, maximumByteCount: JWTCommand.maximumTokenByteCount)
            let token = try sign(ClaimsText(bytes).value, with: key)
            try key.print(token, maximumByteCount: JWTCommand.maximumTokenByteCount, json: json)
        }
    }

    private func sign(_ claims: JSONValue, with key: TokenKey) throws -> String {
        let signer: TokenSigner
        switch key {
        case .asymmetric(let key): signer = TokenSigner(key: key, type: type)
        case .symmetric(let key): signer = try TokenSigner(hmacKey: key, type: type)
        }
        if let lifetime { return try signer.sign(claims, lifetime: .seconds(lifetime)) }
        return try signer.sign(claims)
    }
}
