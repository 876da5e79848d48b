// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

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
}
