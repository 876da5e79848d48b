// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jwt sign`
struct JWTSignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign claims; print the token.",
        discussion: """
            The claims are options, a JSON object in a file or on standard input, or both; no \
            claim may be given twice. With claims among the options, standard input is read only \
            for --claims -. --exp adds iat and exp; without it the claims must hold exp. The key \
            is a key file, or an HMAC secret as long as its hash.

            EXAMPLES
              signet jwt sign --key key.json --iss https://idp.example --aud api \\
                  --sub u1 --claim role=admin --claim-json level=3 --exp 15m
              echo '{"iss":"https://idp.example","aud":"api","sub":"u1"}' | \\
                  signet jwt sign --key key.json --exp 300
              signet jwt sign --secret-text secret.txt --algorithm HS256 \\
                  --claims claims.json --type at+jwt
            """)

    @OptionGroup var key: TokenKeyOptions

    @OptionGroup var given: ClaimOptions

    @Option(file: "A file with claims. (default: standard input, without claims as options)")
    var claims: String?

    @Option(
        name: [.customLong("exp"), .customLong("lifetime")],
        help: ArgumentHelp(
            "When the token expires, from now on: 15m, 1h, 2d, or seconds.", valueName: "time"))
    var exp: [String] = []

    @Option(help: ArgumentHelp("The header's typ.", valueName: "media type"))
    var type = "JWT"

    @Flag(help: "Print a JSON object: token, algorithm, keyID.")
    var json = false

    func run() throws {
        try require(
            exp.count <= 1, otherwise: "--exp is given twice.", advice: "Leave one of them out.")
        let lifetime = try exp.first.map(TokenLifetime.seconds)
        try require(!type.isEmpty, otherwise: "The typ is empty.", advice: "Leave --type out.")
        let given = try given.given(besides: lifetime == nil ? [] : ["iat", "exp"])
        let source = claims ?? (given.isEmpty ? "-" : nil)
        try key.check(source)
        let key = try key.signingKey()
        let bytes = try source.map {
            try Input.bytes($0, maximumByteCount: Input.maximumJWTByteCount)
        }
        let claims = try ClaimsText(bytes ?? Array("{}".utf8), adding: given).value
        let signer = try key.tokenSigner(type: type)
        let token =
            if let lifetime {
                try signer.sign(claims, lifetime: .seconds(lifetime))
            } else { try signer.sign(claims) }
        try key.print(token, maximumByteCount: Input.maximumJWTByteCount, json: json)
    }
}
