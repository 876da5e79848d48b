// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// Keys of RFC 8032 and RFC 7748 whose halves are 32 bytes without structure: Ed25519 and X25519.
extension KeyHandle {
    /// The length of either half, in bytes.
    static var rawByteCount: Int { 32 }

    static func raw(
        _ type: StaticString, publicKey: [UInt8]
    ) throws(OpenSSLFailure) -> KeyHandle {
        guard publicKey.count == rawByteCount else {
            throw OpenSSLFailure(.invalidLength, "public key")
        }
        let made = unsafe publicKey.span.withBase {
            unsafe EVP_PKEY_new_raw_public_key_ex(nil, cString(type), nil, $0, $1)
        }
        return try unsafe KeyHandle(owning: made, operation: "EVP_PKEY_new_raw_public_key_ex")
    }

    static func raw(
        _ type: StaticString, privateKey: SecretStorage
    ) throws(OpenSSLFailure) -> KeyHandle {
        guard privateKey.count == rawByteCount else {
            throw OpenSSLFailure(.invalidLength, "private key")
        }
        let made = unsafe EVP_PKEY_new_raw_private_key_ex(
            nil, cString(type), nil, privateKey.start, privateKey.count)
        return try unsafe KeyHandle(owning: made, operation: "EVP_PKEY_new_raw_private_key_ex")
    }

    func rawPublicKey() throws(OpenSSLFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.rawByteCount)
        var count = Self.rawByteCount
        let returnCode = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe EVP_PKEY_get_raw_public_key(pointer, $0.baseAddress, &count)
        }
        try require(returnCode, "EVP_PKEY_get_raw_public_key")
        guard count == Self.rawByteCount else { throw OpenSSLFailure(.invalidLength, "public key") }
        return bytes
    }

    func rawPrivateKey() throws(OpenSSLFailure) -> SecretStorage {
        try unsafe SecretStorage(count: Self.rawByteCount) { (target) throws(OpenSSLFailure) in
            var count = Self.rawByteCount
            try require(
                unsafe EVP_PKEY_get_raw_private_key(pointer, target.baseAddress, &count),
                "EVP_PKEY_get_raw_private_key")
            guard count == Self.rawByteCount else {
                throw OpenSSLFailure(.invalidLength, "private key")
            }
        }
    }
}
