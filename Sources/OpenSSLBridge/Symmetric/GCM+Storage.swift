// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Sealing and opening with a key that keeps its contexts: the expanded key is used again, the nonce never.
extension GCM {
    /// As the form for a key in hand.
    package static func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>, prefix: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        let element = try prepared(key, nonce, .seal)
        let sealed = try seal(plaintext, with: element.context, prefix: prefix, authenticating: data)
        key.contexts.giveBack(element)
        return sealed
    }

    /// As the form for a key in hand.
    package static func open(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        let element = try prepared(key, nonce, .open)
        let opened = try open(ciphertextAndTag, with: element.context, authenticating: data)
        key.contexts.giveBack(element)
        return opened
    }

    private static func prepared(
        _ key: SecretStorage, _ nonce: Span<UInt8>, _ purpose: CipherContextPool.Purpose
    ) throws(OpenSSLFailure) -> CipherContextPool.Element {
        guard let idle = key.contexts.take(purpose) else {
            return try key.withBytes { (bytes) throws(OpenSSLFailure) in
                CipherContextPool.Element(
                    purpose, try initialise(key: bytes, nonce: nonce, sealing: purpose.seals))
            }
        }
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        let returnCode = unsafe nonce.withBase { base, _ in
            unsafe EVP_CipherInit_ex2(idle.context.pointer, nil, nil, base, purpose.seals ? 1 : 0, nil)
        }
        try require(returnCode, "EVP_CipherInit_ex2")
        return idle
    }
}
