// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Authenticated encryption with one result: nonce, ciphertext and tag.
///
/// ``AESGCM`` and ``XAES256GCM`` are such algorithms, and say which keys and nonces they take.
public protocol SealingAlgorithm: SendableMetatype {
    /// Length of the nonce in bytes; no other is accepted.
    static var nonceByteCount: Int { get }
    /// Length of the tag in bytes; no other is accepted.
    static var tagByteCount: Int { get }

    /// Encrypts `plaintext` and authenticates it together with `data`, under a new random nonce.
    static func seal(
        _ plaintext: Span<UInt8>, using key: SecretKey, authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8]

    /// The same with a nonce of the caller's, who vouches that no nonce is used twice with the same
    /// key.
    static func seal(
        _ plaintext: Span<UInt8>, using key: SecretKey, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8]

    /// Opens what was sealed; `authenticationFailure` for everything that is not authentic.
    static func open(
        _ combined: Span<UInt8>, using key: SecretKey, authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8]
}

/// Takes any collection of bytes. A collection that is not contiguous is copied; the copy is wiped.
extension SealingAlgorithm {
    /// As the form for spans.
    public static func seal(
        _ plaintext: some Collection<UInt8>, using key: SecretKey,
        authenticating data: some Collection<UInt8> = []
    ) throws(CryptographyError) -> [UInt8] {
        try withSpan(of: plaintext) { (plaintext) throws(CryptographyError) in
            try withSpan(of: data) { (data) throws(CryptographyError) in
                try seal(plaintext, using: key, authenticating: data)
            }
        }
    }

    /// As the form for spans.
    public static func seal(
        _ plaintext: some Collection<UInt8>, using key: SecretKey, nonce: some Collection<UInt8>,
        authenticating data: some Collection<UInt8> = []
    ) throws(CryptographyError) -> [UInt8] {
        try withSpan(of: plaintext) { (plaintext) throws(CryptographyError) in
            try withSpan(of: nonce) { (nonce) throws(CryptographyError) in
                try withSpan(of: data) { (data) throws(CryptographyError) in
                    try seal(plaintext, using: key, nonce: nonce, authenticating: data)
                }
            }
        }
    }

    /// As the form for spans.
    public static func open(
        _ combined: some Collection<UInt8>, using key: SecretKey,
        authenticating data: some Collection<UInt8> = []
    ) throws(CryptographyError) -> [UInt8] {
        try withSpan(of: combined) { (combined) throws(CryptographyError) in
            try withSpan(of: data) { (data) throws(CryptographyError) in
                try open(combined, using: key, authenticating: data)
            }
        }
    }
}

/// The same for arrays: the form for collections looks their type up at run time, which takes
/// longer than to open a short message.
extension SealingAlgorithm {
    /// As the form for spans.
    @inlinable
    public static func seal(
        _ plaintext: [UInt8], using key: SecretKey, authenticating data: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        try seal(plaintext.span, using: key, authenticating: data.span)
    }

    /// As the form for spans.
    @inlinable
    public static func seal(
        _ plaintext: [UInt8], using key: SecretKey, nonce: [UInt8],
        authenticating data: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        try seal(plaintext.span, using: key, nonce: nonce.span, authenticating: data.span)
    }

    /// As the form for spans.
    @inlinable
    public static func open(
        _ combined: [UInt8], using key: SecretKey, authenticating data: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        try open(combined.span, using: key, authenticating: data.span)
    }
}
