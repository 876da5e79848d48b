// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

extension JWK {
    /// A key in DER, not encrypted: PKCS#8 (RFC 5208, and RFC 5958 with the public key of EC,
    /// Ed25519 and X25519), SEC1, PKCS#1 or SubjectPublicKeyInfo. The bytes say which structure it
    /// is.
    /// ``init(certificate:keyID:)`` reads certificates.
    ///
    /// The key's numbers get the same checks as a JWK's. A public key beside a private key must
    /// belong to it, and bytes after the key are refused. The versions must fit the structures, and
    /// a curve that is named twice must be the same curve.
    ///
    /// - Parameters:
    ///   - der: the key.
    ///   - keyID: the `kid` to give it, at most 1,024 bytes; DER has no field for it.
    /// - Throws: `malformed`, `tooLarge`, `encryptedKey`, `unsupportedKeyType`,
    ///   `invalidKeyMaterial`, `keyTooShort`.
    public init(der: some Collection<UInt8>, keyID: String? = nil) throws(KeyError) {
        // Checked before the bytes are copied.
        guard der.count <= PEM.maximumByteCount else {
            throw KeyError(
                .tooLarge, "The DER has \(der.count) bytes; it may have \(PEM.maximumByteCount).")
        }
        try KeyDocument.checkKeyID(keyID)
        let key = try withSpan(of: der) { (der) throws(KeyError) in
            try KeyDER.decode(der, in: "The DER", labelled: nil)
        }
        self.init(material: try Self.material(key), keyID: keyID)
    }
}
