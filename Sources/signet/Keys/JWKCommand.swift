// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCrypto
internal import SignetJOSE

/// `signet jwk …`: keys.
struct JWKCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwk", abstract: "Make, convert and identify keys (JWK and PEM).",
        subcommands: [
            JWKGenerateCommand.self, JWKPublicCommand.self, JWKThumbprintCommand.self, JWKConvertCommand.self,
        ])
}

/// The key file that most commands take.
struct KeyOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with a JWK, a JWK set or PEM; - for standard input, /dev/fd/N for a descriptor.",
            valueName: "file"))
    var key: String
}

/// How and where a key is written.
struct KeyOutputOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write to this file, readable by you alone, instead of standard output.", valueName: "file"))
    var output: String?

    @Flag(name: .long, help: "Replace the output file if it is there.")
    var force = false
}

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
            valueName: "name"))
    var algorithm = "ES256"

    @Option(name: .long, help: ArgumentHelp("Bits of an RSA key: 2048 to 8192.", valueName: "count"))
    var bits = 2048

    @Option(
        name: .customLong("key-id"),
        help: ArgumentHelp(
            "The key's kid. Without it the thumbprint (RFC 7638); none for HMAC.", valueName: "kid"))
    var keyID: String?

    @Flag(name: .long, help: "Write PKCS#8 PEM instead of a JWK.")
    var pem = false

    @OptionGroup var destination: KeyOutputOptions

    func run() throws {
        try failing {
            if let hmac = HMACAlgorithm(name: algorithm) {
                guard !pem else { throw CommandFailure.usage("A symmetric key has no PEM form.") }
                let secret = try HMACKey.generate(hmac, keyID: keyID).exportPrivateJSON()
                return try SecretOutput.write(secret, to: destination.output, overwrite: destination.force)
            }
            guard let signature = try KeyFile.signature(algorithm) else { return }
            let key = try SigningKey.generate(signature, keyID: keyID, rsaBitCount: bits)
            let secret = pem ? try key.exportPrivatePEM() : try key.exportPrivateJSON()
            try SecretOutput.write(secret, to: destination.output, overwrite: destination.force)
        }
    }
}

/// `signet jwk public`
struct JWKPublicCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "public", abstract: "Print the public half of a key, as a JWK set to be published.",
        discussion: """
            EXAMPLES
              signet jwk public --key key.json > jwks.json
              signet jwk public --key key.pem --single
            """)

    @OptionGroup var key: KeyOption

    @Flag(name: .long, help: "Print the one JWK by itself, not in a set.")
    var single = false

    func run() throws {
        try failing {
            let file = try KeyFile.read(key.key)
            if single { return Output.line(try file.single().publicJSON()) }
            switch file {
            case .one(let jwk): Output.line("{\"keys\":[" + (try jwk.publicJSON()) + "]}")
            case .set(let bytes, _):
                let set = try KeySet(jwks: bytes)
                for skipped in set.skipped { Output.errorLine("signet: left out \(skipped)") }
                Output.line(try set.jwksJSON())
            }
        }
    }
}

/// `signet jwk thumbprint`
struct JWKThumbprintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbprint", abstract: "Print a key's SHA-256 thumbprint (RFC 7638).")

    @OptionGroup var key: KeyOption

    @Flag(name: .long, help: "Print it as a URI (RFC 9278).")
    var uri = false

    @Flag(name: .long, help: "Print a JSON object.")
    var json = false

    func run() throws {
        try failing {
            let jwk = try KeyFile.read(key.key).single()
            let thumbprint = try jwk.thumbprint()
            if json {
                Output.line(
                    JSONOutput.line([
                        "thumbprint": .string(thumbprint), "uri": .string(try jwk.thumbprintURI()),
                        "kty": .string(jwk.keyType),
                    ]))
            } else {
                Output.line(uri ? try jwk.thumbprintURI() : thumbprint)
            }
        }
    }
}

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
              openssl genpkey -algorithm ed25519 | signet jwk convert --key - --to jwk --output key.json
              signet jwk convert --key key.json --to public-pem
            """)

    @OptionGroup var key: KeyOption

    @Option(name: .long, help: "jwk, pem, public-jwk or public-pem; jwk and pem include the private half.")
    var to: Form

    @Option(
        name: .customLong("key-id"),
        help: ArgumentHelp("The kid to give a key that has none.", valueName: "kid"))
    var keyID: String?

    @OptionGroup var destination: KeyOutputOptions

    func run() throws {
        try failing {
            let jwk = try KeyFile.read(key.key).single().named(keyID)
            switch to {
            case .publicJWK: try write(jwk.publicJSON())
            case .publicPEM: try write(jwk.publicPEM())
            case .jwk:
                guard jwk.isPrivate else { return try write(jwk.publicJSON()) }
                try SecretOutput.write(
                    jwk.exportPrivateJSON(), to: destination.output, overwrite: destination.force)
            case .pem:
                guard jwk.isPrivate else { return try write(jwk.publicPEM()) }
                try SecretOutput.write(
                    jwk.exportPrivatePEM(), to: destination.output, overwrite: destination.force)
            }
        }
    }

    private func write(_ text: String) throws {
        let line = text.hasSuffix("\n") ? text : text + "\n"
        try SecretOutput.write(Array(line.utf8), to: destination.output, overwrite: destination.force)
    }
}

extension JWK {
    /// The same key with a `kid`, unless it has one.
    fileprivate func named(_ keyID: String?) -> JWK {
        guard let keyID, self.keyID == nil else { return self }
        return JWK(
            material: material, keyID: keyID, use: use, keyOperations: keyOperations, algorithm: algorithm)
    }
}
