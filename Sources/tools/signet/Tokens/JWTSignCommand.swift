// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jwt sign`
struct JWTSignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign claims; print the token.",
        discussion: """
            The claims are a JSON object in a file or on standard input. --lifetime adds iat and \
            exp; without it the claims must hold exp. The key is a key file, or an HMAC secret \
            as long as its hash.

            EXAMPLES
              echo '{"iss":"https://idp.example","aud":"api","sub":"u1"}' | \\
                  signet jwt sign --key key.json --lifetime 300
              signet jwt sign --secret-text secret.txt --algorithm HS256 \\
                  --claims claims.json --type at+jwt
            """)

    @OptionGroup var key: TokenKeyOptions

    @Option(file: "The claims. (default: standard input)")
    var claims: String?

    @Option(help: ArgumentHelp("Seconds until the token expires.", valueName: "seconds"))
    var lifetime: Int64?

    @Option(help: ArgumentHelp("The header's typ.", valueName: "media type"))
    var type = "JWT"

    @Flag(help: "Print a JSON object: token, algorithm, keyID.")
    var json = false

    func run() throws {
        // The signer enforces the same range, but only after everything has been read.
        if let lifetime {
            try require(
                (1...TokenSigner.maximumLifetimeSeconds).contains(lifetime),
                otherwise:
                    "--lifetime is \(lifetime) seconds instead of 1 to 315,360,000 (10 years).")
        }
        try require(!type.isEmpty, otherwise: "The typ is empty.", advice: "Leave --type out.")
        try key.check(claims ?? "-")
        let key = try key.signingKey()
        let bytes = try Input.bytes(claims, maximumByteCount: Input.maximumJWTByteCount)
        let claims = try ClaimsText(bytes).value
        let signer = try key.tokenSigner(type: type)
        let token =
            if let lifetime {
                try signer.sign(claims, lifetime: .seconds(lifetime))
            } else { try signer.sign(claims) }
        try key.print(token, maximumByteCount: Input.maximumJWTByteCount, json: json)
    }
}
