// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetJOSE

/// `signet jwe encrypt`
struct JWEEncryptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt", abstract: "Encrypt a payload; print the compact form.",
        discussion: """
            The key is the receiver's public key or a shared key; of a private key the public half \
            is used. Encrypting does not say who did it: sign first, and encrypt the signed token. \
            A token has at most 256 KiB, so a payload has somewhat less than 192 KiB. With \
            --content-type JWT the payload is a token, and the white space around it is left out.

            EXAMPLES
              signet jwt sign --key mine.json --lifetime 300 < claims.json |
                  signet jwe encrypt --key theirs.pem --algorithm RSA-OAEP-256 \\
                      --content A256GCM --content-type JWT
              signet jwe encrypt --key shared.json --content A256GCM < message
            """)

    @OptionGroup var key: EncryptionKeyOptions

    @Option(
        help: ArgumentHelp(
            "The token's enc: A128GCM, A192GCM, A256GCM, A128CBC-HS256, A192CBC-HS384 or A256CBC-HS512.",
            valueName: "name"), completion: .list(ContentEncryptionAlgorithm.names))
    var content: String

    @OptionGroup var payload: PayloadOptions

    /// Three bytes become four characters.
    private static let maximumPayloadByteCount = JWEDecrypter.maximumByteCount / 4 * 3

    func run() throws {
        try payload.check(key: key.path)
        let content = try ContentEncryptionAlgorithm.named(self.content)
        let key = try self.key.encryptionKey()
        let encrypter = try JWEEncrypter(
            to: key, content: content, type: payload.type, contentType: payload.contentType)
        let bytes = try payload.bytes(maximumByteCount: Self.maximumPayloadByteCount)
        // 'signet jwt sign' ends its line, and a verifier refuses a token with a line end.
        let isToken = payload.contentType?.utf8.map(\.lowercased) == Array("jwt".utf8)
        let token = try encrypter.encrypt(isToken ? Input.withoutOuterSpace(bytes) : bytes)
        try Output.printResult(
            json: payload.json,
            members: [
                "token": .string(token), "algorithm": .string(key.algorithm.name),
                "keyID": key.keyID.map(JSONValue.string),
            ],
            text: token)
    }
}
