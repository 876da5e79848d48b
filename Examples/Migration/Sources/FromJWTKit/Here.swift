// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// The same program with Signet.
enum Here {
    struct Session: Codable {
        var iss: String
        var aud: String
        var sub: String
        var admin: Bool
    }

    static func sign(with pem: String) throws -> String {
        let key = try SigningKey(pem: pem, keyID: "2026-11")

        let session = Session(
            iss: "https://idp.example", aud: "api", sub: "user-1093", admin: true)
        return try TokenSigner(key: key).sign(session, lifetime: .seconds(300))
    }

    static func verify(_ compact: String, jwks: String) throws -> String {
        let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
        let verifier = TokenVerifier(keys: try KeySet(jwks: jwks), policy: policy)

        let token = try verifier.verify(compact, as: Session.self)
        return token.claims.sub
    }

    static func verify(_ compact: String, secret: String) throws -> String {
        let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
        let key = try HMACKey(
            secret: SecretKey(copying: secret.utf8), algorithm: .hs256, keyID: "2026-11")
        let verifier = try TokenVerifier(hmacKey: key, policy: policy)
        return try verifier.verify(compact, as: Session.self).claims.sub
    }
}
