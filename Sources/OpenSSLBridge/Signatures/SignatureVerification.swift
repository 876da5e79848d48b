// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// A public key for one scheme, from any number of threads at once.
///
/// What libcrypto needs is made when it verifies for the first time, so that a large set of keys costs little more than
/// its numbers.
package final class SignatureVerification: Sendable {
    private let key: DeferredKey
    private let context = MadeOnce<PreparedContext>()
    private let scheme: SignatureScheme
    /// The exact length of a signature in bytes; any other length is refused before libcrypto is called.
    private let signatureByteCount: Int

    /// For a key that was checked when its numbers were read. Nothing about the key can fail later; memory can.
    ///
    /// - Throws: `refused` for a key of another kind, `unavailable` where libcrypto does not offer the scheme.
    package init(key: DeferredKey, scheme: SignatureScheme) throws(OpenSSLFailure) {
        guard key.kind == scheme.keyKind else { throw OpenSSLFailure(.refused, "key type") }
        try SignatureSupport.shared.require(scheme)
        self.key = key
        self.scheme = scheme
        signatureByteCount = key.signatureByteCount
    }

    /// For a key that libcrypto has already.
    package init(key: KeyHandle, scheme: SignatureScheme) throws(OpenSSLFailure) {
        let byteCount = try scheme.signatureByteCount(for: key)
        self.key = DeferredKey(key, kind: scheme.keyKind, signatureByteCount: byteCount)
        self.scheme = scheme
        signatureByteCount = byteCount
        context.storeIfNil(try PreparedContext(key: key, scheme: scheme, purpose: .verify))
    }

    /// Whether `signature` is a signature of `message`.
    ///
    /// - Throws: where that was not found out: whatever fails before libcrypto looks at the
    ///   signature, and a reason of ``ErrorQueue/takenFault(_:)``. No signature and no message
    ///   leads there.
    package func isValid(
        _ signature: Span<UInt8>, for message: Span<UInt8>
    ) throws(OpenSSLFailure) -> Bool {
        guard signature.count == signatureByteCount else { return false }
        switch scheme {
        case .ed25519:
            return try verifyMessage(signature, message)
        case .rsaPKCS1(let hash), .rsaPSS(let hash):
            return try verifyDigest(signature, message, hash)
        case .ecdsa(let curve, let hash):
            guard let der = ECDSASignatureEncoding.encode(signature, curve) else { return false }
            return try verifyDigest(der.bytes.span.extracting(0..<der.count), message, hash)
        }
    }

    private func verifyMessage(_ signature: Span<UInt8>, _ message: Span<UInt8>)
        throws(OpenSSLFailure)
        -> Bool
    {
        let returnCode = try withContext { (context) throws(OpenSSLFailure) -> Int32 in
            let operation = try context.messageOperation()
            let pointer = unsafe operation.pointer
            return unsafe signature.withBase { signatureBase, signatureCount in
                unsafe message.withBase {
                    unsafe EVP_DigestVerify(pointer, signatureBase, signatureCount, $0, $1)
                }
            }
        }
        return try judged(returnCode)
    }

    private func verifyDigest(
        _ signature: Span<UInt8>, _ message: Span<UInt8>, _ hash: DigestAlgorithm
    ) throws(OpenSSLFailure) -> Bool {
        try unsafe withDigest(of: message, hash) { (digest) throws(OpenSSLFailure) -> Bool in
            let returnCode = try withContext { (context) throws(OpenSSLFailure) -> Int32 in
                try unsafe context.keyOperation { pointer in
                    unsafe signature.withBase { signatureBase, signatureCount in
                        unsafe EVP_PKEY_verify(
                            pointer, signatureBase, signatureCount, digest, hash.byteCount)
                    }
                }
            }
            return try judged(returnCode)
        }
    }

    @inline(__always)
    private func withContext<R>(_ body: (PreparedContext) throws(OpenSSLFailure) -> R)
        throws(OpenSSLFailure)
        -> R
    {
        try context.use(
            orMake: { () throws(OpenSSLFailure) in
                try PreparedContext(key: try key.handle(), scheme: scheme, purpose: .verify)
            }, body)
    }

    /// Only 1 is a yes: 0 and every negative number are a no, but for a fault of the machine.
    private func judged(_ returnCode: Int32) throws(OpenSSLFailure) -> Bool {
        if returnCode == 1 { return true }
        if let fault = ErrorQueue.takenFault("verify") { throw fault }
        // Without memory libcrypto may say no and give no reason: then there is none for this
        // either.
        _ = try DigestContext()
        return false
    }
}
