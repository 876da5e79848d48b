// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// Signing and verifying, on any number of threads at once. The contexts stay with the key.
extension KeyHandle {
    /// Finds out whether this key can verify with `scheme`. It makes no context: most keys of a
    /// large set are never used.
    ///
    /// - Throws: `refused` for a key of the wrong kind, `unavailable` if libcrypto does not offer
    ///   the scheme.
    package func requireVerifying(_ scheme: SignatureScheme) throws(OpenSSLFailure) {
        try scheme.require()
        _ = try scheme.signatureByteCount(for: self)
    }

    /// Makes this key ready to sign with `scheme`.
    ///
    /// - Throws: the errors of ``requireVerifying(_:)`` and of making the context.
    package func prepareToSign(_ scheme: SignatureScheme) throws(OpenSSLFailure) {
        contexts.giveBack(try SignatureContext(self, under: scheme, for: .sign))
    }

    /// Whether `signature` is a valid signature of `message`. For ECDSA it is r‖s, never DER.
    ///
    /// - Throws: if libcrypto could not tell: a failure before it looks at the signature, or an
    ///   error of ``ErrorQueue/takeMachineFault(_:)``. No signature or message causes it.
    package func isValid(
        _ signature: Span<UInt8>, for message: Span<UInt8>, under scheme: SignatureScheme
    ) throws(OpenSSLFailure) -> Bool {
        let context = try takeContext(scheme, for: .verify)
        switch try context.verify(signature, for: message) {
        case .valid:
            contexts.giveBack(context)
            return true
        case .malformed:
            contexts.giveBack(context)
            return false
        case .invalid: contexts.giveBack(context)
        // The context is freed.
        case .failed: break
        }
        // libcrypto did not say that it is valid. That means invalid, unless the machine failed.
        if let fault = ErrorQueue.takeMachineFault("verify") { throw fault }
        // Without memory libcrypto may answer 0 and give no reason. Then this allocation fails too.
        _ = try DigestContext()
        return false
    }

    /// A signature of `message`: for ECDSA r‖s.
    package func signature(
        for message: Span<UInt8>, under scheme: SignatureScheme
    ) throws(OpenSSLFailure) -> [UInt8] {
        let context = try takeContext(scheme, for: .sign)
        let signature = try context.signature(for: message)
        contexts.giveBack(context)
        return signature
    }

    /// An idle context of this key, or a new one.
    private func takeContext(
        _ scheme: SignatureScheme, for purpose: SignatureContext.Purpose
    ) throws(OpenSSLFailure) -> SignatureContext {
        // A key normally has one scheme. A context for another scheme or purpose is freed.
        if let taken = contexts.take(SignatureContext.self), taken.scheme == scheme,
            taken.purpose == purpose
        {
            return taken
        }
        return try SignatureContext(self, under: scheme, for: purpose)
    }
}
