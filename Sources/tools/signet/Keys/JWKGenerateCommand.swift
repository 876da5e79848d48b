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
              signet jwk generate --algorithm ES256 --output key.json --public jwks.json
              signet jwk generate --algorithm RS256 --bits 3072 --pem --output key.pem
              signet jwk generate --algorithm HS256 --output secret.json
              signet jwk generate --algorithm ECDH-ES+A256KW --output decrypt.json
            """)

    @Option(
        help: ArgumentHelp(
            "HS256, HS384, HS512, RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA or Ed25519; for encrypted tokens an alg of 'signet jwe', but for RSA-OAEP.",
            valueName: "name"), completion: .list(generatedNames))
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
    @OptionGroup var publicHalf: PublicHalfOption

    /// RSA-OAEP with SHA-1 is for keys that exist.
    private static let generatedNames = KeyFile.nameableAlgorithmNames.filter {
        $0 != KeyManagementAlgorithm.rsaOAEP.name
    }

    private var encryption: KeyManagementAlgorithm? { KeyManagementAlgorithm(name: algorithm) }

    private var isSymmetric: Bool {
        HMACAlgorithm(name: algorithm) != nil || encryption?.isSymmetric == true
    }

    func run() throws {
        try check()
        try destination.check()
        try publicHalf.check(besides: destination, isSymmetric: isSymmetric)
        if let hmac = HMACAlgorithm(name: algorithm) {
            let key = try HMACKey.generate(hmac, keyID: keyID)
            let secret = try key.exportPrivateJSON()
            try destination.file.write(secret)
            let written = try secret.withExposedBytes { span in
                try JWK(span.indices.map { span[$0] })
            }
            return try destination.report(written, isPrivate: true)
        }
        if let encryption {
            // The set names a private key by its thumbprint.
            let set = try DecryptionKeySet(current: .generate(encryption, keyID: keyID))
            let written = try JWK(set.current.exportPrivateJSON())
            try destination.file.write(
                pem ? try written.exportPrivatePEM() : try written.exportPrivateJSON())
            return try finish(written)
        }
        guard let signature = try KeyFile.signature(algorithm) else { return }
        let key = try SigningKey.generate(signature, keyID: keyID, rsaBitCount: bits ?? 2048)
        try destination.file.write(pem ? try key.exportPrivatePEM() : try key.exportPrivateJSON())
        try finish(key.verificationKey.jwk)
    }

    /// Writes the public half of a key that has been written, and reports it.
    private func finish(_ key: JWK) throws {
        if !isSymmetric { try publicHalf.write(key, isPEM: pem, besides: destination) }
        try destination.report(key, isPrivate: true, publicHalf: publicHalf.path)
    }

    private func check() throws {
        guard Self.generatedNames.contains(algorithm) else {
            throw KeyFile.unknown(algorithm, among: Self.generatedNames)
        }
        if let bits {
            try require(
                encryption == nil && ["RS", "PS"].contains(algorithm.prefix(2)),
                otherwise:
                    "--bits is for RSA keys that sign; the others have their size by their algorithm."
            )
            try require(
                RSAPublicKey.bitCounts.contains(bits) && bits.isMultiple(of: 256),
                otherwise:
                    "--bits is \(bits) instead of a multiple of 256 from 2048 to 8192.")
        }
        try require(
            !pem || !isSymmetric, otherwise: "A symmetric key has no PEM form.",
            advice: "Leave --pem out.")
        try require(keyID != "", otherwise: "The kid is empty.", advice: "Leave --key-id out.")
        try require(
            !pem || keyID == nil, otherwise: "PEM has no place for a kid.",
            advice: "Leave --key-id or --pem out.")
    }
}
