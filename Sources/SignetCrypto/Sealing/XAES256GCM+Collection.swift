// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The same for any collection of bytes; one that is not contiguous is copied, and the copy wiped.
extension XAES256GCM {
    /// As ``seal(_:using:authenticating:)`` for spans.
    public static func seal(
        _ plaintext: some Collection<UInt8>, using key: SecretKey,
        authenticating data: some Collection<UInt8> = []
    ) throws(CryptoError) -> [UInt8] {
        try withSpan(of: plaintext) { (plaintext) throws(CryptoError) in
            try withSpan(of: data) { (data) throws(CryptoError) in
                try seal(plaintext, using: key, authenticating: data)
            }
        }
    }

    /// As ``seal(_:using:nonce:authenticating:)`` for spans.
    public static func seal(
        _ plaintext: some Collection<UInt8>, using key: SecretKey, nonce: some Collection<UInt8>,
        authenticating data: some Collection<UInt8> = []
    ) throws(CryptoError) -> [UInt8] {
        try withSpan(of: plaintext) { (plaintext) throws(CryptoError) in
            try withSpan(of: nonce) { (nonce) throws(CryptoError) in
                try withSpan(of: data) { (data) throws(CryptoError) in
                    try seal(plaintext, using: key, nonce: nonce, authenticating: data)
                }
            }
        }
    }

    /// As ``open(_:using:authenticating:)`` for spans.
    public static func open(
        _ combined: some Collection<UInt8>, using key: SecretKey,
        authenticating data: some Collection<UInt8> = []
    ) throws(CryptoError) -> [UInt8] {
        try withSpan(of: combined) { (combined) throws(CryptoError) in
            try withSpan(of: data) { (data) throws(CryptoError) in
                try open(combined, using: key, authenticating: data)
            }
        }
    }
}
