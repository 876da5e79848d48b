// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
internal import SignetMemory

/// The key of Auth.js's tokens that belongs to one secret and one cookie name.
struct AuthJSKey: Sendable {
    let secret: SecretKey
    let content: ContentEncryptionAlgorithm
    /// `kid` of tokens: the thumbprint of the key. Nil in version 4, whose tokens name no key.
    let keyID: String?
    let decrypter: JWEDecrypter

    /// Derives the key by HKDF (RFC 5869) with SHA-256, as Auth.js does.
    ///
    /// - Throws: `CryptographyError`, `KeyError`.
    init(deriving input: SecretKey, version: AuthJSSessions.Version, cookieName: String) throws {
        switch version {
        case .v5:
            content = .a256CBCHS512
            secret = try KeyDerivation.hkdf(
                input, salt: cookieName.utf8,
                info: "Auth.js Generated Encryption Key (\(cookieName))".utf8,
                byteCount: content.keyByteCount)
            keyID = try Self.thumbprint(of: secret)
        case .v4:
            content = .a256GCM
            secret = try KeyDerivation.hkdf(
                input, info: "NextAuth.js Generated Encryption Key".utf8,
                byteCount: content.keyByteCount)
            keyID = nil
        }
        decrypter = JWEDecrypter(
            key: try DecryptionKey(
                secret: secret, algorithm: .direct, content: [content], keyID: keyID))
    }

    /// The SHA-512 thumbprint of a symmetric key (RFC 7638), of whose text no copy is left.
    private static func thumbprint(of key: SecretKey) throws(CryptographyError) -> String {
        var text = [UInt8]()
        // A growing array would leave copies of its earlier storage.
        text.reserveCapacity(2 * key.byteCount + 32)
        defer { cleanse(&text) }
        text.append(contentsOf: #"{"k":""#.utf8)
        key.withExposedBytes { Base64.url.append(encoding: $0, to: &text) }
        text.append(contentsOf: #"","kty":"oct"}"#.utf8)
        return Base64URL.encode(try MessageDigest.digest(text, using: .sha512))
    }
}
