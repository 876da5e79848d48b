// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// A private key made ready to sign with one scheme, from any number of threads at once.
package final class SignatureCreation: Sendable {
    private let context: PreparedContext
    private let scheme: SignatureScheme
    /// How long each signature is, in bytes: 64 to 1024.
    package let signatureByteCount: Int

    package init(key: KeyHandle, scheme: SignatureScheme) throws(OpenSSLFailure) {
        self.scheme = scheme
        signatureByteCount = try scheme.signatureByteCount(for: key)
        context = try PreparedContext(key: key, scheme: scheme, purpose: .sign)
    }

    /// A signature of `message`.
    package func signature(for message: Span<UInt8>) throws(OpenSSLFailure) -> [UInt8] {
        try [UInt8](capacity: signatureByteCount) { (output) throws(OpenSSLFailure) in
            try appendSignature(for: message, to: &output)
        }
    }

    /// Appends a signature of `message`, ``signatureByteCount`` bytes, to `output`; nothing where it throws.
    ///
    /// - Throws: `invalidLength` where there is no room for it.
    package func appendSignature(
        for message: Span<UInt8>, to output: inout OutputSpan<UInt8>
    ) throws(OpenSSLFailure) {
        guard output.freeCapacity >= signatureByteCount else {
            throw OpenSSLFailure(.invalidLength, "signature")
        }
        switch scheme {
        case .ed25519:
            let operation = try context.messageOperation()
            let pointer = unsafe operation.pointer
            try unsafe append(to: &output) { base, count in
                unsafe message.withBase { unsafe EVP_DigestSign(pointer, base, &count, $0, $1) }
            }
        case .rsaPKCS1(let hash), .rsaPSS(let hash):
            try unsafe withDigest(of: message, hash) { (digest) throws(OpenSSLFailure) in
                try unsafe append(to: &output) { (base, count) throws(OpenSSLFailure) in
                    try unsafe sign(digest, hash, base, &count)
                }
            }
        case .ecdsa(let curve, let hash):
            try unsafe withDigest(of: message, hash) { (digest) throws(OpenSSLFailure) in
                try unsafe appendECDSA(digest, curve, hash, to: &output)
            }
        }
    }

    /// The DER that libcrypto writes goes no further than a stack variable.
    private func appendECDSA(
        _ digest: UnsafePointer<UInt8>, _ curve: NamedCurve, _ hash: DigestAlgorithm,
        to output: inout OutputSpan<UInt8>
    ) throws(OpenSSLFailure) {
        var der = InlineArray<144, UInt8>(repeating: 0)
        var count = der.count
        let returnCode = try unsafe withUnsafeMutableBytes(of: &der) {
            (buffer) throws(OpenSSLFailure) -> Int32 in
            guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                return 0
            }
            return try unsafe sign(digest, hash, base, &count)
        }
        try require(returnCode, "sign")
        guard count >= 0, count <= der.count,
            ECDSASignatureEncoding.append(der.span.extracting(0..<count), curve, to: &output)
        else { throw OpenSSLFailure(.refused, "ECDSA signature") }
    }

    private func sign(
        _ digest: UnsafePointer<UInt8>, _ hash: DigestAlgorithm,
        _ base: UnsafeMutablePointer<UInt8>,
        _ count: inout Int
    ) throws(OpenSSLFailure) -> Int32 {
        try unsafe context.keyOperation { pointer in
            unsafe EVP_PKEY_sign(pointer, base, &count, digest, hash.byteCount)
        }
    }

    /// Lets libcrypto write one signature behind what `output` holds.
    private func append(
        to output: inout OutputSpan<UInt8>,
        _ fill: (UnsafeMutablePointer<UInt8>, inout Int) throws(OpenSSLFailure) -> Int32
    ) throws(OpenSSLFailure) {
        let expected = signatureByteCount
        try unsafe output.withUnsafeMutableBufferPointer {
            (buffer, initialised: inout Int) throws(OpenSSLFailure) in
            guard let base = buffer.baseAddress else {
                throw OpenSSLFailure(.invalidLength, "signature")
            }
            var count = buffer.count - initialised
            try require(unsafe fill(base + initialised, &count), "sign")
            guard count == expected else { throw OpenSSLFailure(.refused, "signature length") }
            initialised += count
        }
    }
}

/// Gives `body` the digest of `message`, which lives as long as the call.
@inline(__always)
func withDigest<R>(
    of message: Span<UInt8>, _ hash: DigestAlgorithm,
    _ body: (UnsafePointer<UInt8>) throws(OpenSSLFailure) -> R
) throws(OpenSSLFailure) -> R {
    var digestBytes = InlineArray<64, UInt8>(repeating: 0)
    return try unsafe withUnsafeMutableBytes(of: &digestBytes) {
        (buffer) throws(OpenSSLFailure) -> R in
        guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            throw OpenSSLFailure(.invalidLength, "digest")
        }
        try unsafe digest(hash, message, into: base)
        return try unsafe body(base)
    }
}
