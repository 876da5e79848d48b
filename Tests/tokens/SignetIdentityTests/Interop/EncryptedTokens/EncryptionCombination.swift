// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// One way to encrypt a token: how the content's key is sent, how the content is encrypted, and a
/// key of one kind or curve.
struct EncryptionCombination: Sendable, CustomStringConvertible {
    let algorithm: KeyManagementAlgorithm
    let content: ContentEncryptionAlgorithm
    private let keyName: String

    var description: String { "\(algorithm.name) \(content.name), key: \(keyName)" }

    /// All that Signet offers, 144 of them.
    static let all: [EncryptionCombination] = ContentEncryptionAlgorithm.allCases.flatMap {
        content in
        KeyManagementAlgorithm.allCases.flatMap { algorithm in
            keyNames(for: algorithm, content: content).map {
                EncryptionCombination(algorithm: algorithm, content: content, keyName: $0)
            }
        }
    }

    /// Whether Signet encrypts in this way too, and does not only decrypt.
    var isForBoth: Bool { algorithm != .rsaOAEP }

    private static func keyNames(
        for algorithm: KeyManagementAlgorithm, content: ContentEncryptionAlgorithm
    ) -> [String] {
        switch algorithm {
        case .direct: ["\(content.keyByteCount) bytes"]
        case .a128KW: ["16 bytes"]
        case .a192KW: ["24 bytes"]
        case .a256KW: ["32 bytes"]
        case .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW:
            ["P-256", "P-384", "P-521", "X25519"]
        case .rsaOAEP, .rsaOAEP256, .rsaOAEP384, .rsaOAEP512: ["RSA"]
        }
    }

    // MARK: Keys, made once

    private static let keys: Result<[String: JWK], any Error> = Result {
        var keys: [String: JWK] = [
            "RSA": JWK(material: .key(.rsaPrivate(try .generate())), keyID: nil),
            "P-256": JWK(material: .key(.ecPrivate(try .generate(curve: .p256))), keyID: nil),
            "P-384": JWK(material: .key(.ecPrivate(try .generate(curve: .p384))), keyID: nil),
            "P-521": JWK(material: .key(.ecPrivate(try .generate(curve: .p521))), keyID: nil),
            "X25519": JWK(material: .x25519Private(try .generate()), keyID: nil),
        ]
        for count in [16, 24, 32, 48, 64] {
            let secret = try SecretKey.generate(bitCount: count * 8)
            keys["\(count) bytes"] = JWK(material: .octets(secret), keyID: nil)
        }
        return keys
    }

    private func key() throws -> JWK {
        guard let key = try Self.keys.get()[keyName] else {
            throw Command.Failure(description: "no key \(keyName)")
        }
        return key
    }

    /// The key to decrypt with, as a JWK that names no algorithm.
    func privateJWK() throws -> String { Signet.text(try key().exportPrivateJSON()) }

    /// The key to encrypt with: the public half, or the shared key.
    func publicJWK() throws -> String {
        let key = try key()
        return key.keyType == "oct" ? try privateJWK() : try key.publicJSON()
    }

    // MARK: Signet

    /// A token of Signet's; nil where it only decrypts.
    func token(saying text: String) throws -> String? {
        guard isForBoth else { return nil }
        let receiver = try EncryptionKey(jwk: key(), algorithm: algorithm)
        return try JWEEncrypter(to: receiver, content: content).encrypt(text.utf8)
    }

    /// What Signet reads in a token.
    func text(in token: String) throws -> String {
        let own = try DecryptionKey(jwk: key(), algorithm: algorithm, content: [content])
        return String(decoding: try JWEDecrypter(key: own).decrypt(token).payload, as: UTF8.self)
    }
}
