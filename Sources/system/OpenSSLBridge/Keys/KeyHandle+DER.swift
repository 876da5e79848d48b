// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

extension KeyHandle {
    /// The DER structures that PEM files hold.
    package enum PublicStructure: Sendable {
        /// SubjectPublicKeyInfo (RFC 5280, section 4.1).
        case subjectPublicKeyInfo
        /// RSAPublicKey (RFC 8017, appendix A.1.1).
        case pkcs1
    }

    package enum PrivateStructure: Sendable {
        /// PrivateKeyInfo (RFC 5208), not encrypted.
        case pkcs8
        /// RSAPrivateKey (RFC 8017, appendix A.1.2).
        case pkcs1
        /// ECPrivateKey (RFC 5915).
        case sec1
    }

    /// A public key from DER, which must have no bytes after it.
    package static func decode(_ der: Span<UInt8>, as structure: PublicStructure)
        throws(OpenSSLFailure)
        -> KeyHandle
    {
        try unsafe decoded(der) { cursor, count in
            switch structure {
            case .subjectPublicKeyInfo: unsafe d2i_PUBKEY(nil, &cursor, count)
            case .pkcs1: unsafe d2i_PublicKey(EVP_PKEY_RSA, nil, &cursor, count)
            }
        }
    }

    /// A private key from DER, which must have no bytes after it.
    package static func decode(_ der: Span<UInt8>, as structure: PrivateStructure)
        throws(OpenSSLFailure)
        -> KeyHandle
    {
        try unsafe decoded(der) { cursor, count in
            switch structure {
            case .pkcs8:
                guard let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &cursor, count) else {
                    return nil
                }
                defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
                return unsafe EVP_PKCS82PKEY(info)
            case .pkcs1, .sec1:
                // d2i_PrivateKey also takes PrivateKeyInfo. Only the named structure is accepted
                // here.
                if unsafe isPrivateKeyInfo(cursor, count: count) { return nil }
                let type = structure == .pkcs1 ? EVP_PKEY_RSA : EVP_PKEY_EC
                return unsafe d2i_PrivateKey(type, nil, &cursor, count)
            }
        }
    }

    /// Decodes a structure that must fill `der`, and empties the queue of errors.
    private static func decoded(
        _ der: Span<UInt8>, _ decode: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?
    ) throws(OpenSSLFailure) -> KeyHandle {
        guard der.count > 0, der.count <= maximumDERByteCount else {
            throw OpenSSLFailure(.invalidLength, "DER")
        }
        var consumed = 0
        let key = unsafe der.withBase { base, count -> OpaquePointer? in
            var cursor: UnsafePointer<UInt8>? = unsafe base
            let key = unsafe decode(&cursor, count)
            if let cursor = unsafe cursor { consumed = unsafe cursor - base }
            return unsafe key
        }
        let handle = try unsafe KeyHandle(owning: key, operation: "d2i")
        // libcrypto tries several decoders, and each failure leaves an error in the queue.
        ERR_clear_error()
        guard consumed == der.count else { throw OpenSSLFailure(.refused, "bytes after the key") }
        return handle
    }

    private static func isPrivateKeyInfo(_ base: UnsafePointer<UInt8>?, count: Int) -> Bool {
        var cursor = unsafe base
        guard let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &cursor, count) else { return false }
        unsafe PKCS8_PRIV_KEY_INFO_free(info)
        return true
    }

    /// SubjectPublicKeyInfo.
    package func encodedPublicKey() throws(OpenSSLFailure) -> [UInt8] {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PUBKEY(pointer, &encoded)
        guard count > 0, let base = unsafe encoded else {
            throw OpenSSLFailure.fromErrorQueue("i2d_PUBKEY")
        }
        defer { unsafe copenssl_free(base) }
        return unsafe Array(UnsafeBufferPointer(start: base, count: Int(count)))
    }

    /// PrivateKeyInfo, not encrypted.
    package func encodedPrivateKey() throws(OpenSSLFailure) -> SecretStorage {
        guard let info = unsafe EVP_PKEY2PKCS8(pointer) else {
            throw OpenSSLFailure.fromErrorQueue("EVP_PKEY2PKCS8")
        }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PKCS8_PRIV_KEY_INFO(info, &encoded)
        guard count > 0, let base = unsafe encoded else {
            throw OpenSSLFailure.fromErrorQueue("i2d_PKCS8_PRIV_KEY_INFO")
        }
        defer { unsafe copenssl_clear_free(base, Int(count)) }
        return SecretStorage(
            copying: unsafe UnsafeBufferPointer(start: base, count: Int(count)).span)
    }

    /// An 8192-bit RSA private key takes about 4.7 KiB.
    private static var maximumDERByteCount: Int { 16_384 }
}
