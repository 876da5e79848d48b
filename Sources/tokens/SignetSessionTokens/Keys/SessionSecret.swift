// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
public import SignetJOSE
internal import SignetMemory

/// Reads the secret of HS256 session tokens from a program's settings, such as `AUTH_SECRET`.
///
/// The caller names the encoding, which is never guessed: the 44 characters of `openssl rand
/// -base64 32` are 32 bytes with ``base64(_:keyID:algorithm:)-(String,_,_)`` but 44 different bytes
/// with `raw(_:keyID:algorithm:)`, and servers that disagree about the encoding reject each other's
/// tokens. Auth.js has a setting of the same name and never decodes it: ``AuthJSSessions`` takes
/// its text.
///
/// Checked: the encoding, the decoded length (at least 32 bytes; for HS384 and HS512 the hash's
/// length), and that the bytes are not a key file that may be public (PEM, SSH, JWK, DER). **Not**
/// checked: that the secret is random. A sentence is not random.
public enum SessionSecret {
    /// The minimum number of bytes, after decoding.
    public static let minimumByteCount = 32
    /// The maximum number of bytes, encoded or not.
    public static let maximumByteCount = 4_096

    /// A secret in standard base64 with padding (RFC 4648, section 4), as `openssl rand -base64 32`
    /// prints it. A single trailing line feed is removed. All further white space, the base64url
    /// alphabet, missing padding and non-zero trailing bits are rejected.
    ///
    /// - Parameters:
    ///   - text: the base64.
    ///   - keyID: the `kid` of tokens; give each secret its own.
    ///   - algorithm: the key's algorithm.
    /// - Throws: `invalidSecret` if the text is not standard base64, or its bytes are fewer than
    ///   32, more than 4,096 or a key file; `invalidIdentifier` for an empty or overlong `keyID`.
    public static func base64(
        _ text: String, keyID: String, algorithm: HMACAlgorithm = .hs256
    ) throws(IdentityConfigurationError) -> HMACKey {
        try base64(text.utf8.span, keyID: keyID, algorithm: algorithm)
    }

    /// A secret in standard base64 from a vault, by the rules of
    /// ``base64(_:keyID:algorithm:)-(String,_,_)``.
    public static func base64(
        _ text: borrowing SecretBytes, keyID: String, algorithm: HMACAlgorithm = .hs256
    ) throws(IdentityConfigurationError) -> HMACKey {
        try text.withExposedBytes { (bytes) throws(IdentityConfigurationError) in
            try base64(bytes, keyID: keyID, algorithm: algorithm)
        }
    }

    /// A secret of exactly these bytes. For a text: its UTF-8, including a final line feed.
    ///
    /// - Parameters:
    ///   - bytes: 32 random bytes or more.
    ///   - keyID: the `kid` of tokens; give each secret its own.
    ///   - algorithm: the key's algorithm.
    /// - Throws: `invalidSecret` under 32 bytes, over 4,096 bytes or for a key file;
    ///   `invalidIdentifier` for an empty or overlong `keyID`.
    public static func raw(
        _ bytes: some Collection<UInt8>, keyID: String, algorithm: HMACAlgorithm = .hs256
    ) throws(IdentityConfigurationError) -> HMACKey {
        try key(SecretKey(copying: bytes), keyID: keyID, algorithm: algorithm)
    }

    /// A secret of exactly these bytes from a vault, by the rules of `raw(_:keyID:algorithm:)`.
    public static func raw(
        _ bytes: borrowing SecretBytes, keyID: String, algorithm: HMACAlgorithm = .hs256
    ) throws(IdentityConfigurationError) -> HMACKey {
        let secret = bytes.withExposedBytes { SecretKey(copying: $0) }
        return try key(secret, keyID: keyID, algorithm: algorithm)
    }

    private static func base64(
        _ text: Span<UInt8>, keyID: String, algorithm: HMACAlgorithm
    ) throws(IdentityConfigurationError) -> HMACKey {
        var end = text.count
        if end > 0, text[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        guard end <= maximumByteCount, var bytes = Base64Standard.decode(text.extracting(0..<end))
        else {
            throw IdentityConfigurationError(
                .invalidSecret,
                "The secret is not standard base64 with padding, on one line: what `openssl rand -base64 32` prints."
            )
        }
        defer { cleanse(&bytes) }
        return try key(SecretKey(copying: bytes), keyID: keyID, algorithm: algorithm)
    }

    private static func key(
        _ secret: SecretKey, keyID: String, algorithm: HMACAlgorithm
    ) throws(IdentityConfigurationError) -> HMACKey {
        try SessionKeyRing.checkIdentifier(keyID)
        let minimum = max(minimumByteCount, algorithm.minimumKeyByteCount)
        // The message does not give the length that was found, because the secret's length is part
        // of the secret.
        guard (minimum...maximumByteCount).contains(secret.byteCount) else {
            throw IdentityConfigurationError(
                .invalidSecret,
                "The secret does not have \(minimum) to 4,096 bytes: take for example what `openssl rand -base64 \(minimum)` prints."
            )
        }
        do {
            return try HMACKey(secret: secret, algorithm: algorithm, keyID: keyID)
        } catch {
            throw IdentityConfigurationError(
                .invalidSecret, underlying: error, "\(messageOf: error)")
        }
    }
}
