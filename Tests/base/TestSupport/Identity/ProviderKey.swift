// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
package import SignetJOSE
import Testing

/// A key of an issuer that the tests play: it signs anything, under any header.
package struct ProviderKey: Sendable, CustomTestStringConvertible {
    package var testDescription: String { keyID }
    package let keyID: String
    package let algorithm: SignatureAlgorithm
    package let verification: VerificationKey
    package let sign: @Sendable ([UInt8]) throws -> [UInt8]

    /// One for each algorithm, made once for all tests, since RSA keys are expensive.
    package static let rsa = made(.rs256, "rsa-1")
    package static let ec = made(.es256, "ec-1")
    /// Keys of someone else, under the honest ones' names.
    package static let foreignRSA = made(.rs256, "rsa-1")
    package static let foreignEC = made(.es256, "ec-1")

    package static func key(_ algorithm: SignatureAlgorithm) -> ProviderKey {
        switch algorithm {
        case .rs256: rsa
        case .es256: ec
        default: made(algorithm, "key-\(algorithm.name)")
        }
    }

    /// A key pair for the algorithm; a failure here is the machine's, and every test that uses it
    /// reports it.
    package static func made(_ algorithm: SignatureAlgorithm, _ keyID: String) -> ProviderKey {
        do {
            return try ProviderKey(algorithm, keyID)
        } catch {
            return ProviderKey.broken
        }
    }

    package init(_ algorithm: SignatureAlgorithm, _ keyID: String) throws {
        let material: JWKMaterial
        switch algorithm.family {
        case .rsa(let scheme, let hash):
            let key = try RSAPrivateKey.generate()
            material = .key(.rsaPrivate(key))
            sign = { try key.signature(for: $0, scheme: scheme, hash: hash) }
        case .ec(let curve, let hash):
            let key = try ECPrivateKey.generate(curve: curve)
            material = .key(.ecPrivate(key))
            sign = { try key.signature(for: $0, hash: hash) }
        case .ed25519:
            let key = try Ed25519PrivateKey.generate()
            material = .key(.ed25519Private(key))
            sign = { try key.signature(for: $0) }
        }
        self.keyID = keyID
        self.algorithm = algorithm
        verification = try VerificationKey(
            jwk: JWK(material: material, keyID: keyID, use: "sig", algorithm: algorithm.name))
    }

    private init(_ other: VerificationKey) {
        keyID = ""
        algorithm = .rs256
        verification = other
        sign = { _ in throw Broken() }
    }

    struct Broken: Error {}

    private static var broken: ProviderKey { ProviderKey(made(.ed25519, "").verification) }

    /// The key set with this key alone.
    package var set: KeySet { KeySet([verification]) }

    /// The header that an honest issuer writes.
    package var header: String { #"{"alg":"\#(algorithm.name)","kid":"\#(keyID)","typ":"JWT"}"# }

    /// A token with any header and any payload, under a good signature.
    package func token(_ payload: String, header: String? = nil) throws -> String {
        let input =
            Base64URL.encode((header ?? self.header).utf8) + "." + Base64URL.encode(payload.utf8)
        return try input + "." + Base64URL.encode(sign(Array(input.utf8)))
    }
}
