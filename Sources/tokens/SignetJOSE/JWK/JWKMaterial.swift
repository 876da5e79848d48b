// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

/// The checked content of a JWK.
package enum JWKMaterial: Sendable {
    case octets(SecretKey)
    case key(AsymmetricKey)

    var isPrivate: Bool {
        switch self {
        case .octets: true
        case .key(let key): key.isPrivate
        }
    }

    /// The public half; nil for a symmetric key.
    var publicHalf: AsymmetricKey? {
        switch self {
        case .octets: nil
        case .key(let key): key.publicHalf
        }
    }

    /// The value of `kty`.
    var keyType: String {
        switch publicHalf {
        case .rsaPublic: "RSA"
        case .ecPublic: "EC"
        case .ed25519Public: "OKP"
        default: "oct"
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
