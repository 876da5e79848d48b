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
    @OptionGroup var payload: PayloadOptions

    /// Three bytes become four characters, and there must be room for the header and the signature.
    private static let maximumPayloadByteCount = Input.maximumTokenByteCount / 4 * 3 - 65_536

    func run() throws {
        try payload.check(key: key.key)
        let signer = try TokenKey(KeyFile.read(key.key).single(), algorithm: algorithm.algorithm)
        let bytes = try payload.bytes(maximumByteCount: Self.maximumPayloadByteCount)
        let token = try signer.signer(type: payload.type, contentType: payload.contentType)
            .sign(bytes)
        try signer.print(token, maximumByteCount: Input.maximumTokenByteCount, json: payload.json)
    }
}
