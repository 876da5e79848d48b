// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The key derivation of XAES-256-GCM (C2SP): CMAC-based counter-mode KDF (NIST SP 800-108r1) with AES-256, written
/// out over single AES blocks because OpenSSL 3.0 has no parameter for its counter length.
package enum XAESKeySchedule {
    package static let keyByteCount = 32
    package static let nonceByteCount = 24

    /// The AES-256-GCM key for the first 12 bytes of `nonce`; the last 12 bytes are GCM's own nonce.
    package static func derivedKey(key: Span<UInt8>, nonce: Span<UInt8>) throws(OpenSSLFailure)
        -> SecretStorage
    {
        guard key.count == keyByteCount else { throw OpenSSLFailure(.invalidLength, "key") }
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        return try derivedKey(context: prepared(key), nonce: nonce)
    }

    /// The same with a key that keeps its contexts.
    static func derivedKey(key: SecretStorage, nonce: Span<UInt8>) throws(OpenSSLFailure) -> SecretStorage {
        guard key.count == keyByteCount else { throw OpenSSLFailure(.invalidLength, "key") }
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        let element: KeyedCipher
        if let idle = key.ciphers.derivation.take() {
            element = idle
        } else {
            element = try key.withBytes { (bytes) throws(OpenSSLFailure) in
                KeyedCipher(try prepared(bytes))
            }
        }
        let derived = try derivedKey(context: element.context, nonce: nonce)
        key.ciphers.derivation.giveBack(element)
        return derived
    }

    /// AES-256 block by block under `key`, which has 32 bytes.
    private static func prepared(_ key: Span<UInt8>) throws(OpenSSLFailure) -> CipherContext {
        guard let type = unsafe AlgorithmTable.shared.aes256ECB.pointer else {
            throw OpenSSLFailure(.unavailable, "EVP_CIPHER_fetch")
        }
        let context = try CipherContext()
        let returnCode = unsafe key.withBase { base, _ in
            unsafe EVP_EncryptInit_ex2(context.pointer, type, base, nil, nil)
        }
        try require(returnCode, "EVP_EncryptInit_ex2")
        try require(unsafe EVP_CIPHER_CTX_set_padding(context.pointer, 0), "EVP_CIPHER_CTX_set_padding")
        return context
    }

    private static func derivedKey(
        context: borrowing CipherContext, nonce: Span<UInt8>
    ) throws(OpenSSLFailure) -> SecretStorage {
        // blocks: L and, from it, K1; then the two masked message blocks, encrypted in place.
        return try unsafe SecretStorage(count: 32) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else { return }
            try unsafe encrypt(base, blocks: 1, context)
            let carry = unsafe base[0] >> 7
            var subkey = InlineArray<16, UInt8>(repeating: 0)
            for index in 0..<16 {
                let next: UInt8 = unsafe index < 15 ? base[index + 1] >> 7 : 0
                subkey[index] = unsafe (base[index] << 1) | next
            }
            // The reduction of the doubling, without a branch on the secret bit.
            subkey[15] ^= 0x87 & (0 &- carry)
            for block in 0..<2 {
                for index in 0..<16 {
                    let message: UInt8
                    switch index {
                    case 0: message = 0
                    case 1: message = UInt8(block + 1)
                    case 2: message = 0x58
                    case 3: message = 0
                    default: message = nonce[index - 4]
                    }
                    unsafe base[block * 16 + index] = message ^ subkey[index]
                }
            }
            unsafe withUnsafeMutableBytes(of: &subkey) { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
            try unsafe encrypt(base, blocks: 2, context)
        }
    }

    private static func encrypt(
        _ base: UnsafeMutablePointer<UInt8>, blocks: Int, _ context: borrowing CipherContext
    ) throws(OpenSSLFailure) {
        var written: Int32 = 0
        let count = Int32(blocks * 16)
        try require(
            unsafe EVP_EncryptUpdate(context.pointer, base, &written, base, count), "EVP_EncryptUpdate")
        guard written == count else { throw OpenSSLFailure(.refused, "EVP_EncryptUpdate") }
    }
}
