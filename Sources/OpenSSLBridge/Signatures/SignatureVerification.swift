// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// A public key made ready to verify one scheme, from any number of threads at once.
package final class SignatureVerification: Sendable {
    private let context: PreparedContext
    private let scheme: SignatureScheme
    /// The exact length of a signature in bytes; any other length is refused before libcrypto is called.
    private let signatureByteCount: Int

    package init(key: KeyHandle, scheme: SignatureScheme) throws(OpenSSLFailure) {
        self.scheme = scheme
        signatureByteCount = try scheme.signatureByteCount(for: key)
        context = try PreparedContext(key: key, scheme: scheme, purpose: .verify)
    }

    /// Whether `signature` is a signature of `message`. Every failure, of whatever kind, is a "no".
    package func isValid(_ signature: Span<UInt8>, for message: Span<UInt8>) -> Bool {
        guard signature.count == signatureByteCount else { return false }
        do throws(OpenSSLFailure) {
            switch scheme {
            case .ed25519:
                return try verifyMessage(signature, message)
            case .rsaPKCS1(let hash), .rsaPSS(let hash):
                return try verifyDigest(signature, message, hash)
            case .ecdsa(let curve, let hash):
                guard let der = ECDSASignatureEncoding.der(raw: signature, curve: curve) else { return false }
                return try verifyDigest(der.span, message, hash)
            }
        } catch {
            return false
        }
    }

    private func verifyMessage(_ signature: Span<UInt8>, _ message: Span<UInt8>) throws(OpenSSLFailure)
        -> Bool
    {
        let operation = try context.messageOperation()
        let pointer = unsafe operation.pointer
        let returnCode = unsafe signature.withBase { signatureBase, signatureCount in
            unsafe message.withBase {
                unsafe EVP_DigestVerify(pointer, signatureBase, signatureCount, $0, $1)
            }
        }
        return judged(returnCode)
    }

    private func verifyDigest(
        _ signature: Span<UInt8>, _ message: Span<UInt8>, _ hash: DigestAlgorithm
    ) throws(OpenSSLFailure) -> Bool {
        var digestBytes = InlineArray<64, UInt8>(repeating: 0)
        return try unsafe withUnsafeMutableBytes(of: &digestBytes) {
            (buffer) throws(OpenSSLFailure) -> Bool in
            guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                return false
            }
            try unsafe digest(hash, message, into: base)
            let returnCode = try unsafe context.keyOperation { pointer in
                unsafe signature.withBase { signatureBase, signatureCount in
                    unsafe EVP_PKEY_verify(pointer, signatureBase, signatureCount, base, hash.byteCount)
                }
            }
            return judged(returnCode)
        }
    }

    /// Only 1 is a yes: 0 and every negative number are not.
    private func judged(_ returnCode: Int32) -> Bool {
        if returnCode == 1 { return true }
        ERR_clear_error()
        return false
    }
}
