// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

/// Readers of Auth.js's sessions at the figures' second, and tokens of any claims.
enum AuthJSFixture {
    static let now = 1_800_000_000.0

    static func sessions(
        _ version: AuthJSSessions.Version = .v5, secrets: [String] = [AuthJSFigures.secret],
        cookieName: AuthJSSessions.CookieName = .secure, at seconds: Double = now
    ) throws -> AuthJSSessions {
        try AuthJSSessions(
            version, secrets: secrets, cookieName: cookieName,
            clock: .fixed(secondsSince1970: seconds))
    }

    /// The reader that a figure is for, with other secrets if any are given.
    static func sessions(
        for figure: AuthJSFigures.Figure, secrets: [String]? = nil
    ) throws -> AuthJSSessions {
        try AuthJSSessions(
            figure.version, secrets: secrets ?? [figure.secret],
            cookieName: .custom(figure.cookieName), secretLength: .notChecked,
            clock: .fixed(secondsSince1970: now))
    }

    static func open(_ token: String, with sessions: AuthJSSessions) throws -> AuthJSSession {
        try sessions.verify(sessions.token(cookies: ["\(sessions.cookieName)=\(token)"]))
    }

    static func figure(_ name: String) throws -> AuthJSFigures.Figure {
        try #require(AuthJSFigures.all.first { $0.testDescription == name })
    }

    /// All claims of a good token, to be altered.
    static func claims() -> [String: JSONValue] {
        [
            "sub": .string("user-1"), "email": .string("ann@example.com"),
            "iat": .integer(Int64(now)), "exp": .integer(Int64(now) + 3600),
            "jti": .string("token-1"),
        ]
    }

    /// A token of these claims, and why it is refused; nil if it is not.
    static func refusalOfToken(
        _ claims: [String: JSONValue], at seconds: Double = now
    ) throws -> TokenError? {
        let sessions = try Self.sessions(at: seconds)
        let token = try sessions.makeToken(claims)
        return refusal { try open(token, with: sessions) }
    }

    /// The key of version 5 for the default cookie, of any length.
    static func key(byteCount: Int = 64) throws -> SecretKey {
        let name = "__Secure-authjs.session-token"
        return try KeyDerivation.hkdf(
            SecretKey(copying: AuthJSFigures.secret.utf8), salt: name.utf8,
            info: "Auth.js Generated Encryption Key (\(name))".utf8, byteCount: byteCount)
    }

    /// `kid` of a token.
    static func keyID(of token: String) throws -> String? {
        struct Header: Decodable {
            let kid: String?
        }
        let part = try #require(token.split(separator: ".").first)
        return try JSONTokenDecoder().decode(Header.self, from: Base64URL.decode(part)).kid
    }

    /// A token that is encrypted as its header says.
    static func token(
        key: SecretKey, algorithm: KeyManagementAlgorithm = .direct,
        content: ContentEncryptionAlgorithm = .a256CBCHS512, keyID: String?,
        payload: [UInt8]? = nil
    ) throws -> String {
        try JWEEncrypter(
            to: EncryptionKey(secret: key, algorithm: algorithm, keyID: keyID), content: content
        ).encrypt(payload ?? JSONTokenEncoder().encode(claims()))
    }
}
