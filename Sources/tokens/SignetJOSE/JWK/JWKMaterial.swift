// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

/// The checked content of a JWK.
package enum JWKMaterial: Sendable {
    case octets(SecretKey)
    /// Signs or verifies, or takes part in ECDH or RSA-OAEP.
    case key(AsymmetricKey)
    /// Takes part in ECDH only.
    case x25519Public(X25519PublicKey)
    case x25519Private(X25519PrivateKey)

    var isPrivate: Bool {
        switch self {
        case .octets, .x25519Private: true
        case .x25519Public: false
        case .key(let key): key.isPrivate
        }
    }

    /// Without the private half; nil for a symmetric key.
    var publicPart: JWKMaterial? {
        switch self {
        case .octets: nil
        case .key(let key): .key(key.publicHalf)
        case .x25519Public: self
        case .x25519Private(let key): .x25519Public(key.publicKey)
        }
    }

    /// The public half of a key that can verify; nil for all others.
    var publicHalf: AsymmetricKey? {
        switch self {
        case .octets, .x25519Public, .x25519Private: nil
        case .key(let key): key.publicHalf
        }
    }

    /// The value of `kty`.
    var keyType: String {
        switch self {
        case .octets: "oct"
        case .key(.rsaPublic), .key(.rsaPrivate): "RSA"
        case .key(.ecPublic), .key(.ecPrivate): "EC"
        case .key(.ed25519Public), .key(.ed25519Private), .x25519Public, .x25519Private: "OKP"
        }
    }

    /// The only algorithm for this key; nil if there are several.
    var impliedAlgorithm: SignatureAlgorithm? {
        switch publicHalf {
        case .ecPublic(let key): .implied(by: key.curve)
        case .ed25519Public: .edDSA
        default: nil
        }
    }

    /// Whether `algorithm` fits this kind of key and curve.
    func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        switch (publicHalf, algorithm.family) {
        case (.rsaPublic, .rsa), (.ed25519Public, .ed25519): true
        case (.ecPublic(let key), .ec(let curve, _)): key.curve == curve
        default: false
        }
    }
}
