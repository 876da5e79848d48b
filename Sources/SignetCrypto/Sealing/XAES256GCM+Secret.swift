// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The forms for many small records: spans in, and the plaintext only ever in memory that is wiped.
extension XAES256GCM {
    /// As ``seal(_:using:authenticating:)``.
    ///
    /// - Parameter nonce: only for known answers; nil takes a random one.
    package static func seal(
        span plaintext: Span<UInt8>, using key: SecretKey, nonce: [UInt8]? = nil, authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try checkKey(key)
        guard plaintext.count <= GCM.maximumPlaintextByteCount else {
            throw CryptoError(.tooLarge, "At most 2^36 - 32 bytes are sealed at once.")
        }
        do throws(OpenSSLFailure) {
            let chosen = try nonceOrRandom(nonce)
            return try XAES.seal(
                plaintext, key: key.storage, nonce: chosen.span, authenticating: data.span)
        } catch {
            throw CryptoError.sealingFailed(error)
        }
    }

    /// As ``open(_:using:authenticating:)``, with the plaintext in memory that is wiped.
    package static func openSecret(
        span combined: Span<UInt8>, using key: SecretKey, authenticating data: [UInt8]
    ) throws(CryptoError) -> SecretKey {
        try checkKey(key)
        guard combined.count >= nonceByteCount + tagByteCount else { throw CryptoError.notAuthentic }
        do throws(OpenSSLFailure) {
            return SecretKey(
                storage: try XAES.openSecret(
                    combined.extracting(nonceByteCount..<combined.count), key: key.storage,
                    nonce: combined.extracting(0..<nonceByteCount), authenticating: data.span))
        } catch {
            throw CryptoError.sealingFailed(error)
        }
    }

    private static func nonceOrRandom(_ nonce: [UInt8]?) throws(OpenSSLFailure) -> [UInt8] {
        if let nonce { return nonce }
        return try randomBytes(count: nonceByteCount)
    }
}
