// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestVectors

/// Keys in each form: a key that loads is written and reads back as itself.
extension FuzzTarget {
    static let jwk = FuzzTarget(
        "jwk", seeds: try SeedKeys.texts().map { Array($0.utf8) }
    ) { input in
        guard let key = try? JWK(input) else { return false }
        try holdSame(key)
        return true
    }

    /// Beside: no set verifies what none of its keys has signed.
    static let jwks = FuzzTarget(
        "jwks",
        seeds: try SeedKeys.sets()
    ) { input in
        guard let set = try? KeySet(jwks: input) else { return false }
        let text = try hold("a set that loads is written") { try set.jwksJSON() }
        let again = try hold("a written set is read") { try KeySet(jwks: text) }
        try hold(again.keys.count == set.keys.count, "a set reads back with all of its keys")
        try hold(
            (try? again.jwksJSON().utf8.elementsEqual(text.utf8)) == true,
            "a set reads back as it was written")
        let token = try hold("a text is signed") { try foreignToken.get() }
        try hold((try? JWSVerifier(keys: set).verify(token)) == nil, "a foreign token is refused")
        return !set.keys.isEmpty
    }

    static let pem = FuzzTarget("pem", seeds: try SeedKeys.pem()) { input in
        guard let key = try? JWK(pem: input) else { return false }
        try holdSame(key)
        return true
    }

    static let der = FuzzTarget("der", seeds: try SeedKeys.pem().map(SeedKeys.der)) { input in
        guard let key = try? JWK(der: input) else { return false }
        try holdSame(key)
        return true
    }

    static let x509 = FuzzTarget(
        "x509", seeds: SeedKeys.certificates.map { SeedKeys.der(Array($0.utf8)) }
    ) { input in
        guard let key = try? JWK(certificate: input) else { return false }
        try hold(!key.isPrivate, "a certificate holds a public key")
        try holdSame(key)
        return true
    }

    private static let foreignToken = Result {
        try JWSSigner(key: SigningKey.generate(.es256, keyID: "1")).sign(Array("{}".utf8))
    }

    private static func holdSame(_ key: JWK) throws {
        let thumbprint = try hold("a key has a thumbprint") { try key.thumbprint() }
        let isSame = { (other: JWK) throws in try other.thumbprint() == thumbprint }
        if !key.keyType.utf8.elementsEqual("oct".utf8) {
            let json = try hold("a public key is read") { try isSame(JWK(key.publicJSON())) }
            let pem = try hold("a public PEM is read") { try isSame(JWK(pem: key.publicPEM())) }
            try hold(json && pem, "a public key reads back as itself")
            guard key.isPrivate else { return }
            let secret = try hold("a private PEM is read") {
                try isSame(JWK(pem: copied(key.exportPrivatePEM())))
            }
            try hold(secret, "a private key reads back from PEM as itself")
        }
        guard key.isPrivate else { return }
        let (text, again) = try hold("a private key is read") {
            let text = copied(try key.exportPrivateJSON())
            return (text, copied(try JWK(text).exportPrivateJSON()))
        }
        try hold(text == again, "a private key reads back as itself")
    }
}

func copied(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withExposedBytes { bytes in bytes.indices.map { bytes[$0] } }
}
