// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCrypto
internal import SignetJSON

/// A refresh token: the handle of its family, and a secret that changes with each rotation.
///
/// The text is `srt_` and 48 bytes in base64url. The database has only SHA-256 hashes of the handle
/// and of the whole token. A caller that presents a known handle with an unknown secret has, or
/// had, an earlier token of the family: there is no other place to have the handle from.
struct RefreshTokenValue: Redacted {
    private static let prefix = Array("srt_".utf8)
    private static let handleByteCount = 16
    private static let secretByteCount = 32
    /// The prefix, and 64 characters for the 48 bytes of handle and secret.
    private static let textByteCount = prefix.count + 64

    private let handle: [UInt8]
    private let secret: [UInt8]

    /// The first token of a new family.
    init() throws(AccountError) {
        handle = try .random(count: Self.handleByteCount)
        secret = try .random(count: Self.secretByteCount)
    }

    /// A token as it was presented.
    ///
    /// - Throws: `invalidGrant` for a text that is not a refresh token of ours.
    init(presented text: String) throws(AccountError) {
        // "srt_" and 64 characters, which are base64url of 48 bytes:
        // offset  size  field
        //      0    16  handle
        //     16    32  secret
        guard text.utf8.count == Self.textByteCount, text.utf8.starts(with: Self.prefix),
            let bytes = try? Base64URL.decode(text.dropFirst(Self.prefix.count)),
            bytes.count == Self.handleByteCount + Self.secretByteCount
        else { throw .invalidGrant }
        handle = Array(bytes.prefix(Self.handleByteCount))
        secret = Array(bytes.dropFirst(Self.handleByteCount))
    }

    private init(handle: [UInt8], secret: [UInt8]) {
        self.handle = handle
        self.secret = secret
    }

    /// The text that a client keeps.
    var text: String { String(decoding: Self.prefix, as: UTF8.self) + Base64URL.encode(bytes) }

    /// The hash by which the database knows the family.
    var familyHash: [UInt8] { get throws(AccountError) { try Self.digest(handle) } }

    /// The hash by which the database knows this token.
    var hash: [UInt8] { get throws(AccountError) { try Self.digest(bytes) } }

    /// A new token of the family.
    func successor() throws(AccountError) -> RefreshTokenValue {
        RefreshTokenValue(handle: handle, secret: try .random(count: Self.secretByteCount))
    }

    /// Seals the successor so that only this token opens it: the key comes from this token's
    /// secret. The result is bound to this token's hash, under which the database keeps it.
    func seal(_ successor: RefreshTokenValue) throws(AccountError) -> [UInt8] {
        let key = try sealingKey()
        let boundHash = try hash
        return try translatingErrors { () throws(CryptographyError) in
            try AESGCM.seal(successor.secret.span, using: key, authenticating: boundHash.span)
        }
    }

    /// The successor that was sealed for this token.
    ///
    /// - Throws: `corrupt` for a successor of a different token.
    func open(_ sealed: [UInt8]) throws(AccountError) -> RefreshTokenValue {
        // Sealed: nonce (12), the successor's secret (32), tag (16).
        let key = try sealingKey()
        let boundHash = try hash
        let successorSecret = try translatingErrors { () throws(CryptographyError) in
            try AESGCM.open(sealed.span, using: key, authenticating: boundHash.span)
        }
        guard successorSecret.count == Self.secretByteCount else {
            throw AccountError(
                .corrupt, "A sealed refresh token does not have the length of a refresh token.")
        }
        return RefreshTokenValue(handle: handle, secret: successorSecret)
    }

    private var bytes: [UInt8] { handle + secret }

    private func sealingKey() throws(AccountError) -> SecretKey {
        try translatingErrors { () throws(CryptographyError) in
            try KeyDerivation.hkdf(
                SecretKey(copying: secret), salt: handle, info: Array("signet successor".utf8),
                byteCount: 32)
        }
    }

    private static func digest(_ bytes: [UInt8]) throws(AccountError) -> [UInt8] {
        try translatingErrors { () throws(CryptographyError) in
            try MessageDigest.digest(bytes, using: .sha256)
        }
    }
}

/// 128 random bits, as the name of a session.
func randomIdentifier() throws(AccountError) -> String {
    Base64URL.encode(try [UInt8].random(count: 16))
}

private func translatingErrors<Value>(
    _ body: () throws(CryptographyError) -> Value
) throws(AccountError) -> Value {
    do { return try body() } catch {
        guard error.code == .authenticationFailure else {
            throw AccountError(
                .unavailable, underlying: error, "libcrypto failed (\(error.code)).")
        }
        throw AccountError(
            .corrupt, underlying: error, "A sealed refresh token was changed in the database.")
    }
}
