// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// A key prepared for a scheme and a purpose: padding and hash are set.
///
/// `@unchecked Sendable`: one caller holds it, or it is idle in the key's pool.
@safe
final class SignatureContext: @unchecked Sendable {
    enum Purpose { case sign, verify }

    let scheme: SignatureScheme
    let purpose: Purpose
    /// The exact length of a signature in bytes: 64 to 1,024.
    let signatureByteCount: Int
    /// For RSA and ECDSA, which take a digest.
    private let key: KeyContext?
    /// For Ed25519, which takes the whole message. Each operation uses up a copy.
    private let message: DigestContext?

    /// - Throws: `refused` for a key of the wrong kind, `unavailable` if libcrypto does not offer
    ///   the scheme.
    init(
        _ handle: KeyHandle, under scheme: SignatureScheme, for purpose: Purpose
    ) throws(OpenSSLFailure) {
        self.scheme = scheme
        self.purpose = purpose
        try scheme.require()
        signatureByteCount = try scheme.signatureByteCount(for: handle)
        if let hash = scheme.hash {
            key = try Self.makeKeyContext(handle, under: scheme, hash: hash, for: purpose)
            message = nil
        } else {
            key = nil
            message = try Self.makeMessageContext(handle, for: purpose)
        }
    }

    /// What is known of a signature.
    enum Verdict {
        case valid
        case invalid
        /// Invalid by its form: libcrypto was not asked.
        case malformed
        /// libcrypto ended with an error: the context may be in any state.
        case failed

        /// The verdict for what libcrypto returns.
        fileprivate init(returnCode: Int32) {
            switch returnCode {
            case 1: self = .valid
            case 0...: self = .invalid
            default: self = .failed
            }
        }
    }

    /// Whether `signature` (r‖s for ECDSA) is a valid signature of `message`.
    func verify(
        _ signature: Span<UInt8>, for message: Span<UInt8>
    ) throws(OpenSSLFailure) -> Verdict {
        guard signature.count == signatureByteCount else { return .malformed }
        switch scheme {
        case .ecdsa(let curve, let hash):
            guard let der = ECDSASignatureEncoding.encode(signature, curve: curve) else {
                return .malformed
            }
            return try verify(der.bytes.span.extracting(0..<der.count), for: message, hash: hash)
        case .rsaPKCS1(let hash), .rsaPSS(let hash):
            return try verify(signature, for: message, hash: hash)
        case .ed25519:
            let copy = try messageContext()
            let pointer = unsafe copy.pointer
            let returnCode = unsafe signature.withBase { signature, count in
                unsafe message.withBase {
                    unsafe EVP_DigestVerify(pointer, signature, count, $0, $1)
                }
            }
            return Verdict(returnCode: returnCode)
        }
    }

    private func verify(
        _ signature: Span<UInt8>, for message: Span<UInt8>, hash: DigestAlgorithm
    ) throws(OpenSSLFailure) -> Verdict {
        let pointer = try unsafe keyPointer()
        let returnCode = try unsafe withDigest(of: message, hash: hash) { digest in
            unsafe signature.withBase {
                unsafe EVP_PKEY_verify(pointer, $0, $1, digest, hash.byteCount)
            }
        }
        return Verdict(returnCode: returnCode)
    }

    /// The context of a scheme that takes a digest. Ed25519 has none.
    func keyPointer() throws(OpenSSLFailure) -> OpaquePointer {
        switch key {
        case .some(let context): return unsafe context.pointer
        case .none: throw OpenSSLFailure(.refused, "context")
        }
    }

    /// A copy of the context of Ed25519, which takes the message, for one operation.
    func messageContext() throws(OpenSSLFailure) -> DigestContext {
        let copy = try DigestContext()
        switch message {
        case .some(let context):
            try require(
                unsafe EVP_MD_CTX_copy_ex(copy.pointer, context.pointer), "EVP_MD_CTX_copy_ex")
        case .none: throw OpenSSLFailure(.refused, "context")
        }
        return copy
    }

    /// Gives `body` the digest of `message`, which lives as long as the call.
    func withDigest(
        of message: Span<UInt8>, hash: DigestAlgorithm, _ body: (UnsafePointer<UInt8>) -> Int32
    ) throws(OpenSSLFailure) -> Int32 {
        var bytes = InlineArray<64, UInt8>(repeating: 0)
        return try unsafe withUnsafeMutableBytes(of: &bytes) { (buffer) throws(OpenSSLFailure) in
            guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                throw OpenSSLFailure(.invalidLength, "digest")
            }
            try unsafe digest(hash, of: message, into: base)
            return unsafe body(base)
        }
    }

    private static func makeMessageContext(
        _ handle: KeyHandle, for purpose: Purpose
    ) throws(OpenSSLFailure) -> DigestContext {
        let context = try DigestContext()
        switch purpose {
        case .sign:
            try require(
                unsafe EVP_DigestSignInit_ex(
                    context.pointer, nil, nil, nil, nil, handle.pointer, nil),
                "EVP_DigestSignInit_ex")
        case .verify:
            try require(
                unsafe EVP_DigestVerifyInit_ex(
                    context.pointer, nil, nil, nil, nil, handle.pointer, nil),
                "EVP_DigestVerifyInit_ex")
        }
        return context
    }

    /// Sets padding, hash and salt length, so that no default of libcrypto applies.
    private static func makeKeyContext(
        _ handle: KeyHandle, under scheme: SignatureScheme, hash: DigestAlgorithm,
        for purpose: Purpose
    ) throws(OpenSSLFailure) -> KeyContext {
        let context = try unsafe KeyContext(
            owning: EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil),
            operation: "EVP_PKEY_CTX_new_from_pkey")
        switch purpose {
        case .sign: try require(unsafe EVP_PKEY_sign_init(context.pointer), "EVP_PKEY_sign_init")
        case .verify:
            try require(unsafe EVP_PKEY_verify_init(context.pointer), "EVP_PKEY_verify_init")
        }
        let padding: Int32? =
            switch scheme {
            case .rsaPKCS1: RSA_PKCS1_PADDING
            case .rsaPSS: RSA_PKCS1_PSS_PADDING
            case .ecdsa, .ed25519: nil
            }
        if let padding {
            try require(
                unsafe EVP_PKEY_CTX_set_rsa_padding(context.pointer, padding),
                "EVP_PKEY_CTX_set_rsa_padding")
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
        return context
    }
}
