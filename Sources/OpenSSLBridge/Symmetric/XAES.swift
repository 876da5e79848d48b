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
        let derived = try XAESKeySchedule.derivedKey(key: key, nonce: nonce)
        let element = try prepared(key.ciphers.derivedSeal.take(), derived, nonce, sealing: true)
        let sealed = try GCM.seal(plaintext, with: element.context, prefix: nonce, authenticating: data)
        key.ciphers.derivedSeal.giveBack(element)
        return sealed
    }

    package static func open(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        let derived = try XAESKeySchedule.derivedKey(key: key, nonce: nonce)
        let element = try prepared(key.ciphers.derivedOpen.take(), derived, nonce, sealing: false)
        let opened = try GCM.open(ciphertextAndTag, with: element.context, authenticating: data)
        key.ciphers.derivedOpen.giveBack(element)
        return opened
    }

    /// As ``open(_:key:nonce:authenticating:)``, with the plaintext in storage that is wiped.
    package static func openSecret(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> SecretStorage {
        let derived = try XAESKeySchedule.derivedKey(key: key, nonce: nonce)
        let element = try prepared(key.ciphers.derivedOpen.take(), derived, nonce, sealing: false)
        let opened = try GCM.openSecret(ciphertextAndTag, with: element.context, authenticating: data)
        key.ciphers.derivedOpen.giveBack(element)
        return opened
    }

    /// `nonce` has the right length, or there would be no derived key.
    private static func prepared(
        _ idle: KeyedCipher?, _ derived: SecretStorage, _ nonce: Span<UInt8>, sealing: Bool
    ) throws(OpenSSLFailure) -> KeyedCipher {
        let rest = nonce.extracting(GCM.nonceByteCount..<XAESKeySchedule.nonceByteCount)
        return try derived.withBytes { (bytes) throws(OpenSSLFailure) in
            guard let idle else {
                return KeyedCipher(try GCM.initialise(key: bytes, nonce: rest, sealing: sealing))
            }
            // libcrypto takes no key length: the context is for 32 bytes, and so long is the key.
            guard bytes.count == XAESKeySchedule.keyByteCount else {
                throw OpenSSLFailure(.invalidLength, "key")
            }
            let pointer = unsafe idle.context.pointer
            let returnCode = unsafe bytes.withBase { keyBase, _ in
                unsafe rest.withBase { nonceBase, _ in
                    unsafe EVP_CipherInit_ex2(pointer, nil, keyBase, nonceBase, sealing ? 1 : 0, nil)
                }
            }
            try require(returnCode, "EVP_CipherInit_ex2")
            return idle
        }
    }
}
