// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jwe decrypt`
struct JWEDecryptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Decrypt a compact JWE; print its payload only if all of it is intact.",
        discussion: """
            The token is on standard input, and the payload is printed byte for byte. It is NOT \
            verified: anyone who has a published key can encrypt with it. Verify the signed token \
            inside.

            EXAMPLES
              signet jwe decrypt --key key.json < token.jwe |
                  signet jwt verify --key jwks.json --issuer https://idp.example \\
                      --audience api
              signet jwe decrypt --key key.pem --algorithm RSA-OAEP-256 \\
                  --content A256GCM --json < token.jwe
            """)

    @OptionGroup var key: EncryptionKeyOptions

    @Option(
        help: ArgumentHelp(
            "An enc to accept; may be repeated. (default: all that fit the key)", valueName: "name"),
        completion: .list(ContentEncryptionAlgorithm.names))
    var content: [String] = []

    @Flag(
        help: "Print a JSON object: verified (always false), header, payload in base64url, keyID.")
    var json = false

    func run() throws {
        try Input.checkStandardInput([key.path, "-"])
        let content = try self.content.map(ContentEncryptionAlgorithm.named)
        let decrypter = try JWEDecrypter(key: key.decryptionKey(content: content))
        let decrypted = try decrypter.decrypt(Input.tokenFile(nil))
        guard json else { return try Output.bytes(decrypted.payload) }
        // Not the text of a trusted sender, as a verified header is.
        try Output.shownJSON([
            "verified": false, "header": JSONOutput.header(decrypted.header),
            "payload": .string(Base64URL.encode(decrypted.payload)),
            "keyID": decrypted.keyID.map(JSONValue.string),
        ])
    }
}
