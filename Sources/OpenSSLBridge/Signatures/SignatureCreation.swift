// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// A private key made ready to sign with one scheme, from any number of threads at once.
package final class SignatureCreation: Sendable {
    private let context: PreparedContext
    private let scheme: SignatureScheme
    private let signatureByteCount: Int

    package init(key: KeyHandle, scheme: SignatureScheme) throws(OpenSSLFailure) {
        self.scheme = scheme
        signatureByteCount = try scheme.signatureByteCount(for: key)
        context = try PreparedContext(key: key, scheme: scheme, purpose: .sign)
    }

    package func signature(for message: Span<UInt8>) throws(OpenSSLFailure) -> [UInt8] {
        switch scheme {
        case .ed25519:
            let operation = try context.messageOperation()
            let pointer = unsafe operation.pointer
            return try unsafe signature(capacity: signatureByteCount) { (base, count) in
                unsafe message.withBase { unsafe EVP_DigestSign(pointer, base, &count, $0, $1) }
            }
        case .rsaPKCS1(let hash), .rsaPSS(let hash):
            return try signDigest(message, hash, capacity: signatureByteCount)
        case .ecdsa(let curve, let hash):
            let der = try signDigest(message, hash, capacity: signatureByteCount + 16)
            guard let raw = ECDSASignatureEncoding.raw(der: der.span, curve: curve) else {
                throw OpenSSLFailure(.refused, "ECDSA signature")
            }
            return raw
        }
    }

    private func signDigest(
        _ message: Span<UInt8>, _ hash: DigestAlgorithm, capacity: Int
    ) throws(OpenSSLFailure) -> [UInt8] {
        var digestBytes = InlineArray<64, UInt8>(repeating: 0)
        return try unsafe withUnsafeMutableBytes(of: &digestBytes) {
            (buffer) throws(OpenSSLFailure) -> [UInt8] in
            guard let hashed = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                throw OpenSSLFailure(.invalidLength, "digest")
            }
            try unsafe digest(hash, message, into: hashed)
            return try unsafe signature(capacity: capacity) { (base, count) throws(OpenSSLFailure) in
                try unsafe context.keyOperation { pointer in
                    unsafe EVP_PKEY_sign(pointer, base, &count, hashed, hash.byteCount)
                }
            }
        }
    }

    private func signature(
        capacity: Int, _ fill: (UnsafeMutablePointer<UInt8>, inout Int) throws(OpenSSLFailure) -> Int32
    ) throws(OpenSSLFailure) -> [UInt8] {
        var outcome: Result<Int32, OpenSSLFailure> = .success(0)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialised in
            initialised = 0
            guard let base = buffer.baseAddress else { return }
            var count = capacity
            do throws(OpenSSLFailure) {
                let returnCode = try unsafe fill(base, &count)
                outcome = .success(returnCode)
                if returnCode == 1, count <= capacity { initialised = count }
            } catch {
                outcome = .failure(error)
            }
        }
        try require(outcome.get(), "sign")
        return bytes
    }
}

extension SignatureScheme {
    /// How long each signature of `key` is, which also refuses a key of another kind.
    func signatureByteCount(for key: KeyHandle) throws(OpenSSLFailure) -> Int {
        switch self {
        case .rsaPKCS1, .rsaPSS:
            guard unsafe EVP_PKEY_is_a(key.pointer, "RSA") == 1 else {
                throw OpenSSLFailure(.refused, "key type")
            }
            return (Int(unsafe EVP_PKEY_get_bits(key.pointer)) + 7) / 8
        case .ecdsa(let curve, _):
            guard try key.curve() == curve else { throw OpenSSLFailure(.refused, "key type") }
            return 2 * curve.coordinateByteCount
        case .ed25519:
            guard unsafe EVP_PKEY_is_a(key.pointer, "ED25519") == 1 else {
                throw OpenSSLFailure(.refused, "key type")
            }
            return 64
        }
    }
}
