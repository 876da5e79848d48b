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
        help: ArgumentHelp(
            "HS256, HS384, HS512, RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA or Ed25519.",
            valueName: "name"), completion: .list(KeyFile.algorithmNames))
    var algorithm = "ES256"

    @Option(
        help: ArgumentHelp(
            "Bits of an RSA key: 2048 to 8192, a multiple of 256. (default: 2048)",
            valueName: "count"))
    var bits: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The key's kid. Without it the thumbprint (RFC 7638); none for HMAC.", valueName: "kid")
    )
    var keyID: String?

    @Flag(help: "Write PKCS#8 PEM instead of a JWK; it has no place for a kid.")
    var pem = false

    @OptionGroup var destination: KeyOutputOptions

    func run() throws {
        try check()
        try destination.check()
        if let hmac = HMACAlgorithm(name: algorithm) {
            let key = try HMACKey.generate(hmac, keyID: keyID)
            let secret = try key.exportPrivateJSON()
            try destination.file.write(secret)
            let written = try secret.withExposedBytes { span in
                try JWK(span.indices.map { span[$0] })
            }
            return try destination.report(written, isPrivate: true)
        }
        guard let signature = try KeyFile.signature(algorithm) else { return }
        let key = try SigningKey.generate(signature, keyID: keyID, rsaBitCount: bits ?? 2048)
        try destination.file.write(pem ? try key.exportPrivatePEM() : try key.exportPrivateJSON())
        try destination.report(key.verificationKey.jwk, isPrivate: true)
    }

    private func check() throws {
        guard KeyFile.algorithmNames.contains(algorithm) else { throw KeyFile.unknown(algorithm) }
        if let bits {
            try require(
                ["RS", "PS"].contains(algorithm.prefix(2)),
                otherwise: "--bits is for RSA keys; the others have their size by their algorithm.")
            try require(
                RSAPublicKey.bitCounts.contains(bits) && bits.isMultiple(of: 256),
                otherwise:
                    "--bits is \(bits) instead of a multiple of 256 from 2048 to 8192.")
        }
        try require(
            !pem || HMACAlgorithm(name: algorithm) == nil,
            otherwise: "A symmetric key has no PEM form.",
            advice: "Leave --pem out.")
        try require(keyID != "", otherwise: "The kid is empty.", advice: "Leave --key-id out.")
        try require(
            !pem || keyID == nil, otherwise: "PEM has no place for a kid.",
            advice: "Leave --key-id or --pem out.")
    }
}
