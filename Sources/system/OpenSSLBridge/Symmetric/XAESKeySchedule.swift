// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

/// The key derivation of XAES-256-GCM (C2SP): CMAC-based counter-mode KDF (NIST SP 800-108r1) with
/// AES-256, built from single AES blocks because OpenSSL 3.0 cannot set the counter length.
package enum XAESKeySchedule {
    package static var keyByteCount: Int { 32 }
    package static var nonceByteCount: Int { 24 }

    /// The AES-256-GCM key for the first 12 bytes of `nonce`; the last 12 bytes are GCM's own
    /// nonce.
    package static func derivedKey(key: Span<UInt8>, nonce: Span<UInt8>) throws(OpenSSLFailure)
        -> SecretStorage
    {
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        let derivation = try XAESDerivation(SecretStorage(copying: key))
        return try unsafe SecretStorage(count: keyByteCount) { (target) throws(OpenSSLFailure) in
            try unsafe nonce.withBase { (nonce, _) throws(OpenSSLFailure) in
                try unsafe derivation.withDerivedKey(nonce: nonce) { derived in
                    unsafe target.baseAddress?.update(from: derived, count: keyByteCount)
                }
            }
        }
    }
}

/// Derives the keys of XAES under a key: AES-256 and CMAC's subkey K1, which is the same for each
/// nonce.
@safe
struct XAESDerivation: ~Copyable {
    private let context: CipherContext
    // K1 as a big-endian number, in two native words.
    private let subkey: SecretStorage

    init(_ key: SecretStorage) throws(OpenSSLFailure) {
        // libcrypto takes no key length.
        guard key.count == XAESKeySchedule.keyByteCount else {
            throw OpenSSLFailure(.invalidLength, "key")
        }
        let type = try unsafe AlgorithmTable.shared.aes256ECB.required()
        let context = try CipherContext()
        try require(
            unsafe EVP_EncryptInit_ex2(context.pointer, type, key.start, nil, nil),
            "EVP_EncryptInit_ex2")
        try require(
            unsafe EVP_CIPHER_CTX_set_padding(context.pointer, 0), "EVP_CIPHER_CTX_set_padding")
        var blocks = InlineArray<4, UInt64>(repeating: 0)
        try Self.encrypt(&blocks, context: context)
        let first = UInt64(bigEndian: blocks[0])
        let second = UInt64(bigEndian: blocks[1])
        // K1 is the block of zeros, encrypted and doubled in GF(2^128) (SP 800-38B, section 6.1),
        // without a branch on the secret bit.
        blocks[0] = first << 1 | second >> 63
        blocks[1] = second << 1 ^ (0x87 & (0 &- (first >> 63)))
        subkey = unsafe withUnsafeBytes(of: &blocks) { bytes in
            unsafe SecretStorage(count: 16) {
                unsafe UnsafeMutableRawBufferPointer($0).copyBytes(from: bytes.prefix(16))
            }
        }
        Self.wipe(&blocks)
        self.context = context
    }

    /// Calls `body` with the key for a nonce of 24 bytes, of which the first 12 are used.
    @inline(__always)
    func withDerivedKey(
        nonce: UnsafePointer<UInt8>, _ body: (UnsafePointer<UInt8>) throws(OpenSSLFailure) -> Void
    ) throws(OpenSSLFailure) {
        // Two blocks of 16 bytes: a counter (1, then 2) in two bytes, "X" (58), zero, and the first
        // 12 bytes of the nonce. As in CMAC, K1 is added to each block before AES. The two results
        // are the key.
        let start = unsafe UInt64(
            UInt32(bigEndian: UnsafeRawPointer(nonce).loadUnaligned(as: UInt32.self)))
        let rest = unsafe UInt64(
            bigEndian: UnsafeRawPointer(nonce + 4).loadUnaligned(as: UInt64.self))
        let (high, low) = unsafe UnsafeRawPointer(subkey.start).loadUnaligned(
            as: (UInt64, UInt64).self)
        var blocks = InlineArray<4, UInt64>(repeating: (rest ^ low).bigEndian)
        blocks[0] = (0x0001_5800_0000_0000 ^ start ^ high).bigEndian
        blocks[2] = (0x0002_5800_0000_0000 ^ start ^ high).bigEndian
        defer { Self.wipe(&blocks) }
        try Self.encrypt(&blocks, context: context)
        try unsafe withUnsafeBytes(of: &blocks) { (bytes) throws(OpenSSLFailure) in
            guard let base = bytes.baseAddress else { throw OpenSSLFailure(.noMemory, "key") }
            try unsafe body(base.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Two blocks of AES, in place.
    @inline(__always)
    private static func encrypt(
        _ blocks: inout InlineArray<4, UInt64>, context: borrowing CipherContext
    ) throws(OpenSSLFailure) {
        let pointer = unsafe context.pointer
        var written: Int32 = 0
        let returnCode = unsafe withUnsafeMutableBytes(of: &blocks) { bytes in
            let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe EVP_EncryptUpdate(pointer, base, &written, base, 32)
        }
        try require(returnCode, "EVP_EncryptUpdate")
        guard written == 32 else { throw OpenSSLFailure(.refused, "EVP_EncryptUpdate") }
    }

    @inline(__always)
    private static func wipe(_ blocks: inout InlineArray<4, UInt64>) {
        unsafe withUnsafeMutableBytes(of: &blocks) {
            unsafe OPENSSL_cleanse($0.baseAddress, $0.count)
        }
    }
}
