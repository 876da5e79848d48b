// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

/// AES key wrap (RFC 3394, KW of NIST SP 800-38F): a key encrypted under another key, and
/// authenticated.
///
/// ```swift
/// let wrappingKey = try SecretKey.generate(bitCount: 128)
/// let wrapped = try AESKeyWrap.wrap(try SecretKey.generate(), using: wrappingKey)
/// let key = try AESKeyWrap.unwrap(wrapped, using: wrappingKey)
/// ```
///
/// It takes no nonce: the same key under the same wrapping key gives the same bytes. Use it for
/// random keys, never for text. **Not** here: the form with padding (RFC 5649).
public enum AESKeyWrap {
    /// Wraps a key.
    ///
    /// - Parameters:
    ///   - key: 16 to 4,096 bytes, a multiple of 8.
    ///   - wrappingKey: 16, 24 or 32 bytes.
    /// - Returns: 8 bytes more than the key.
    /// - Throws: `invalidKeySize` for either key; `unsupported` if the loaded libcrypto lacks the
    ///   algorithm.
    public static func wrap(
        _ key: SecretKey, using wrappingKey: SecretKey
    ) throws(CryptographyError) -> [UInt8] {
        try check(wrappingKey)
        guard KeyWrap.takes(byteCount: key.byteCount) else {
            let allowed = KeyWrap.keyByteCounts
            throw CryptographyError(
                .invalidKeySize,
                "AES key wrap takes a key of \(allowed.lowerBound) to \(allowed.upperBound) bytes, a multiple of 8, not \(key.byteCount)."
            )
        }
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try KeyWrap.wrap(key.storage, under: wrappingKey.storage)
        }
    }

    /// Unwraps a key, of any length that can be wrapped. Compare its length with what you need.
    ///
    /// - Parameters:
    ///   - wrapped: what ``wrap(_:using:)`` returned.
    ///   - wrappingKey: 16, 24 or 32 bytes.
    /// - Throws: `authenticationFailure` for every fault of `wrapped`, and for another wrapping key
    ///   of a right length; `invalidKeySize` for the length of the wrapping key; `unsupported`.
    public static func unwrap(
        _ wrapped: some Collection<UInt8>, using wrappingKey: SecretKey
    ) throws(CryptographyError) -> SecretKey {
        try withSpan(of: wrapped) { (wrapped) throws(CryptographyError) in
            try unwrap(wrapped, using: wrappingKey)
        }
    }

    package static func unwrap(
        _ wrapped: Span<UInt8>, using wrappingKey: SecretKey
    ) throws(CryptographyError) -> SecretKey {
        try check(wrappingKey)
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            SecretKey(storage: try KeyWrap.unwrap(wrapped, under: wrappingKey.storage))
        }
    }

    private static func check(_ key: SecretKey) throws(CryptographyError) {
        guard key.byteCount == 16 || key.byteCount == 24 || key.byteCount == 32 else {
            throw CryptographyError(
                .invalidKeySize, "AES key wrap takes a wrapping key of 16, 24 or 32 bytes.")
        }
    }
}
