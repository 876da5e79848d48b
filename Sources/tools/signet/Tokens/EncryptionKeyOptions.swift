// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE

/// The key of `signet jwe encrypt` and `signet jwe decrypt`.
struct EncryptionKeyOptions: ParsableArguments {
    @OptionGroup var key: KeyOption

    @Option(
        help: ArgumentHelp(
            "The token's alg, such as RSA-OAEP-256 for an RSA key and ECDH-ES+A256KW for EC and X25519. Needed if the key does not name it, and for RSA-OAEP.",
            valueName: "name"),
        completion: .list(KeyManagementAlgorithm.names))
    var algorithm: String?

    /// The path of the key.
    var path: String { key.key }

    /// The key to encrypt with. Call it when nothing else is wrong with the line.
    func encryptionKey() throws -> EncryptionKey {
        let algorithm = try self.algorithm.map(KeyManagementAlgorithm.named)
        return try EncryptionKey(jwk: KeyFile.read(path).single(), algorithm: algorithm)
    }

    /// The key to decrypt with. Call it when nothing else is wrong with the line.
    ///
    /// - Parameter content: the accepted content encryptions; empty for all that fit the key.
    func decryptionKey(content: [ContentEncryptionAlgorithm]) throws -> DecryptionKey {
        let algorithm = try self.algorithm.map(KeyManagementAlgorithm.named)
        return try DecryptionKey(
            jwk: KeyFile.read(path).single(), algorithm: algorithm,
            content: content.isEmpty ? nil : Set(content))
    }
}

extension KeyManagementAlgorithm {
    /// The algorithm of an option.
    static func named(_ name: String) throws -> KeyManagementAlgorithm {
        guard let algorithm = KeyManagementAlgorithm(name: name) else {
            throw CommandFailure.usage(
                "There is no algorithm \(shown: name) for encrypted tokens here.",
                advice: "One of: " + names.joined(separator: ", "))
        }
        return algorithm
    }
}

extension ContentEncryptionAlgorithm {
    static let names = allCases.map(\.name)

    /// The algorithm of an option.
    static func named(_ name: String) throws -> ContentEncryptionAlgorithm {
        guard let algorithm = ContentEncryptionAlgorithm(name: name) else {
            throw CommandFailure.usage(
                "There is no content encryption \(shown: name) here.",
                advice: "One of: " + names.joined(separator: ", "))
        }
        return algorithm
    }
}
