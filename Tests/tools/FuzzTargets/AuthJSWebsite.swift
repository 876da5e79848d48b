// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens

/// A website with Auth.js whose secret is known: it encrypts any text as claims.
struct AuthJSWebsite: Sendable {
    static let v4 = Result { try AuthJSWebsite(.v4) }
    static let v5 = Result { try AuthJSWebsite(.v5) }
    static let now = 1_800_000_000.0

    let sessions: AuthJSSessions
    private let encrypter: JWEEncrypter

    private init(_ version: AuthJSSessions.Version) throws {
        let secret = "0123456789abcdef0123456789abcdef"
        sessions = try AuthJSSessions(
            version, secrets: [secret], clock: .fixed(secondsSince1970: Self.now))
        let name = sessions.cookieName
        let input = SecretKey(copying: secret.utf8)
        let isOlder = version == .v4
        let key =
            try isOlder
            ? KeyDerivation.hkdf(
                input, info: "NextAuth.js Generated Encryption Key".utf8, byteCount: 32)
            : KeyDerivation.hkdf(
                input, salt: name.utf8, info: "Auth.js Generated Encryption Key (\(name))".utf8,
                byteCount: 64)
        encrypter = try JWEEncrypter(
            to: EncryptionKey(secret: key, algorithm: .direct),
            content: isOlder ? .a256GCM : .a256CBCHS512)
    }

    func token(_ claims: [UInt8]) throws -> [UInt8] {
        Array(try encrypter.encrypt(claims).utf8)
    }
}
