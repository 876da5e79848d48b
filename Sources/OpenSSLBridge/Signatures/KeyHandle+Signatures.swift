// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// Signing and verifying, from any number of threads at once. The contexts stay with the key.
extension KeyHandle {
    /// Finds out whether this key can verify with `scheme`. No context is made: of a large set most
    /// keys are never used.
    ///
    /// - Throws: `refused` for a key of another kind, `unavailable` where libcrypto does not offer
    ///   the scheme.
    package func requireVerifying(_ scheme: SignatureScheme) throws(OpenSSLFailure) {
        try scheme.require()
        _ = try scheme.signatureByteCount(for: self)
    }

    /// Makes this key ready to sign with `scheme`.
    ///
    /// - Throws: as ``requireVerifying(_:)``, and what making the context does.
    package func prepareToSign(_ scheme: SignatureScheme) throws(OpenSSLFailure) {
        contexts.giveBack(try SignatureContext(self, scheme, .sign))
    }

    /// Whether `signature` is one of `message`. For ECDSA it is r‖s, never DER.
    ///
    /// - Throws: where that was not found out: whatever fails before libcrypto looks at the
    ///   signature, and a reason of ``ErrorQueue/takenFault(_:)``. No signature and no message
    ///   leads there.
    package func isValid(
        _ signature: Span<UInt8>, for message: Span<UInt8>, _ scheme: SignatureScheme
    ) throws(OpenSSLFailure) -> Bool {
        let context = try context(scheme, .verify)
        guard let returnCode = try context.verify(signature, for: message) else {
            contexts.giveBack(context)
            return false
        }
        // 0 is an ordinary "no". After anything below it the context is freed, whatever its state.
        if returnCode >= 0 { contexts.giveBack(context) }
        if returnCode == 1 { return true }
        // Only 1 is a yes: all others are a no, but for a fault of the machine.
        if let fault = ErrorQueue.takenFault("verify") { throw fault }
        // Without memory libcrypto may say no and give no reason: then there is none for this
        // either.
        _ = try DigestContext()
        return false
    }

    /// A signature of `message`: for ECDSA r‖s.
    package func signature(
        for message: Span<UInt8>, _ scheme: SignatureScheme
    ) throws(OpenSSLFailure) -> [UInt8] {
        let context = try context(scheme, .sign)
        let signature = try context.signature(for: message)
        contexts.giveBack(context)
        return signature
    }

    private func context(
        _ scheme: SignatureScheme, _ purpose: SignatureContext.Purpose
    ) throws(OpenSSLFailure) -> SignatureContext {
        // A key is used with one scheme as a rule: a context of another one is freed.
        if let taken = contexts.take(SignatureContext.self), taken.scheme == scheme,
            taken.purpose == purpose
        {
            return taken
        }
        return try SignatureContext(self, scheme, purpose)
    }
}
