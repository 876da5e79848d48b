// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// A key made ready for one scheme and one purpose: contexts with key, padding and hash already set.
///
/// `@unchecked Sendable`: the template is only read, by `EVP_MD_CTX_copy_ex`; every other context is used by one thread at a
/// time, which `SpacedIdleContexts` sees to.
@safe
final class PreparedContext: @unchecked Sendable {
    enum Purpose { case sign, verify }

    private let key: KeyHandle
    private let scheme: SignatureScheme
    private let purpose: Purpose
    /// Of Ed25519, which takes the whole message: each operation gets a copy.
    private let template: DigestContext?
    /// Of RSA and ECDSA.
    private let idle = SpacedIdleContexts<SignatureContext>()

    /// The first context is made at once: what libcrypto refuses, it refuses here.
    init(key: KeyHandle, scheme: SignatureScheme, purpose: Purpose) throws(OpenSSLFailure) {
        self.key = key
        self.scheme = scheme
        self.purpose = purpose
        if scheme == .ed25519 {
            template = try Self.messageContext(key, purpose)
        } else {
            template = nil
            idle.giveBack(try SignatureContext(key: key, scheme: scheme, purpose: purpose))
        }
    }

    private static func messageContext(
        _ key: KeyHandle, _ purpose: Purpose
    ) throws(OpenSSLFailure) -> DigestContext {
        let context = try DigestContext()
        switch purpose {
        case .sign:
            try require(
                unsafe EVP_DigestSignInit_ex(context.pointer, nil, nil, nil, nil, key.pointer, nil),
                "EVP_DigestSignInit_ex")
        case .verify:
            try require(
                unsafe EVP_DigestVerifyInit_ex(
                    context.pointer, nil, nil, nil, nil, key.pointer, nil),
                "EVP_DigestVerifyInit_ex")
        }
        return context
    }

    /// Runs one `EVP_PKEY_sign` or `EVP_PKEY_verify` on a context that nobody else has meanwhile, and returns its code.
    ///
    /// Both may be called again on a context (EVP_PKEY_sign(3), EVP_PKEY_verify(3)), and take all of their input as
    /// arguments. Another is made only when every one that was made before is in use.
    @inline(__always)
    func keyOperation(_ body: (OpaquePointer) -> Int32) throws(OpenSSLFailure) -> Int32 {
        let context: SignatureContext
        if let taken = idle.take() {
            context = taken
        } else {
            context = try SignatureContext(key: key, scheme: scheme, purpose: purpose)
        }
        let returnCode = unsafe body(context.pointer)
        // 0 is an ordinary "no". After anything below it the context is freed, whatever state it was left in.
        if returnCode >= 0 { idle.giveBack(context) }
        return returnCode
    }

    /// A private copy of the template for one operation on a whole message.
    func messageOperation() throws(OpenSSLFailure) -> DigestContext {
        guard let template = unsafe templatePointer else {
            throw OpenSSLFailure(.refused, "context")
        }
        let copy = try DigestContext()
        try require(unsafe EVP_MD_CTX_copy_ex(copy.pointer, template), "EVP_MD_CTX_copy_ex")
        return copy
    }

    private var templatePointer: OpaquePointer? {
        switch template {
        case .some(let context): unsafe context.pointer
        case .none: nil
        }
    }
}
