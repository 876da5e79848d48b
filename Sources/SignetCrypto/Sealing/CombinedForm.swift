// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// What both forms of sealing share: the checks around `nonce ‖ ciphertext ‖ tag`.
enum CombinedForm {
    /// Plaintext, nonce and associated data become all three parts; or ciphertext with its tag, nonce and associated
    /// data the plaintext.
    typealias Operation = (Span<UInt8>, Span<UInt8>, Span<UInt8>) throws(OpenSSLFailure) -> [UInt8]

    static func seal(
        _ plaintext: some Collection<UInt8>, nonce: some Collection<UInt8>,
        authenticating data: some Collection<UInt8>, _ operation: Operation
    ) throws(CryptoError) -> [UInt8] {
        try withSpan(of: plaintext) { (plain) throws(CryptoError) in
            guard plain.count <= GCM.maximumPlaintextByteCount else {
                throw CryptoError(.tooLarge, "At most 2^36 - 32 bytes are sealed at once.")
            }
            return try withSpan(of: nonce) { (nonce) throws(CryptoError) in
                try withSpan(of: data) { (data) throws(CryptoError) in
                    try translating(refused: .libraryFailure) { () throws(OpenSSLFailure) in
                        try operation(plain, nonce, data)
                    }
                }
            }
        }
    }

    static func open(
        _ combined: some Collection<UInt8>, nonceByteCount: Int,
        authenticating data: some Collection<UInt8>, _ operation: Operation
    ) throws(CryptoError) -> [UInt8] {
        try withSpan(of: combined) { (sealed) throws(CryptoError) in
            guard sealed.count >= nonceByteCount + GCM.tagByteCount else { throw CryptoError.notAuthentic }
            let nonce = sealed.extracting(0..<nonceByteCount)
            let rest = sealed.extracting(nonceByteCount..<sealed.count)
            return try withSpan(of: data) { (data) throws(CryptoError) in
                try translating(refused: .libraryFailure) { () throws(OpenSSLFailure) in
                    try operation(rest, nonce, data)
                }
            }
        }
    }
}
