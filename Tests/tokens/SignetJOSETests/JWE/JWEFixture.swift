// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// Keys of each kind for encrypted tokens, and a maker of tokens that are encrypted as the header
/// says, whatever else it says.
enum JWEFixture {
    static let secretBytes = [UInt8]((0..<64).map { UInt8($0 * 3 + 1) })

    static func secret(_ byteCount: Int) -> SecretKey {
        SecretKey(copying: secretBytes.prefix(byteCount))
    }

    static let keys = Result {
        [
            "RSA": JWK(material: .key(.rsaPrivate(try .generate())), keyID: nil),
            "P-256": JWK(material: .key(.ecPrivate(try .generate(curve: .p256))), keyID: nil),
            "P-384": JWK(material: .key(.ecPrivate(try .generate(curve: .p384))), keyID: nil),
            "P-521": JWK(material: .key(.ecPrivate(try .generate(curve: .p521))), keyID: nil),
            "X25519": JWK(material: .x25519Private(try .generate()), keyID: nil),
        ]
    }

    static func jwk(_ name: String) throws -> JWK {
        try #require(keys.get()[name])
    }

    /// A private or shared key for an algorithm.
    static func jwk(
        for algorithm: KeyManagementAlgorithm, content: ContentEncryptionAlgorithm,
        curve: String = "P-256"
    ) throws -> JWK {
        switch algorithm {
        case .direct: JWK(material: .octets(secret(content.keyByteCount)), keyID: nil)
        case .a128KW: JWK(material: .octets(secret(16)), keyID: nil)
        case .a192KW: JWK(material: .octets(secret(24)), keyID: nil)
        case .a256KW: JWK(material: .octets(secret(32)), keyID: nil)
        case .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW: try jwk(curve)
        case .rsaOAEP, .rsaOAEP256, .rsaOAEP384, .rsaOAEP512: try jwk("RSA")
        }
    }

    /// A token with `dir` whose content is encrypted for any header.
    static func directToken(
        header: String, payload: String = "hello", key: SecretKey = secret(32),
        content: ContentEncryption = .a256GCM
    ) throws -> String {
        let encoded = Array(Base64URL.encode(header.utf8).utf8)
        let sealed = try content.seal(
            Array(payload.utf8).span, using: key, authenticating: encoded.span)
        return token(encoded, encryptedKey: [], sealed: sealed, content: content)
    }

    /// A token of parts.
    static func token(
        _ header: [UInt8], encryptedKey: [UInt8], sealed: [UInt8], content: ContentEncryption
    ) -> String {
        let tagStart = sealed.count - content.tagByteCount
        let parts = [
            encryptedKey, Array(sealed.prefix(content.nonceByteCount)),
            Array(sealed[content.nonceByteCount..<tagStart]), Array(sealed[tagStart...]),
        ]
        return String(decoding: header, as: UTF8.self)
            + parts.map { "." + Base64URL.encode($0) }.joined()
    }
}
