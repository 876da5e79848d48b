// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// The statements of an X.509 certificate (RFC 5280) about its key.
///
/// Nothing about it is verified, neither its signer nor its signature. Trust it as far as you trust
/// its source.
package struct Certificate: Sendable {
    /// The public key of the subject.
    package let key: KeyHandle
    /// The first and the last second in which it is valid, since 1970-01-01T00:00:00Z (section
    /// 4.1.2.5).
    package let notBefore: Int64
    package let notAfter: Int64
    /// Whether the key may be used for signatures that are not on certificates: there is no key
    /// usage, or it holds `digitalSignature` or `nonRepudiation` (section 4.2.1.3).
    package let allowsSignatures: Bool

    /// Reads a certificate from DER, which must have no bytes after it.
    package init(der: Span<UInt8>) throws(OpenSSLFailure) {
        guard der.count > 0, der.count <= Self.maximumByteCount else {
            throw OpenSSLFailure(.invalidLength, "certificate")
        }
        var consumed = 0
        let parsed = unsafe der.withBase { base, count -> OpaquePointer? in
            var cursor: UnsafePointer<UInt8>? = unsafe base
            let parsed = unsafe d2i_X509(nil, &cursor, count)
            if let cursor = unsafe cursor { consumed = unsafe cursor - base }
            return unsafe parsed
        }
        let certificate = try unsafe require(parsed, "d2i_X509")
        defer {
            unsafe X509_free(certificate)
            // Decoders that libcrypto tries, and extensions that it reads, leave errors in the
            // queue.
            ERR_clear_error()
        }
        guard consumed == der.count else {
            throw OpenSSLFailure(.refused, "bytes after the certificate")
        }
        notBefore = try unsafe Self.seconds(X509_get0_notBefore(certificate))
        notAfter = try unsafe Self.seconds(X509_get0_notAfter(certificate))
        guard unsafe X509_get_extension_flags(certificate) & UInt32(EXFLAG_INVALID) == 0 else {
            throw OpenSSLFailure.fromErrorQueue("X509_get_extension_flags")
        }
        // All ones without the extension.
        allowsSignatures = unsafe X509_get_key_usage(certificate) & Self.signatures != 0
        key = try unsafe KeyHandle(
            owning: X509_get_pubkey(certificate), operation: "X509_get_pubkey")
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) throws(OpenSSLFailure) -> Int64 {
        // Without a time libcrypto would use the present one.
        guard let time = unsafe time else { throw OpenSSLFailure(.refused, "validity") }
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else {
            throw OpenSSLFailure.fromErrorQueue("ASN1_TIME_set")
        }
        defer { unsafe ASN1_STRING_free(epoch) }
        var (days, seconds): (Int32, Int32) = (0, 0)
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            throw OpenSSLFailure.fromErrorQueue("ASN1_TIME_diff")
        }
        // Years are 1950 to 9999 here.
        return Int64(days) * 86_400 + Int64(seconds)
    }

    private static var signatures: UInt32 { UInt32(KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION) }

    /// A certificate has about 2.5 KiB with an 8192-bit key and signature; the limit leaves room
    /// for extensions.
    private static var maximumByteCount: Int { 16_384 }
}
