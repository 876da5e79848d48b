// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
internal import SignetMemory

extension JWK {
    /// The public key of an X.509 certificate in DER (RFC 5280). ``init(pem:keyID:)-(String,_)``
    /// reads PEM.
    ///
    /// The key's numbers get the same checks as a JWK's, and a key usage, if present, must allow
    /// signatures. **Not** checked: the certificate's signer, signature, names, dates and
    /// revocation. Trust the key as far as you trust the certificate's source.
    ///
    /// - Parameters:
    ///   - der: the certificate.
    ///   - keyID: the `kid` to give it, of at most 1,024 bytes.
    /// - Throws: `malformed`, `operationNotAllowed`, `unsupportedKeyType`, `invalidKeyMaterial`,
    ///   `keyTooShort`, `tooLarge`.
    public init(certificate der: some Collection<UInt8>, keyID: String? = nil) throws(KeyError) {
        guard der.count <= PEM.maximumByteCount else {
            throw KeyError(
                .tooLarge,
                "The certificate has \(der.count) bytes; it may have \(PEM.maximumByteCount).")
        }
        try KeyDocument.checkKeyID(keyID)
        let certificate = try withSpan(of: der) { (der) throws(KeyError) in
            try PEM.certificate(der: der)
        }
        try certificate.requireSignatures()
        try self.init(certificate, keyID: keyID)
    }

    /// The key of a certificate. Its numbers get the same checks as a JWK's.
    ///
    /// - Throws: `unsupportedKeyType`, `invalidKeyMaterial`, `keyTooShort`, `tooLarge`.
    package init(_ certificate: X509Certificate, keyID: String?) throws(KeyError) {
        let material = try Self.material(certificate.key)
        self.init(material: material, keyID: keyID)
    }
}

extension X509Certificate {
    func requireSignatures() throws(KeyError) {
        guard allowsSignatures else {
            throw KeyError(
                .operationNotAllowed, "The certificate's key usage does not allow signatures.")
        }
    }
}
