// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// A context with key, padding and hash already set, from which each operation gets one of its own.
///
/// `@unchecked Sendable`: after `init` the template is only read, by `EVP_PKEY_CTX_dup` and `EVP_MD_CTX_copy_ex`; the
/// duplicates are used by one thread at a time, which `IdleContexts` sees to.
@safe
final class PreparedContext: @unchecked Sendable {
    enum Purpose { case sign, verify }

    private let keyContext: KeyContext?
    private let digestContext: DigestContext?
    private let duplicates = IdleContexts<SignatureContext>()
    // libcrypto counts a reference of its own; this one says whose key it is.
    private let key: KeyHandle

    init(key: KeyHandle, scheme: SignatureScheme, purpose: Purpose) throws(OpenSSLFailure) {
        self.key = key
        switch scheme {
        case .ed25519:
            let context = try DigestContext()
            switch purpose {
            case .sign:
                try require(
                    unsafe EVP_DigestSignInit_ex(context.pointer, nil, nil, nil, nil, key.pointer, nil),
                    "EVP_DigestSignInit_ex")
            case .verify:
                try require(
                    unsafe EVP_DigestVerifyInit_ex(context.pointer, nil, nil, nil, nil, key.pointer, nil),
                    "EVP_DigestVerifyInit_ex")
            }
            digestContext = consume context
            keyContext = nil
        case .rsaPKCS1(let hash):
            keyContext = try Self.context(key, purpose, hash, padding: RSA_PKCS1_PADDING)
            digestContext = nil
        case .rsaPSS(let hash):
            keyContext = try Self.context(key, purpose, hash, padding: RSA_PKCS1_PSS_PADDING)
            digestContext = nil
        case .ecdsa(_, let hash):
            keyContext = try Self.context(key, purpose, hash, padding: nil)
            digestContext = nil
        }
    }

    private static func context(
        _ key: KeyHandle, _ purpose: Purpose, _ hash: DigestAlgorithm, padding: Int32?
    ) throws(OpenSSLFailure) -> KeyContext {
        let context = try unsafe KeyContext(
            owning: EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil), "EVP_PKEY_CTX_new_from_pkey")
        switch purpose {
        case .sign: try require(unsafe EVP_PKEY_sign_init(context.pointer), "EVP_PKEY_sign_init")
        case .verify: try require(unsafe EVP_PKEY_verify_init(context.pointer), "EVP_PKEY_verify_init")
        }
        let type = try unsafe hash.required()
        if let padding {
            try require(
                unsafe EVP_PKEY_CTX_set_rsa_padding(context.pointer, padding), "EVP_PKEY_CTX_set_rsa_padding")
        }
        try require(
            unsafe EVP_PKEY_CTX_set_signature_md(context.pointer, type), "EVP_PKEY_CTX_set_signature_md")
        if padding == RSA_PKCS1_PSS_PADDING {
            try require(
                unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(context.pointer, type), "EVP_PKEY_CTX_set_rsa_mgf1_md")
            try require(
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(context.pointer, Int32(hash.byteCount)),
                "EVP_PKEY_CTX_set_rsa_pss_saltlen")
        }
        return context
    }

    /// Runs one `EVP_PKEY_sign` or `EVP_PKEY_verify` on a context that nobody else has meanwhile, and returns its code.
    ///
    /// Both may be called again on a context (EVP_PKEY_sign(3), EVP_PKEY_verify(3)), and take all of their input as
    /// arguments. A duplicate is made only when every one that was made before is in use.
    func keyOperation(_ body: (OpaquePointer) -> Int32) throws(OpenSSLFailure) -> Int32 {
        let duplicate: SignatureContext
        if let idle = duplicates.take() {
            duplicate = idle
        } else {
            guard let template = unsafe keyContextPointer else { throw OpenSSLFailure(.refused, "context") }
            duplicate = try unsafe SignatureContext(owning: EVP_PKEY_CTX_dup(template))
        }
        let returnCode = unsafe body(duplicate.context.pointer)
        // 0 is an ordinary "no". After anything below it the context is freed, whatever state it was left in.
        if returnCode >= 0 { duplicates.giveBack(duplicate) }
        return returnCode
    }

    /// A private copy of the template for one operation on a whole message.
    func messageOperation() throws(OpenSSLFailure) -> DigestContext {
        guard let template = unsafe digestContextPointer else { throw OpenSSLFailure(.refused, "context") }
        let copy = try DigestContext()
        try require(unsafe EVP_MD_CTX_copy_ex(copy.pointer, template), "EVP_MD_CTX_copy_ex")
        return copy
    }

    private var keyContextPointer: OpaquePointer? {
        switch keyContext {
        case .some(let context): unsafe context.pointer
        case .none: nil
        }
    }

    private var digestContextPointer: OpaquePointer? {
        switch digestContext {
        case .some(let context): unsafe context.pointer
        case .none: nil
        }
    }
}
