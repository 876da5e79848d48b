// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCrypto
internal import SignetJOSE

/// `signet jwk convert`
struct JWKConvertCommand: ParsableCommand {
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case jwk
        case pem
        case publicJWK = "public-jwk"
        case publicPEM = "public-pem"
    }

    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Turn a JWK into PEM, or PEM into a JWK.",
        discussion: """
            EXAMPLES
              openssl genpkey -algorithm ed25519 | \\
                  signet jwk convert --key - --to jwk --output key.json
              signet jwk convert --key key.json --to public-pem
              signet jwk convert --key theirs.pem --to jwk --algorithm RSA-OAEP-256
            """)

    @OptionGroup var key: KeyOption

    @Option(help: "jwk, pem, public-jwk or public-pem; jwk and pem include the private half.")
    var to: Form

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The kid to give a key that has none.", valueName: "kid"))
    var keyID: String?

    @Option(
        help: ArgumentHelp(
            "The alg to give a key that has none; one of encrypted tokens also gives use (enc).",
            valueName: "name"),
        completion: .list(KeyFile.nameableAlgorithmNames))
    var algorithm: String?

    @OptionGroup var destination: KeyOutputOptions

    func run() throws {
        try require(keyID != "", otherwise: "The kid is empty.", advice: "Leave --key-id out.")
        let file = try KeyFile.read(key.key)
        let jwk = try file.single().named(keyID, algorithm: algorithm)
        let keepsSecret = jwk.isPrivate && (to == .jwk || to == .pem)
        // If the output without the private half replaced the input, that half would be lost.
        try destination.check(keeping: keepsSecret || !jwk.isPrivate ? [] : [key.key])
        switch to {
        case .jwk where keepsSecret: try destination.file.write(jwk.exportPrivateJSON())
        case .pem where keepsSecret: try destination.file.write(jwk.exportPrivatePEM())
        case .jwk, .publicJWK: try write(jwk.publicJSON())
        case .pem, .publicPEM: try write(jwk.publicPEM())
        }
        try destination.report(jwk, isPrivate: keepsSecret)
    }

    private func write(_ text: String) throws {
        try destination.file.write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }
}
