// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCrypto
internal import SignetJOSE

/// `signet jwk generate`
struct JWKGenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Make a new key.",
        discussion: """
            EXAMPLES
              signet jwk generate --algorithm ES256 --output key.json
              signet jwk generate --algorithm RS256 --bits 3072 --pem --output key.pem
              signet jwk generate --algorithm HS256 --output secret.json
            """)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "HS256, HS384, HS512, RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA or Ed25519.",
            valueName: "name"),
        completion: .list(KeyFile.algorithmNames))
    var algorithm = "ES256"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Bits of an RSA key: 2048 to 8192, a multiple of 256. (default: 2048)",
            valueName: "count"))
    var bits: Int?

    @Option(
        name: .customLong("key-id"), parsing: .unconditional,
        help: ArgumentHelp(
            "The key's kid. Without it the thumbprint (RFC 7638); none for HMAC.", valueName: "kid")
    )
    var keyID: String?

    @Flag(name: .long, help: "Write PKCS#8 PEM instead of a JWK; it has no place for a kid.")
    var pem = false

    @OptionGroup var destination: KeyOutputOptions

    func run() throws {
        try failing {
            try check()
            try destination.check()
            if let hmac = HMACAlgorithm(name: algorithm) {
                let key = try HMACKey.generate(hmac, keyID: keyID)
                let secret = try key.exportPrivateJSON()
                try destination.file.write(secret)
                let written = try secret.withExposedBytes { try JWK(Self.copy($0)) }
                return try destination.report(written, isPrivate: true)
            }
            guard let signature = try KeyFile.signature(algorithm) else { return }
            let key = try SigningKey.generate(signature, keyID: keyID, rsaBitCount: bits ?? 2048)
            try destination.file.write(
                pem ? try key.exportPrivatePEM() : try key.exportPrivateJSON())
            try destination.report(key.verificationKey.jwk, isPrivate: true)
        }
    }

    private func check() throws {
        guard KeyFile.algorithmNames.contains(algorithm) else { throw KeyFile.unknown(algorithm) }
        if let bits {
            guard ["RS", "PS"].contains(algorithm.prefix(2)) else {
                throw CommandFailure.usage(
                    "--bits is for RSA keys; the others have their size by their algorithm.")
            }
            guard (2048...8192).contains(bits), bits.isMultiple(of: 256) else {
                throw CommandFailure.usage("An RSA key has 2048 to 8192 bits, a multiple of 256.")
            }
        }
        guard !pem || HMACAlgorithm(name: algorithm) == nil else {
            throw CommandFailure.usage(
                "A symmetric key has no PEM form.", advice: "Leave --pem out.")
        }
        guard keyID != "" else {
            throw CommandFailure.usage("The kid is empty.", advice: "Leave --key-id out.")
        }
        guard !pem || keyID == nil else {
            throw CommandFailure.usage(
                "PEM has no place for a kid.", advice: "Leave --key-id or --pem out.")
        }
    }

    private static func copy(_ span: Span<UInt8>) -> [UInt8] { span.indices.map { span[$0] } }
}
