// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jwk public`
struct JWKPublicCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "public",
        abstract: "Print the public half of a key as a JWK set, ready to publish.",
        discussion: """
            A key without a kid gets its thumbprint (RFC 7638), the same kid as in tokens signed \
            with it.

            EXAMPLES
              signet jwk public --key key.json > jwks.json
              signet jwk public --key rsa.pem --algorithm PS256 > jwks.json
              signet jwk public --key key.pem --single
            """)

    @OptionGroup var key: KeyOption
    @OptionGroup var algorithm: AlgorithmOption

    @Flag(help: "Print the JWK alone, not in a set.")
    var single = false

    @Flag(help: "Print errors as JSON too; the keys always are.")
    var json = false

    func run() throws {
        let file = try KeyFile.read(key.key)
        if case .set(let document) = file, !single { return try Output.line(published(document)) }
        let jwk = try file.single().publicKey().named(nil, algorithm: algorithm.algorithm)
        try Output.line(single ? jwk.published() : jwk.publishedSet())
    }

    private func published(_ document: KeyFile.SetDocument) throws -> String {
        let set = try document.publicKeys(algorithm: algorithm.algorithm)
        guard !set.keys.isEmpty else {
            throw CommandFailure.refused(
                "noPublicKey", "None of the keys in the file can be published.",
                advice: "A symmetric key has no public half: never publish it.")
        }
        return try set.jwksJSON()
    }
}
