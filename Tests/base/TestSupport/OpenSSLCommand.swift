// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
package import Testing

/// The `openssl` command, which makes the keys that Signet must refuse.
package enum OpenSSLCommand {
    package static let path: String? = [
        "/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/openssl/bin/openssl",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
    /// Whether its absence is a failure.
    package static var isRequired: Bool {
        ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"
    }

    fileprivate static let absence = "the openssl command is not here (Debian: package openssl)"

    package struct Failure: Error {
        package let arguments: [String]
        package let status: Int32
        package let text: String
    }

    /// What the command wrote to its standard output, or nil, with a printed message, when there is no such command
    /// and SIGNET_REQUIRE_INTEROP does not ask for it.
    package static func output(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8]? {
        guard let path else {
            guard !isRequired else {
                throw Failure(arguments: arguments, status: -1, text: absence)
            }
            print(
                "skipped: no openssl command on this machine (openssl \(arguments.joined(separator: " ")))"
            )
            return nil
        }
        let outcome = try ChildProgram.run(path, arguments, input: input)
        guard outcome.status == 0 else {
            throw Failure(
                arguments: arguments, status: outcome.status, text: outcome.complaint)
        }
        return outcome.output
    }

    /// A new private key in DER (PrivateKeyInfo), or nil, with a printed message, when this build of the command
    /// has no such algorithm or curve.
    package static func privateKey(_ algorithm: String, _ options: [String] = []) throws -> [UInt8]?
    {
        // With -outform DER, genpkey writes the traditional structure of the kind instead.
        do {
            let pem = try output(
                ["genpkey", "-algorithm", algorithm] + options.flatMap { ["-pkeyopt", $0] })
            return try pem.flatMap { try privateKeyInfo(ofPEM: $0) }
        } catch let failure as Failure {
            print("skipped: openssl made no key \(algorithm) \(options): \(failure.text)")
            return nil
        }
    }

    /// PrivateKeyInfo of a private key in PEM.
    package static func privateKeyInfo(ofPEM pem: [UInt8]) throws -> [UInt8]? {
        try output(["pkcs8", "-topk8", "-nocrypt", "-outform", "DER"], input: pem)
    }

    /// SubjectPublicKeyInfo of a private key in DER.
    package static func publicKey(of privateKey: [UInt8]) throws -> [UInt8]? {
        try output(["pkey", "-inform", "DER", "-pubout", "-outform", "DER"], input: privateKey)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips, with a message, if there is no `openssl` command, unless SIGNET_REQUIRE_INTEROP asks for it.
    package static var needsOpenSSL: Self {
        .enabled(
            if: OpenSSLCommand.path != nil || OpenSSLCommand.isRequired,
            Comment(rawValue: OpenSSLCommand.absence))
    }
}
