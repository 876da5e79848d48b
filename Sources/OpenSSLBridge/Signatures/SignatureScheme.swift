// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// What a key is asked to compute: the whole of it, so that nothing is left to a default of libcrypto.
package enum SignatureScheme: Sendable, Equatable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2).
    case rsaPKCS1(DigestAlgorithm)
    /// RSASSA-PSS (RFC 8017, section 8.1) with MGF1 over the same hash and a salt of the hash's length.
    case rsaPSS(DigestAlgorithm)
    /// ECDSA (FIPS 186-5) with r‖s of fixed length.
    case ecdsa(NamedCurve, DigestAlgorithm)
    /// Ed25519 (RFC 8032), pure.
    case ed25519

    /// The kind of key that it goes with.
    var keyKind: KeyHandle.Kind {
        switch self {
        case .rsaPKCS1, .rsaPSS: .rsa
        case .ecdsa(let curve, _): .ec(curve)
        case .ed25519: .ed25519
        }
    }

    /// The hash of the message; Ed25519 takes the message itself.
    var hash: DigestAlgorithm? {
        switch self {
        case .rsaPKCS1(let hash), .rsaPSS(let hash), .ecdsa(_, let hash): hash
        case .ed25519: nil
        }
    }

    /// How long each signature of `key` is, which also refuses a key of another kind.
    func signatureByteCount(for key: KeyHandle) throws(OpenSSLFailure) -> Int {
        switch self {
        case .rsaPKCS1, .rsaPSS:
            guard unsafe EVP_PKEY_is_a(key.pointer, "RSA") == 1 else {
                throw OpenSSLFailure(.refused, "key type")
            }
            return (Int(unsafe EVP_PKEY_get_bits(key.pointer)) + 7) / 8
        case .ecdsa(let curve, _):
            guard try key.curve() == curve else { throw OpenSSLFailure(.refused, "key type") }
            return 2 * curve.coordinateByteCount
        case .ed25519:
            guard unsafe EVP_PKEY_is_a(key.pointer, "ED25519") == 1 else {
                throw OpenSSLFailure(.refused, "key type")
            }
            return 64
        }
    }
}
