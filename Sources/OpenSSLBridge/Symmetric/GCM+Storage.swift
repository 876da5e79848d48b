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
        let element = try prepared(key.ciphers.seal.take(), key, nonce, sealing: true)
        let sealed = try seal(plaintext, with: element.context, prefix: prefix, authenticating: data)
        key.ciphers.seal.giveBack(element)
        return sealed
    }

    /// As the form for a key in hand.
    package static func open(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        let element = try prepared(key.ciphers.open.take(), key, nonce, sealing: false)
        let opened = try open(ciphertextAndTag, with: element.context, authenticating: data)
        key.ciphers.open.giveBack(element)
        return opened
    }

    /// As ``open(_:key:nonce:authenticating:)``, with the plaintext in storage that is wiped.
    package static func openSecret(
        _ ciphertextAndTag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> SecretStorage {
        let element = try prepared(key.ciphers.open.take(), key, nonce, sealing: false)
        let opened = try openSecret(ciphertextAndTag, with: element.context, authenticating: data)
        key.ciphers.open.giveBack(element)
        return opened
    }

    private static func prepared(
        _ idle: KeyedCipher?, _ key: SecretStorage, _ nonce: Span<UInt8>, sealing: Bool
    ) throws(OpenSSLFailure) -> KeyedCipher {
        guard let idle else {
            return try key.withBytes { (bytes) throws(OpenSSLFailure) in
                KeyedCipher(try initialise(key: bytes, nonce: nonce, sealing: sealing))
            }
        }
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        let returnCode = unsafe nonce.withBase { base, _ in
            unsafe EVP_CipherInit_ex2(idle.context.pointer, nil, nil, base, sealing ? 1 : 0, nil)
        }
        try require(returnCode, "EVP_CipherInit_ex2")
        return idle
    }
}
