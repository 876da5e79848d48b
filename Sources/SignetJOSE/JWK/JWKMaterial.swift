// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

/// What a JWK holds, once it has been checked.
package enum JWKMaterial: Sendable {
    case octets(SecretKey)
    case rsaPublic(RSAPublicKey)
    case rsaPrivate(RSAPrivateKey)
    case ecPublic(ECPublicKey)
    case ecPrivate(ECPrivateKey)
    case ed25519Public(Ed25519PublicKey)
    case ed25519Private(Ed25519PrivateKey)

    var isPrivate: Bool {
        switch self {
        case .octets, .rsaPrivate, .ecPrivate, .ed25519Private: true
        case .rsaPublic, .ecPublic, .ed25519Public: false
        }
    }

    /// The public half; nil for a symmetric key, which has none.
    var publicHalf: JWKMaterial? {
        switch self {
        case .octets: nil
        case .rsaPublic, .ecPublic, .ed25519Public: self
        case .rsaPrivate(let key): .rsaPublic(key.publicKey)
        case .ecPrivate(let key): .ecPublic(key.publicKey)
        case .ed25519Private(let key): .ed25519Public(key.publicKey)
        }
    }

    /// The value of `kty`.
    var keyType: String {
        switch self {
        case .octets: "oct"
        case .rsaPublic, .rsaPrivate: "RSA"
        case .ecPublic, .ecPrivate: "EC"
        case .ed25519Public, .ed25519Private: "OKP"
        }
    }

    /// The one algorithm that the key can be used with, where there is one.
    var impliedAlgorithm: SignatureAlgorithm? {
        switch self {
        case .octets, .rsaPublic, .rsaPrivate: nil
        case .ecPublic(let key): .implied(by: key.curve)
        case .ecPrivate(let key): .implied(by: key.publicKey.curve)
        case .ed25519Public, .ed25519Private: .edDSA
        }
    }

    /// Whether `algorithm` goes with this kind of key and curve.
    func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        switch (self, algorithm.family) {
        case (.rsaPublic, .rsa), (.rsaPrivate, .rsa), (.ed25519Public, .ed25519),
            (.ed25519Private, .ed25519):
            true
        case (.ecPublic(let key), .ec(let curve, _)): key.curve == curve
        case (.ecPrivate(let key), .ec(let curve, _)): key.publicKey.curve == curve
        default: false
        }
    }
}
