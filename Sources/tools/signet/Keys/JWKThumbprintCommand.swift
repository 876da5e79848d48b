// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jwk thumbprint`
struct JWKThumbprintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbprint", abstract: "Print a key's SHA-256 thumbprint (RFC 7638).",
        discussion: """
            The private and the public form of a key have the same thumbprint. A symmetric key's \
            thumbprint is a hash of the secret: do not publish it.

            EXAMPLES
              signet jwk thumbprint --key key.json
              signet jwk thumbprint --key key.pem --uri
            """)

    @OptionGroup var key: KeyOption

    @Flag(help: "Print it as a URI (RFC 9278).")
    var uri = false

    @Flag(help: "Print a JSON object: thumbprint, uri, kty.")
    var json = false

    func run() throws {
        let jwk = try KeyFile.read(key.key).single()
        let thumbprint = try jwk.thumbprint()
        guard json else { return try Output.line(uri ? jwk.thumbprintURI() : thumbprint) }
        try Output.json([
            "thumbprint": .string(thumbprint), "uri": .string(jwk.thumbprintURI()),
            "kty": .string(jwk.keyType),
        ])
    }
}
