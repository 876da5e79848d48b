// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// One context of RSA or ECDSA with key, padding and hash set. `@unchecked Sendable`: it is with the one caller that took
/// it, or idle.
@safe
final class SignatureContext: @unchecked Sendable {
    private let context: KeyContext

    /// For the caller that has it alone.
    var pointer: OpaquePointer { unsafe context.pointer }

    init(
        key: KeyHandle, scheme: SignatureScheme, purpose: PreparedContext.Purpose
    ) throws(OpenSSLFailure) {
        guard let hash = scheme.hash else { throw OpenSSLFailure(.refused, "context") }
        let context = try unsafe KeyContext(
            owning: EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil), "EVP_PKEY_CTX_new_from_pkey")
        switch purpose {
        case .sign: try require(unsafe EVP_PKEY_sign_init(context.pointer), "EVP_PKEY_sign_init")
        case .verify:
            try require(unsafe EVP_PKEY_verify_init(context.pointer), "EVP_PKEY_verify_init")
        }
        switch scheme {
        case .rsaPKCS1: try Self.set(padding: RSA_PKCS1_PADDING, context)
        case .rsaPSS: try Self.set(padding: RSA_PKCS1_PSS_PADDING, context)
        case .ecdsa, .ed25519: break
        }
        let type = try unsafe hash.required()
        try require(
            unsafe EVP_PKEY_CTX_set_signature_md(context.pointer, type),
            "EVP_PKEY_CTX_set_signature_md")
        if case .rsaPSS = scheme {
            try require(
                unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(context.pointer, type),
                "EVP_PKEY_CTX_set_rsa_mgf1_md")
            try require(
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(context.pointer, Int32(hash.byteCount)),
                "EVP_PKEY_CTX_set_rsa_pss_saltlen")
        }
        self.context = context
    }

    private static func set(padding: Int32, _ context: borrowing KeyContext) throws(OpenSSLFailure)
    {
        try require(
            unsafe EVP_PKEY_CTX_set_rsa_padding(context.pointer, padding),
            "EVP_PKEY_CTX_set_rsa_padding")
    }
}
