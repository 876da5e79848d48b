// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// `signet jwt …`: tokens with claims.
struct JWTCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwt", abstract: "Sign, verify and look at JSON Web Tokens (RFC 7519).",
        subcommands: [JWTSignCommand.self, JWTVerifyCommand.self, JWTInspectCommand.self])
}

/// `signet jwt sign`
struct JWTSignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign claims; print the token.",
        discussion: """
            The claims are a JSON object in a file or on standard input. --lifetime adds iat and exp; without it the \
            claims must hold exp.

            EXAMPLES
              echo '{"iss":"https://idp.example","aud":"api","sub":"u1"}' | signet jwt sign --key key.json --lifetime 300
              signet jwt sign --key secret.json --claims claims.json --type at+jwt
            """)

    @OptionGroup var key: KeyOption
    @OptionGroup var algorithm: AlgorithmOption

    @Option(name: .long, help: ArgumentHelp("The claims; standard input without it.", valueName: "file"))
    var claims: String?

    @Option(name: .long, help: ArgumentHelp("Seconds until the token expires.", valueName: "seconds"))
    var lifetime: Int64?

    @Option(name: .long, help: ArgumentHelp("The header's typ.", valueName: "media type"))
    var type = "JWT"

    func run() throws {
        try failing {
            let jwk = try KeyFile.read(key.key).single()
            let bytes = try Input.bytes(claims, maximumByteCount: 262_144)
            let value = try Self.claims(bytes)
            let signer: TokenSigner
            if jwk.keyType == "oct" {
                let secret = try HMACKey(jwk: jwk, algorithm: KeyFile.hmac(algorithm.algorithm))
                signer = try TokenSigner(hmacKey: secret, type: type)
            } else {
                signer = TokenSigner(
                    key: try SigningKey(jwk: jwk, algorithm: KeyFile.signature(algorithm.algorithm)),
                    type: type)
            }
            if let lifetime {
                Output.line(try signer.sign(value, lifetime: .seconds(lifetime)))
            } else {
                Output.line(try signer.sign(value))
            }
        }
    }
}

extension JWTSignCommand {
    fileprivate static func claims(_ bytes: [UInt8]) throws -> JSONValue {
        do throws(JSONError) {
            let document = try JSONDocument(bytes)
            return try JSONValue(document.root)
        } catch {
            throw CommandFailure.refused(
                "malformed", "The claims are not strict JSON (\(error.code.rawValue)).",
                advice: "Give one JSON object without repeated members.")
        }
    }
}

/// `signet jwt verify`
struct JWTVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a token and its claims; print the claims only if all is good.",
        discussion: """
            Issuer and audience are checked unless you say by name that they are not.

            EXAMPLES
              signet jwt verify --key jwks.json --issuer https://idp.example --audience api "$TOKEN"
              signet jwt verify --key key.pem --algorithm RS256 --any-issuer --any-audience --json < token
            """)

    @OptionGroup var key: KeyOption
    @OptionGroup var algorithm: AlgorithmOption

    @Option(
        name: .long,
        help: ArgumentHelp("The issuer that iss must equal; may be repeated.", valueName: "issuer"))
    var issuer: [String] = []

    @Flag(name: .long, help: "Do not check the issuer.")
    var anyIssuer = false

    @Option(
        name: .long,
        help: ArgumentHelp("An audience that aud may hold; may be repeated.", valueName: "audience"))
    var audience: [String] = []

    @Flag(name: .long, help: "Do not check the audience.")
    var anyAudience = false

    @Option(
        name: .long, help: ArgumentHelp("The header's typ; without it JWT or none.", valueName: "media type"))
    var type: String?

    @Option(
        name: .long, help: ArgumentHelp("Seconds that clocks may differ, 0 to 300.", valueName: "seconds"))
    var leeway: Int64 = 30

    @Option(
        name: .customLong("max-age"), help: ArgumentHelp("Seconds since iat at most.", valueName: "seconds"))
    var maximumAge: Int64?

    @Flag(name: .long, help: "Accept a token that never expires.")
    var allowMissingExpiration = false

    @Option(
        name: .long,
        help: ArgumentHelp("Verify as if it were this time (seconds since 1970).", valueName: "time"))
    var at: Int64?

    @Flag(name: .long, help: "Print a JSON object: valid, header, claims, or the error.")
    var json = false

    @Argument(help: "The token; standard input without it.")
    var token: String?

    func run() throws {
        let verifier = try KeyFile.read(key.key).tokenVerifier(
            algorithm: algorithm.algorithm, policy: policy())
        let compact = try Input.token(token)
        do throws(TokenError) {
            let verified = try verifier.verify(compact, as: JSONValue.self)
            guard json else {
                return Output.line(String(decoding: verified.registered.root.rawBytes, as: UTF8.self))
            }
            var members: [String: JSONValue] = [
                "valid": .bool(true), "header": JSONOutput.header(verified.header), "claims": verified.claims,
            ]
            if let keyID = verified.keyID { members["keyID"] = .string(keyID) }
            Output.line(JSONOutput.line(members))
        } catch {
            if json { Output.line(JSONOutput.refusal(CommandFailure(error), claim: error.claim)) }
            throw CommandFailure(error)
        }
    }

    private func policy() throws -> TokenPolicy {
        guard issuer.isEmpty == anyIssuer else {
            throw CommandFailure.usage(
                "Say which issuer to trust, and only that way.", advice: "--issuer https://… or --any-issuer")
        }
        guard audience.isEmpty == anyAudience else {
            throw CommandFailure.usage(
                "Say for whom the token must have been made, and only that way.",
                advice: "--audience … or --any-audience")
        }
        let clock = at.map { TokenClock.fixed(secondsSince1970: Double($0)) } ?? .system
        return try failing {
            try TokenPolicy(
                issuer: anyIssuer ? .notChecked : .anyOf(issuer),
                audience: anyAudience ? .notChecked : .anyOf(audience),
                type: type.map { .exactly($0) } ?? .jwt,
                expiration: allowMissingExpiration ? .optional : .required,
                leeway: .seconds(leeway), maximumAge: maximumAge.map { .seconds($0) },
                maximumTokenByteCount: 262_144, clock: clock)
        }
    }
}

/// `signet jwt inspect`
struct JWTInspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a token says, WITHOUT verifying any of it.",
        discussion: """
            For finding out why a token is refused. Anybody can write such a token: believe nothing of it.
            """)

    @Flag(name: .long, help: "Print a JSON object.")
    var json = false

    @Argument(help: "The token; standard input without it.")
    var token: String?

    func run() throws {
        try failing {
            let compact = try Input.token(token)
            // The strict readers first: what they refuse is not shown.
            _ = try UnverifiedToken(compact, maximumByteCount: 262_144)
            let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3 else { throw Self.unreadable }
            let header = try Self.decoded(parts[0])
            let claims = try Self.decoded(parts[1])
            if json {
                let members = [
                    "verified": JSONValue.bool(false), "header": try Self.value(header),
                    "unverifiedClaims": try Self.value(claims),
                ]
                return Output.line(JSONOutput.line(members))
            }
            Output.line("NOT VERIFIED: anybody can write this.")
            Output.line("header: " + String(decoding: header, as: UTF8.self))
            Output.line("claims: " + String(decoding: claims, as: UTF8.self))
        }
    }

    private static var unreadable: CommandFailure { .refused("malformed", "The token cannot be read.") }

    private static func decoded(_ part: Substring) throws -> [UInt8] {
        guard let bytes = try? Base64URL.decode(part) else { throw unreadable }
        return bytes
    }

    private static func value(_ bytes: [UInt8]) throws -> JSONValue {
        guard let document = try? JSONDocument(bytes), let value = try? JSONValue(document.root) else {
            throw unreadable
        }
        return value
    }
}
