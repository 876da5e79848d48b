// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

extension JWK {
    /// The key of a certificate; its numbers go through the same checks as those of a JWK.
    ///
    /// - Throws: `unsupportedKeyType`, `invalidKeyMaterial`, `keyTooShort`, `tooLarge`.
    package init(_ certificate: Certificate, keyID: String) throws(KeyError) {
        let material = try Self.material(PEM.Key(handle: certificate.key, isPrivate: false))
        self.init(material: material, keyID: keyID)
    }
}
