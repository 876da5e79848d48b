// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
internal import SignetMemory

extension JWK {
    /// The public key of an X.509 certificate in DER (RFC 5280); one in PEM is read by
    /// ``init(pem:keyID:)-(String,_)``.
    ///
    /// Its numbers go through the same checks as those of a JWK, and the key usage, where there is
    /// one, has to allow signatures. **Not** checked is all else that a certificate says: who
    /// signed it and whether that signature is good, its names, its dates, whether it was revoked.
    /// The key is worth as much as the place that the certificate came from.
    ///
    /// - Parameters:
    ///   - der: the certificate.
    ///   - keyID: the `kid` to give it, of at most 1 024 bytes.
    /// - Throws: `malformed`, `operationNotAllowed`, `unsupportedKeyType`, `invalidKeyMaterial`,
    ///   `keyTooShort`, `tooLarge`.
    public init(certificate der: some Collection<UInt8>, keyID: String? = nil) throws(KeyError) {
        guard der.count <= PEM.maximumByteCount else { throw PEM.tooLarge }
        try KeyDocument.checkKeyID(keyID)
        let certificate = try withSpan(of: der) { (der) throws(KeyError) in
            try PEM.certificate(der: der)
        }
        try certificate.requireSignatures()
        try self.init(certificate, keyID: keyID)
    }

    /// The key of a certificate; its numbers go through the same checks as those of a JWK.
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
