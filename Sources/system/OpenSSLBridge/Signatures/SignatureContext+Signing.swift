// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

extension SignatureContext {
    /// A signature of `message`: for ECDSA r‖s.
    func signature(for message: Span<UInt8>) throws(OpenSSLFailure) -> [UInt8] {
        let room = signatureByteCount
        switch scheme {
        case .ecdsa(let curve, let hash):
            // DER has three bytes and two integers with up to three of their own.
            let der = try unsafe newBytes(room: room + 9) { (base, count) throws(OpenSSLFailure) in
                try unsafe sign(message, hash: hash, to: base, count: &count)
            }
            guard let raw = ECDSASignatureEncoding.raw(der: der.span, curve: curve) else {
                throw OpenSSLFailure(.refused, "ECDSA signature")
            }
            return raw
        case .rsaPKCS1(let hash), .rsaPSS(let hash):
            return try required(
                unsafe newBytes(room: room) { (base, count) throws(OpenSSLFailure) in
                    try unsafe sign(message, hash: hash, to: base, count: &count)
                })
        case .ed25519:
            let copy = try messageContext()
            let pointer = unsafe copy.pointer
            return try required(
                unsafe newBytes(room: room) { (base, count) throws(OpenSSLFailure) in
                    let returnCode = unsafe message.withBase {
                        unsafe EVP_DigestSign(pointer, base, &count, $0, $1)
                    }
                    try require(returnCode, "EVP_DigestSign")
                })
        }
    }

    private func sign(
        _ message: Span<UInt8>, hash: DigestAlgorithm, to base: UnsafeMutablePointer<UInt8>,
        count: inout Int
    ) throws(OpenSSLFailure) {
        let pointer = try unsafe keyPointer()
        let returnCode = try unsafe withDigest(of: message, hash: hash) { digest in
            unsafe EVP_PKEY_sign(pointer, base, &count, digest, hash.byteCount)
        }
        try require(returnCode, "EVP_PKEY_sign")
    }

    private func required(_ signature: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
        guard signature.count == signatureByteCount else {
            throw OpenSSLFailure(.refused, "signature length")
        }
        return signature
    }
}
