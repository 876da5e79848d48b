// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jws sign`
struct JWSSignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a payload; print the compact form.",
        discussion: """
            The payload may have up to 48 MiB: 'signet jws verify' refuses longer tokens.

            EXAMPLES
              signet jws sign --key key.json < message > message.jws
              signet jws sign --key key.pem --algorithm PS256 --input message
            """)

    @OptionGroup var key: KeyOption
    @OptionGroup var algorithm: AlgorithmOption

    @Option(file: "The payload. (default: standard input)")
    var input: String?

    @Option(help: ArgumentHelp("The header's typ.", valueName: "media type"))
    var type: String?

    @Option(help: ArgumentHelp("The header's cty.", valueName: "media type"))
    var contentType: String?

    @Flag(help: "Print a JSON object: token, algorithm, keyID.")
    var json = false

    /// Three bytes become four characters, and there must be room for the header and the signature.
    private static let maximumPayloadByteCount = Input.maximumTokenByteCount / 4 * 3 - 65_536

    func run() throws {
        try require(type != "", otherwise: "The typ is empty.", advice: "Leave --type out.")
        try require(
            contentType != "", otherwise: "The cty is empty.", advice: "Leave --content-type out.")
        try Input.checkStandardInput([key.key, input ?? "-"])
        let signer = try TokenKey(KeyFile.read(key.key).single(), algorithm: algorithm.algorithm)
        let payload = try Input.bytes(input, maximumByteCount: Self.maximumPayloadByteCount)
        let token = try signer.signer(type: type, contentType: contentType).sign(payload)
        try signer.print(token, maximumByteCount: Input.maximumTokenByteCount, json: json)
    }
}
