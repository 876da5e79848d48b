// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The openssl command, asked to make keys, to sign and to verify.
struct OpenSSLCommand {
    static let command = Command.find("openssl")
    static var isAvailable: Bool { command != nil }
    static let absence = "the openssl command is not here (Debian: package openssl)"

    private let command: Command
    private let folder: TemporaryFolder

    init() throws {
        guard let command = Self.command else { throw Command.Failure(description: Self.absence) }
        self.command = command
        folder = try TemporaryFolder()
    }

    @discardableResult
    func callAsFunction(_ arguments: String..., input: Data = Data()) throws -> String {
        String(decoding: try command.run(arguments, input: input), as: UTF8.self)
    }

    /// Writes a file for the command to read.
    func file(_ name: String, _ content: String) throws -> String {
        try file(name, Data(content.utf8))
    }

    func file(_ name: String, _ content: Data) throws -> String {
        try folder.file(name, content).path
    }

    // MARK: Keys

    /// A new private key in PKCS#8.
    func generate(_ algorithm: String) throws -> String {
        switch algorithm {
        case "ES256": try self("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
        case "ES384": try self("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384")
        case "ES512": try self("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521")
        case "EdDSA": try self("genpkey", "-algorithm", "ED25519")
        default: try self("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        }
    }

    /// The public half in SubjectPublicKeyInfo.
    func publicKey(_ privateKey: String) throws -> String {
        try self("pkey", "-pubout", input: Data(privateKey.utf8))
    }

    // MARK: Signatures, as JWS writes them

    func sign(_ message: String, _ privateKey: String, _ algorithm: String) throws -> Data {
        let key = try file("private.pem", privateKey)
        let input = try file("message", message)
        let output = try file("signature", "")
        if algorithm == "EdDSA" {
            try self("pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", input, "-out", output)
        } else {
            try command.run(
                ["dgst", Self.hash(algorithm)] + Self.padding(algorithm) + [
                    "-sign", key, "-out", output, input,
                ])
        }
        let signature = try Data(contentsOf: URL(fileURLWithPath: output))
        guard let width = Self.coordinateByteCount(algorithm) else { return signature }
        return try ECDSADER.raw(signature, coordinateByteCount: width)
    }

    func isValid(_ signature: Data, for message: String, _ publicKey: String, _ algorithm: String)
        throws
        -> Bool
    {
        let key = try file("public.pem", publicKey)
        let input = try file("message", message)
        let wire = Self.coordinateByteCount(algorithm) == nil ? signature : ECDSADER.der(signature)
        let signed = try file("signature", wire)
        let arguments =
            algorithm == "EdDSA"
            ? [
                "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", key, "-sigfile", signed, "-in",
                input,
            ]
            : ["dgst", Self.hash(algorithm)] + Self.padding(algorithm) + [
                "-verify", key, "-signature", signed, input,
            ]
        return try command.outcome(of: arguments).status == 0
    }

    func authenticationCode(_ message: String, keyInHex: String, _ algorithm: String) throws -> Data
    {
        let input = try file("message", message)
        return try command.run(
            [
                "dgst", Self.hash(algorithm), "-mac", "HMAC", "-macopt", "hexkey:\(keyInHex)",
                "-binary", input,
            ])
    }

    private static func hash(_ algorithm: String) -> String { "-sha\(algorithm.suffix(3))" }

    private static func padding(_ algorithm: String) -> [String] {
        algorithm.hasPrefix("PS")
            ? ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"] : []
    }

    private static func coordinateByteCount(_ algorithm: String) -> Int? {
        ["ES256": 32, "ES384": 48, "ES512": 66][algorithm]
    }
}
