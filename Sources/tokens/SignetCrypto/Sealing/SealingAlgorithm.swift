// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Authenticated encryption whose result is nonce, ciphertext and tag, joined.
///
/// ``AESGCM`` and ``XAES256GCM`` conform, and say which keys and nonces they take.
public protocol SealingAlgorithm: SendableMetatype {
    /// Length of the nonce in bytes, the only accepted length.
    static var nonceByteCount: Int { get }
    /// Length of the tag in bytes, the only accepted length.
    static var tagByteCount: Int { get }

    /// Encrypts `plaintext` and authenticates it together with `data`, under a new random nonce.
    static func seal(
        _ plaintext: Span<UInt8>, using key: SecretKey, authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8]

    /// Seals with a nonce of the caller, who must never use it again with the same key.
    static func seal(
        _ plaintext: Span<UInt8>, using key: SecretKey, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8]

    /// Opens what was sealed; throws `authenticationFailure` for anything that is not authentic.
    static func open(
        _ combined: Span<UInt8>, using key: SecretKey, authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8]
}

/// Sealing and opening any collection of bytes. A collection that is not contiguous is copied, and
/// the copy wiped.
extension SealingAlgorithm {
    /// Seals collections of bytes under a new random nonce, with the errors of the form for spans.
    public static func seal(
        _ plaintext: some Collection<UInt8>, using key: SecretKey,
        authenticating data: some Collection<UInt8> = []
    ) throws(CryptographyError) -> [UInt8] {
        try withSpans(of: plaintext, and: data) { (plaintext, data) throws(CryptographyError) in
            try seal(plaintext, using: key, authenticating: data)
        }
    }

    /// Seals collections of bytes with a nonce of the caller, who must never use it again with the
    /// same key.
    public static func seal(
        _ plaintext: some Collection<UInt8>, using key: SecretKey, nonce: some Collection<UInt8>,
        authenticating data: some Collection<UInt8> = []
    ) throws(CryptographyError) -> [UInt8] {
        try withSpan(of: nonce) { (nonce) throws(CryptographyError) in
            try withSpans(of: plaintext, and: data) { (plaintext, data) throws(CryptographyError) in
                try seal(plaintext, using: key, nonce: nonce, authenticating: data)
            }
        }
    }

    /// Opens what was sealed; throws `authenticationFailure` for anything that is not authentic.
    public static func open(
        _ combined: some Collection<UInt8>, using key: SecretKey,
        authenticating data: some Collection<UInt8> = []
    ) throws(CryptographyError) -> [UInt8] {
        try withSpans(of: combined, and: data) { (combined, data) throws(CryptographyError) in
            try open(combined, using: key, authenticating: data)
        }
    }
}

/// Calls `body` with the bytes of two collections.
@inline(__always)
private func withSpans(
    of first: some Collection<UInt8>, and second: some Collection<UInt8>,
    _ body: (Span<UInt8>, Span<UInt8>) throws(CryptographyError) -> [UInt8]
) throws(CryptographyError) -> [UInt8] {
    try withSpan(of: first) { (first) throws(CryptographyError) in
        try withSpan(of: second) { (second) throws(CryptographyError) in try body(first, second) }
    }
}

/// Sealing and opening arrays. The generic form looks the type up at run time, which takes longer
/// than opening a short message.
extension SealingAlgorithm {
    /// Seals an array under a new random nonce, with the errors of the form for spans.
    @inlinable
    public static func seal(
        _ plaintext: [UInt8], using key: SecretKey, authenticating data: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        try seal(plaintext.span, using: key, authenticating: data.span)
    }

    /// Seals an array with a nonce of the caller, who must never use it again with the same key.
    @inlinable
    public static func seal(
        _ plaintext: [UInt8], using key: SecretKey, nonce: [UInt8],
        authenticating data: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        try seal(plaintext.span, using: key, nonce: nonce.span, authenticating: data.span)
    }

    /// Opens what was sealed, given as an array; throws `authenticationFailure` if it is not
    /// authentic.
    @inlinable
    public static func open(
        _ combined: [UInt8], using key: SecretKey, authenticating data: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        try open(combined.span, using: key, authenticating: data.span)
    }
}
