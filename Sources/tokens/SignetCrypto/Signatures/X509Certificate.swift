// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The statements of an X.509 certificate (RFC 5280) about its key. Nothing about it is verified.
package struct X509Certificate: Sendable {
    /// The public key of the subject.
    package let key: DecodedKey
    /// The first and the last second in which it is valid, since 1970 (section 4.1.2.5).
    package let notBefore: Int64
    package let notAfter: Int64
    /// Whether the key may be used for signatures that are not on certificates.
    package let allowsSignatures: Bool

    /// Reads DER, which must have no bytes after the certificate.
    ///
    /// - Throws: `invalidKey`, `libraryFailure`.
    package init(der: Span<UInt8>) throws(CryptographyError) {
        let certificate = try translatingErrors(refused: .invalidKey) { () throws(OpenSSLFailure) in
            try Certificate(der: der)
        }
        key = DecodedKey(public: certificate.key)
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
        allowsSignatures = certificate.allowsSignatures
    }
}
