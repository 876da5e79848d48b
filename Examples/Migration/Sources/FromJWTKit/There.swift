// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JWTKit

/// A program that uses jwt-kit.
enum There {
    struct Session: JWTPayload {
        var iss: IssuerClaim
        var aud: AudienceClaim
        var sub: SubjectClaim
        var exp: ExpirationClaim
        var admin: Bool

        func verify(using key: some JWTAlgorithm) throws {
            try exp.verifyNotExpired()
            try aud.verifyIntendedAudience(includes: "api")
            guard iss.value == "https://idp.example" else {
                throw JWTError.claimVerificationFailure(failedClaim: iss, reason: "issuer")
            }
        }
    }

    static func sign(with pem: String) async throws -> String {
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: try ES256PrivateKey(pem: pem), kid: "2026-11")

        let session = Session(
            iss: "https://idp.example", aud: "api", sub: "user-1093",
            exp: .init(value: Date(timeIntervalSinceNow: 300)), admin: true)
        return try await keys.sign(session, kid: "2026-11")
    }

    static func verify(_ compact: String, jwks: String) async throws -> String {
        let keys = try await JWTKeyCollection().add(jwksJSON: jwks)

        let session = try await keys.verify(compact, as: Session.self)
        return session.sub.value
    }

    static func verify(_ compact: String, secret: String) async throws -> String {
        let keys = JWTKeyCollection()
        await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256, kid: "2026-11")
        return try await keys.verify(compact, as: Session.self).sub.value
    }

    /// A payload that leaves `verify(using:)` empty.
    struct Unchecked: JWTPayload {
        var sub: SubjectClaim
        func verify(using key: some JWTAlgorithm) throws {}
    }

    static func verifyUnchecked(_ compact: String, secret: String) async throws -> String {
        let keys = JWTKeyCollection()
        await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256, kid: "2026-11")
        return try await keys.verify(compact, as: Unchecked.self).sub.value
    }
}
