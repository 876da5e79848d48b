// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

/// RSAES-OAEP (RFC 8017, section 7.1) with MGF1 over the same hash and an empty label, so that no
/// default of libcrypto applies.
extension KeyHandle {
    /// - Parameter message: at most the modulus's length less two digests and 2 bytes.
    /// - Throws: `refused` for a longer message.
    package func encryptOAEP(
        _ message: SecretStorage, hash: DigestAlgorithm
    ) throws(OpenSSLFailure) -> [UInt8] {
        _ = try unsafe hash.required()
        let context = try contextOAEP(hash.name, encrypting: true)
        return try unsafe newBytes(room: modulusByteCount) { (base, count) throws(OpenSSLFailure) in
            try require(
                unsafe EVP_PKEY_encrypt(
                    context.pointer, base, &count, message.start, message.count),
                "EVP_PKEY_encrypt")
        }
    }

    /// - Throws: `authentication` for every fault of `ciphertext`.
    package func decryptOAEP(
        _ ciphertext: Span<UInt8>, hash: DigestAlgorithm
    ) throws(OpenSSLFailure) -> SecretStorage {
        _ = try unsafe hash.required()
        return try decryptOAEP(ciphertext, digest: hash.name)
    }

    /// The form with SHA-1, which many issuers still send. `DigestAlgorithm` has no SHA-1, so nothing
    /// encrypts with it.
    package func decryptOAEPWithSHA1(_ ciphertext: Span<UInt8>) throws(OpenSSLFailure)
        -> SecretStorage
    {
        _ = try unsafe AlgorithmTable.shared.sha1.required()
        return try decryptOAEP(ciphertext, digest: "SHA1")
    }

    private func decryptOAEP(
        _ ciphertext: Span<UInt8>, digest: StaticString
    ) throws(OpenSSLFailure) -> SecretStorage {
        let context = try contextOAEP(digest, encrypting: false)
        // RFC 8017, section 7.1.2: exactly as long as the modulus.
        guard ciphertext.count == modulusByteCount else {
            throw OpenSSLFailure(.authentication, "length")
        }
        var count = modulusByteCount
        // libcrypto wants room for a whole modulus.
        let room = try unsafe SecretStorage(count: count) { (target) throws(OpenSSLFailure) in
            let returnCode = unsafe ciphertext.withBase {
                unsafe EVP_PKEY_decrypt(context.pointer, target.baseAddress, &count, $0, $1)
            }
            guard returnCode == 1, count <= target.count else {
                throw OpenSSLFailure.fromErrorQueue("EVP_PKEY_decrypt", kind: .authentication)
            }
        }
        return room.withBytes { SecretStorage(copying: $0.extracting(0..<count)) }
    }

    private var modulusByteCount: Int { Int(unsafe EVP_PKEY_get_size(pointer)) }

    private func contextOAEP(
        _ digest: StaticString, encrypting: Bool
    ) throws(OpenSSLFailure) -> KeyContext {
        guard kind == .rsa else { throw OpenSSLFailure(.refused, "key type") }
        _ = try unsafe AlgorithmTable.shared.rsaEncryption.required()
        let context = try unsafe KeyContext(
            owning: EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil),
            operation: "EVP_PKEY_CTX_new_from_pkey")
        if encrypting {
            try require(unsafe EVP_PKEY_encrypt_init(context.pointer), "EVP_PKEY_encrypt_init")
        } else {
            try require(unsafe EVP_PKEY_decrypt_init(context.pointer), "EVP_PKEY_decrypt_init")
        }
        try require(
            unsafe EVP_PKEY_CTX_set_rsa_padding(context.pointer, RSA_PKCS1_OAEP_PADDING),
            "EVP_PKEY_CTX_set_rsa_padding")
        try require(
            unsafe EVP_PKEY_CTX_set_rsa_oaep_md_name(context.pointer, cString(digest), nil),
            "EVP_PKEY_CTX_set_rsa_oaep_md_name")
        try require(
            unsafe EVP_PKEY_CTX_set_rsa_mgf1_md_name(context.pointer, cString(digest), nil),
            "EVP_PKEY_CTX_set_rsa_mgf1_md_name")
        return context
    }
}
