// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

/// A key of any kind, parsed from DER (binary, X.690) by libcrypto. `key()` checks its numbers and
/// says its kind; which keys a program accepts is up to the caller.
///
/// ```
/// let decoded = try DecodedKey(der: der.span, as: .privateKeyInfo)
/// if case .ecPrivate(let key)? = try decoded.key() { … }
/// ```
package struct DecodedKey: Sendable {
    /// The structures that PEM files hold.
    package enum Structure: Sendable {
        /// SubjectPublicKeyInfo (RFC 5280, section 4.1).
        case subjectPublicKeyInfo
        /// RSAPublicKey (RFC 8017, appendix A.1.1).
        case rsaPublicKey
        /// PrivateKeyInfo (RFC 5208) or OneAsymmetricKey (RFC 5958), not encrypted.
        case privateKeyInfo
        /// RSAPrivateKey (RFC 8017, appendix A.1.2).
        case rsaPrivateKey
        /// ECPrivateKey (RFC 5915).
        case ecPrivateKey
    }

    /// The key in libcrypto.
    let handle: KeyHandle
    package let isPrivate: Bool
    /// The public key that stood beside the private key (RFC 5958); nil if there was none.
    private let statedPublicKey: [UInt8]?

    /// Reads DER, which must have no bytes after the structure. In a private key, the versions are
    /// checked, and that it does not name two curves.
    ///
    /// - Throws: `invalidKey`, `libraryFailure`.
    package init(der: Span<UInt8>, as structure: Structure) throws(CryptographyError) {
        isPrivate = structure.isPrivate
        guard isPrivate else {
            handle = try Self.decode(der, as: structure)
            statedPublicKey = nil
            return
        }
        let keyStructure = try PrivateKeyStructure(der, as: structure)
        statedPublicKey = keyStructure.statedPublicKey(in: der)
        guard statedPublicKey != nil else {
            handle = try Self.decode(der, as: structure)
            return
        }
        // libcrypto reads no key with a public key beside it.
        var plain = keyStructure.withoutPublicKey(der)
        defer { cleanse(&plain) }
        handle = try Self.decode(plain.span, as: structure)
    }

    private static func decode(
        _ der: Span<UInt8>, as structure: Structure
    ) throws(CryptographyError) -> KeyHandle {
        try translatingErrors(refused: .invalidKey, message: "\(messageOf: structure.notRead)") {
            () throws(OpenSSLFailure) in
            // libcrypto's own types of structures, public or private.
            switch structure {
            case .subjectPublicKeyInfo: try .decode(der, as: .subjectPublicKeyInfo)
            case .rsaPublicKey: try .decode(der, as: KeyHandle.PublicStructure.pkcs1)
            case .privateKeyInfo: try .decode(der, as: .pkcs8)
            case .rsaPrivateKey: try .decode(der, as: KeyHandle.PrivateStructure.pkcs1)
            case .ecPrivateKey: try .decode(der, as: .sec1)
            }
        }
    }

    /// The public key of a certificate.
    init(public handle: KeyHandle) {
        self.handle = handle
        isPrivate = false
        statedPublicKey = nil
    }

    /// Whether the public halves are the same numbers.
    package func hasSamePublicKey(as other: DecodedKey) -> Bool {
        handle.hasSamePublicKey(as: other.handle)
    }

    package var isEd25519: Bool { handle.kind == .ed25519 }

    /// Length of the modulus; nil for a key that is not RSA.
    package var rsaBitCount: Int? { handle.kind == .rsa ? handle.bitCount : nil }

    /// The key, with all its numbers checked as if they were given singly; nil for a kind that
    /// Signet does not sign or verify with: X25519, DSA, keys restricted to RSA-PSS, curves beyond
    /// ``EllipticCurve``.
    ///
    /// - Throws: `invalidKeySize`, `invalidKey`, `libraryFailure`.
    package func key() throws(CryptographyError) -> AsymmetricKey? {
        switch handle.kind {
        case .rsa where isPrivate:
            guard statedPublicKey == nil else {
                throw CryptographyError(
                    .invalidKey,
                    "PKCS#8 with a public key is read for EC, Ed25519 and X25519, not for RSA."
                )
            }
            return .rsaPrivate(try RSAPrivateKey(handle: handle))
        case .rsa:
            let numbers = try readNumbers(handle.rsaPublicNumbers)
            return .rsaPublic(
                try RSAPublicKey(modulus: numbers.modulus, exponent: numbers.exponent))
        case .ec(let curve) where isPrivate:
            let key = try ECPrivateKey(handle: handle, curve: EllipticCurve(curve))
            try checkStatedPublicKey { Self.isPoint($0, of: key.publicKey) }
            return .ecPrivate(key)
        case .ec(let curve):
            let point = try readNumbers(handle.ecCoordinates)
            return .ecPublic(try ECPublicKey(curve: EllipticCurve(curve), x: point.x, y: point.y))
        case .ed25519 where isPrivate:
            let key = try Ed25519PrivateKey(handle: handle)
            try checkStatedPublicKey { $0 == key.publicKey.rawRepresentation }
            return .ed25519Private(key)
        case .ed25519:
            let raw = try readNumbers(handle.ed25519PublicKey)
            return .ed25519Public(try Ed25519PublicKey(rawRepresentation: raw))
        // A kind that the wall around libcrypto does not know.
        case nil: return nil
        }
    }

    /// Reads the numbers of a public key from libcrypto.
    func readNumbers<Numbers>(
        _ read: () throws(OpenSSLFailure) -> Numbers
    ) throws(CryptographyError) -> Numbers {
        try translatingErrors(
            refused: .invalidKey, message: "The numbers of the key cannot be read.", read)
    }

    /// Refuses a public key in the file that is not the private key's own.
    func checkStatedPublicKey(_ isOwn: ([UInt8]) -> Bool) throws(CryptographyError) {
        guard statedPublicKey.map(isOwn) ?? true else {
            throw CryptographyError(
                .invalidKey, "The public key in the PKCS#8 is not that of its private key.")
        }
    }

    /// Whether the octets are the point, uncompressed or compressed (SEC 1, section 2.3.3).
    private static func isPoint(_ octets: [UInt8], of key: ECPublicKey) -> Bool {
        octets == [0x04] + key.x + key.y
            || octets == [0x02 | (key.y.last ?? 0) & 1] + key.x
    }
}

extension DecodedKey.Structure {
    package var isPrivate: Bool {
        switch self {
        case .subjectPublicKeyInfo, .rsaPublicKey: false
        case .privateKeyInfo, .rsaPrivateKey, .ecPrivateKey: true
        }
    }

    /// The name that people use for the structure.
    package var name: String {
        switch self {
        case .subjectPublicKeyInfo: "SubjectPublicKeyInfo"
        case .rsaPublicKey, .rsaPrivateKey: "PKCS#1"
        case .privateKeyInfo: "PKCS#8"
        case .ecPrivateKey: "SEC1"
        }
    }

    /// Whether `der` writes down the numbers of a curve instead of its name.
    package func hasExplicitCurve(_ der: Span<UInt8>) -> Bool {
        PrivateKeyStructure.hasExplicitCurve(der, as: self)
    }

    /// The error for bytes that are not this structure.
    var notRead: CryptographyError {
        CryptographyError(.invalidKey, "It is not \(shown: name) in DER, or bytes follow it.")
    }
}
