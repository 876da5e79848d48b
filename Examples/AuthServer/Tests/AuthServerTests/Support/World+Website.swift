// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE

extension World {
    static let website = "https://www.company.example"
    static let websiteSecret = "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE="
    static let websiteCookie = "__Secure-authjs.session-token"

    /// A server for whose browsers the website signs in.
    static func withWebsite(
        _ body: @Sendable @escaping (World) async throws -> Void
    ) async throws {
        let settings = ["AUTH_WEBSITE": website, "AUTH_SECRET": websiteSecret]
        try await with(Options(settings: settings), body)
    }

    /// A session of the website as Auth.js 5 writes it, for a person whom its server knows by this
    /// claim. Auth.js also names the key.
    func websiteToken(
        _ user: JSONValue?, secret: String = World.websiteSecret, seconds: Int64 = 3600
    ) throws -> String {
        let now = Int64(clock.token.now().secondsSince1970)
        var claims: [String: JSONValue] = [
            "sub": .string(UUID().uuidString), "email": "ada@company.example",
            "iat": .integer(now), "exp": .integer(now + seconds),
        ]
        claims["authServerUser"] = user
        let name = Self.websiteCookie
        let key = try KeyDerivation.hkdf(
            SecretKey(copying: secret.utf8), salt: name.utf8,
            info: "Auth.js Generated Encryption Key (\(name))".utf8, byteCount: 64)
        let receiver = try EncryptionKey(secret: key, algorithm: .direct)
        return try JWEEncrypter(to: receiver, content: .a256CBCHS512)
            .encrypt(JSONEncoder().encode(claims))
    }

    /// The field of a browser that has this token.
    static func cookie(_ token: String) -> (String, String) {
        ("Cookie", "theme=dark; \(websiteCookie)=\(token)")
    }
}
