// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// A key pair that somebody makes for one token.
struct TokenSender: Sendable {
    let material: JWKMaterial
    /// The public half, as a header's `epk` has it.
    let publicJWK: String
    /// `x` of the public half.
    let x: String

    init(_ curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve: curve)
        try self.init(.key(.ecPrivate(key)), x: key.publicKey.x)
    }

    init() throws {
        let key = try X25519PrivateKey.generate()
        try self.init(.x25519Private(key), x: key.publicKey.rawRepresentation)
    }

    private init(_ material: JWKMaterial, x: [UInt8]) throws {
        self.material = material
        publicJWK = try JWK(material: material, keyID: nil).publicJSON()
        self.x = Base64URL.encode(x)
    }
}
