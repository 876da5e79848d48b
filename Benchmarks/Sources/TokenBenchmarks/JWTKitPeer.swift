// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import JWTKit
import SignetCrypto
import SignetJOSE
import TokenFixtures

/// What jwt-kit signs and verifies with: the fixture's key, under the same identifier.
struct JWTKitPeer {
    let signs = JWTKeyCollection()
    let verifies = JWTKeyCollection()

    static let keyID = JWKIdentifier(string: Expected.keyID)

    static func hmac() async throws -> JWTKitPeer {
        let peer = JWTKitPeer()
        for keys in [peer.signs, peer.verifies] {
            await keys.add(
                hmac: JWTKit.HMACKey(from: PublishedKeys.hmac), digestAlgorithm: .sha256, kid: keyID
            )
        }
        return peer
    }

    static func rs256() async throws -> JWTKitPeer {
        let peer = JWTKitPeer()
        let pem = try PEM(.rs256)
        await peer.signs.add(
            rsa: try Insecure.RSA.PrivateKey(pem: pem.private), digestAlgorithm: .sha256, kid: keyID
        )
        await peer.verifies.add(
            rsa: try Insecure.RSA.PublicKey(pem: pem.public), digestAlgorithm: .sha256, kid: keyID)
        return peer
    }

    static func es256() async throws -> JWTKitPeer {
        let peer = JWTKitPeer()
        let pem = try PEM(.es256)
        await peer.signs.add(ecdsa: try ES256PrivateKey(pem: pem.private), kid: keyID)
        await peer.verifies.add(ecdsa: try ES256PublicKey(pem: pem.public), kid: keyID)
        return peer
    }

    static func edDSA() async throws -> JWTKitPeer {
        let peer = JWTKitPeer()
        let pem = try PEM(.edDSA)
        await peer.signs.add(eddsa: try EdDSA.PrivateKey(pem: pem.private), kid: keyID)
        await peer.verifies.add(eddsa: try EdDSA.PublicKey(pem: pem.public), kid: keyID)
        return peer
    }
}

/// A fixture's key as libcrypto and jwt-kit read it.
struct PEM {
    let `private`: String
    let `public`: String

    init(_ algorithm: SignatureAlgorithm) throws {
        try self.init(TokenFixture.signingKey(algorithm, keyID: Expected.keyID))
    }

    init(_ key: SigningKey) throws {
        `private` = try key.exportPrivatePEM().withExposedBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
        `public` = try key.verificationKey.jwk.publicPEM()
    }
}

/// The checks that Signet's policy makes, for jwt-kit, which leaves them to the payload.
extension IDTokenClaims: JWTPayload {
    package func verify(using algorithm: some JWTAlgorithm) throws {
        try checkClaims(iss, aud, exp, issuer: Expected.issuer, audience: Expected.audience)
    }
}

extension SessionClaims: JWTPayload {
    package func verify(using algorithm: some JWTAlgorithm) throws {
        try checkClaims(
            iss, aud, exp, issuer: Expected.sessionIssuer, audience: Expected.sessionAudience)
    }
}

/// The registered claims of an ID token, for jwt-kit; in Signet that is the form of `verify`
/// without a type.
struct RegisteredOnly: JWTPayload {
    var iss: String
    var sub: String
    var aud: String
    var iat: Int
    var exp: Int

    func verify(using algorithm: some JWTAlgorithm) throws {
        try checkClaims(iss, aud, exp, issuer: Expected.issuer, audience: Expected.audience)
    }
}

private func checkClaims(_ iss: String, _ aud: String, _ exp: Int, issuer: String, audience: String)
    throws
{
    guard iss == issuer, aud == audience, Double(exp) > Date().timeIntervalSince1970 else {
        throw BenchmarkError.wrongAnswer(.jwtKit)
    }
}
