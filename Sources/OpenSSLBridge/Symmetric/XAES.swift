// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// XAES-256-GCM (C2SP): AES-256-GCM under a key that is derived for the first half of a 24-byte nonce.
///
/// The context of GCM is used again from message to message. It is given a new key each time; the last of them stays
/// in it until the next message or until the key that it was derived from goes, which tells as much.
package enum XAES {
    package static func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>, authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        let element = try prepared(key, nonce, .derivedSeal)
        let sealed = try GCM.seal(plaintext, with: element.context, prefix: nonce, authenticating: data)
        key.contexts.giveBack(element)
        return sealed
    }

    package static func open(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        let element = try prepared(key, nonce, .derivedOpen)
        let opened = try GCM.open(ciphertextAndTag, with: element.context, authenticating: data)
        key.contexts.giveBack(element)
        return opened
    }

    private static func prepared(
        _ key: SecretStorage, _ nonce: Span<UInt8>, _ purpose: CipherContextPool.Purpose
    ) throws(OpenSSLFailure) -> CipherContextPool.Element {
        let derived = try XAESKeySchedule.derivedKey(key: key, nonce: nonce)
        let rest = nonce.extracting(GCM.nonceByteCount..<XAESKeySchedule.nonceByteCount)
        return try derived.withBytes { (bytes) throws(OpenSSLFailure) in
            guard let idle = key.contexts.take(purpose) else {
                return CipherContextPool.Element(
                    purpose, try GCM.initialise(key: bytes, nonce: rest, sealing: purpose.seals))
            }
            // libcrypto takes no key length: the context is for 32 bytes, and so long is the key.
            guard bytes.count == XAESKeySchedule.keyByteCount else {
                throw OpenSSLFailure(.invalidLength, "key")
            }
            let pointer = unsafe idle.context.pointer
            let returnCode = unsafe bytes.withBase { keyBase, _ in
                unsafe rest.withBase { nonceBase, _ in
                    unsafe EVP_CipherInit_ex2(
                        pointer, nil, keyBase, nonceBase, purpose.seals ? 1 : 0, nil)
                }
            }
            try require(returnCode, "EVP_CipherInit_ex2")
            return idle
        }
    }
}
