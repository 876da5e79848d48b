// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// A key of any kind, parsed from DER. No policy has been applied to it.
package struct DecodedKey: Sendable {
    /// The structures that PEM files hold.
    package enum Structure: Sendable {
        /// SubjectPublicKeyInfo (RFC 5280, section 4.1).
        case subjectPublicKeyInfo
        /// RSAPublicKey (RFC 8017, appendix A.1.1).
        case rsaPublicKey
        /// PrivateKeyInfo (RFC 5208), not encrypted.
        case privateKeyInfo
        /// RSAPrivateKey (RFC 8017, appendix A.1.2).
        case rsaPrivateKey
        /// ECPrivateKey (RFC 5915).
        case ecPrivateKey
    }

    private let handle: KeyHandle
    package let isPrivate: Bool

    /// Reads DER, which must have no bytes after the structure.
    ///
    /// - Throws: `invalidKey`, `libraryFailure`.
    package init(der: Span<UInt8>, as structure: Structure) throws(CryptographyError) {
        handle = try translating(refused: .invalidKey) { () throws(OpenSSLFailure) in
            switch structure {
            case .subjectPublicKeyInfo: try .decode(der, as: .subjectPublicKeyInfo)
            case .rsaPublicKey: try .decode(der, as: KeyHandle.PublicStructure.pkcs1)
            case .privateKeyInfo: try .decode(der, as: .pkcs8)
            case .rsaPrivateKey: try .decode(der, as: KeyHandle.PrivateStructure.pkcs1)
            case .ecPrivateKey: try .decode(der, as: .sec1)
            }
        }
        isPrivate =
            switch structure {
            case .subjectPublicKeyInfo, .rsaPublicKey: false
            case .privateKeyInfo, .rsaPrivateKey, .ecPrivateKey: true
            }
    }

    /// The public key of a certificate.
    init(public handle: KeyHandle) {
        self.handle = handle
        isPrivate = false
    }

    /// Whether the public halves are the same numbers.
    package func hasSamePublicKey(as other: DecodedKey) -> Bool {
        handle.hasSamePublicKey(as: other.handle)
    }

    package var isEd25519: Bool { handle.kind == .ed25519 }

    /// Length of the modulus; nil for a key of another kind.
    package var rsaBitCount: Int? { handle.kind == .rsa ? handle.bitCount : nil }

    /// The key, with all its numbers checked as if they were given one by one; nil for a kind that
    /// Signet does not use: DSA, keys restricted to RSA-PSS, other curves.
    ///
    /// - Throws: `invalidKeySize`, `invalidKey`, `libraryFailure`.
    package func key() throws(CryptographyError) -> AsymmetricKey? {
        switch handle.kind {
        case .rsa where isPrivate: return .rsaPrivate(try RSAPrivateKey(handle: handle))
        case .rsa:
            let numbers = try numbers { () throws(OpenSSLFailure) in try handle.rsaPublicNumbers() }
            return .rsaPublic(
                try RSAPublicKey(modulus: numbers.modulus, exponent: numbers.exponent))
        case .ec(let curve) where isPrivate:
            return .ecPrivate(try ECPrivateKey(handle: handle, curve: EllipticCurve(curve)))
        case .ec(let curve):
            let point = try numbers { () throws(OpenSSLFailure) in try handle.ecCoordinates() }
            return .ecPublic(try ECPublicKey(curve: EllipticCurve(curve), x: point.x, y: point.y))
        case .ed25519 where isPrivate: return .ed25519Private(try Ed25519PrivateKey(handle: handle))
        case .ed25519:
            let raw = try numbers { () throws(OpenSSLFailure) in try handle.ed25519PublicKey() }
            return .ed25519Public(try Ed25519PublicKey(rawRepresentation: raw))
        case nil: return nil
        }
    }

    private func numbers<Numbers>(
        _ read: () throws(OpenSSLFailure) -> Numbers
    ) throws(CryptographyError) -> Numbers {
        try translating(refused: .invalidKey, "The numbers of the key cannot be read.", read)
    }
}
