// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// The owner of a `BIGNUM`, wiped when it is freed.
@safe
struct BigNumber: ~Copyable {
    let pointer: OpaquePointer

    /// libcrypto takes lengths as an int. No number here exceeds an 8192-bit modulus, of 1,024
    /// bytes, by much.
    private static var maximumByteCount: Int { 4_096 }

    init(owning pointer: OpaquePointer?, operation: String) throws(OpenSSLFailure) {
        unsafe self.pointer = try unsafe require(pointer, operation)
    }

    /// An unsigned big-endian number. `secret` selects libcrypto's constant-time paths and marks
    /// the number as secure: libcrypto then wipes its copies, for example the parameters of a key,
    /// when it frees them.
    init(bigEndian bytes: Span<UInt8>, secret: Bool = false) throws(OpenSSLFailure) {
        guard bytes.count <= Self.maximumByteCount else {
            throw OpenSSLFailure(.invalidLength, "BN_bin2bn")
        }
        let target = try unsafe require(secret ? BN_secure_new() : BN_new(), "BN_new")
        guard unsafe bytes.withBase({ unsafe BN_bin2bn($0, Int32($1), target) }) != nil else {
            unsafe BN_clear_free(target)
            throw OpenSSLFailure.fromErrorQueue("BN_bin2bn")
        }
        if secret { unsafe BN_set_flags(target, BN_FLG_CONSTTIME) }
        unsafe pointer = unsafe target
    }

    deinit { unsafe BN_clear_free(pointer) }

    /// Hands the number to a new owner, which frees it.
    consuming func release() -> OpaquePointer {
        let pointer = unsafe pointer
        discard self
        return unsafe pointer
    }

    var isOdd: Bool { unsafe BN_is_odd(pointer) == 1 }
    var isOne: Bool { unsafe BN_is_one(pointer) == 1 }

    func isEqual(to other: borrowing BigNumber) -> Bool {
        unsafe BN_cmp(pointer, other.pointer) == 0
    }

    /// Length without leading zero bytes.
    var byteCount: Int { (Int(unsafe BN_num_bits(pointer)) + 7) / 8 }

    /// The number as exactly `count` big-endian bytes.
    func bigEndian(count: Int) throws(OpenSSLFailure) -> [UInt8] {
        guard count >= byteCount, count <= Self.maximumByteCount else {
            throw OpenSSLFailure(.invalidLength, "BN_bn2binpad")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe BN_bn2binpad(pointer, base, Int32(count))
        }
        guard written == Int32(count) else { throw OpenSSLFailure.fromErrorQueue("BN_bn2binpad") }
        return bytes
    }

    /// The number as `count` big-endian bytes in wiped storage.
    func secretBigEndian(count: Int) throws(OpenSSLFailure) -> SecretStorage {
        guard count >= byteCount, count <= Self.maximumByteCount else {
            throw OpenSSLFailure(.invalidLength, "BN_bn2binpad")
        }
        return try unsafe SecretStorage(count: count) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else {
                throw OpenSSLFailure(.noMemory, "BN_bn2binpad")
            }
            guard unsafe BN_bn2binpad(pointer, base, Int32(count)) == Int32(count) else {
                throw OpenSSLFailure.fromErrorQueue("BN_bn2binpad")
            }
        }
    }
}
