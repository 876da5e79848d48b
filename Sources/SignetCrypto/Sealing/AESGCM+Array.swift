// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The same for arrays: the form for collections looks their type up at run time, which takes
/// longer than to open a short message.
extension AESGCM {
    /// As ``seal(_:using:authenticating:)`` for spans.
    public static func seal(
        _ plaintext: [UInt8], using key: SecretKey,
        authenticating data: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        try seal(plaintext.span, using: key, authenticating: data.span)
    }

    /// As ``seal(_:using:nonce:authenticating:)`` for spans.
    public static func seal(
        _ plaintext: [UInt8], using key: SecretKey, nonce: [UInt8],
        authenticating data: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        try seal(plaintext.span, using: key, nonce: nonce.span, authenticating: data.span)
    }

    /// As ``open(_:using:authenticating:)`` for spans.
    public static func open(
        _ combined: [UInt8], using key: SecretKey, authenticating data: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        try open(combined.span, using: key, authenticating: data.span)
    }
}
