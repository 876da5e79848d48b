// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension Check {
    /// What is published of a key agreement beside the keys: the shared secret, and perhaps a key
    /// that is derived from it.
    struct Agreement: Sendable {
        let shared: [UInt8]
        var algorithmID = Array("A256GCM".utf8)
        var partyUInfo: [UInt8] = []
        var partyVInfo: [UInt8] = []
        var byteCount = 32
        /// nil if the publisher derives no key.
        var derived: [UInt8]?
    }

    /// ECDH on a NIST curve.
    static func agreement(
        _ curve: EllipticCurve, scalar: [UInt8], x: [UInt8], y: [UInt8], published: Agreement
    ) -> Body {
        agreement(published) { (agreement) throws(CryptographyError) in
            let other = try ECPublicKey(curve: curve, x: x, y: y)
            let own = try ECPrivateKey(curve: curve, privateScalar: SecretKey(copying: scalar))
            return try agreement.key(of: own, with: other, byteCount: published.byteCount)
        }
    }

    /// X25519.
    static func x25519(scalar: [UInt8], coordinate: [UInt8], published: Agreement) -> Body {
        agreement(published) { (agreement) throws(CryptographyError) in
            let other = try X25519PublicKey(rawRepresentation: coordinate)
            let own = try X25519PrivateKey(privateScalar: SecretKey(copying: scalar))
            return try agreement.key(of: own, with: other, byteCount: published.byteCount)
        }
    }

    /// The secret itself is never returned, so the key that comes from the published secret is
    /// compared.
    private static func agreement(
        _ published: Agreement,
        _ derive: @escaping @Sendable (KeyAgreement) throws(CryptographyError) -> SecretKey
    ) -> Body {
        crypto { () throws(CryptographyError) in
            let agreement = try KeyAgreement(
                algorithmID: published.algorithmID, partyUInfo: published.partyUInfo,
                partyVInfo: published.partyVInfo)
            let derived = try derive(agreement)
            let expected = try agreement.key(
                sharedSecret: SecretKey(copying: published.shared), byteCount: published.byteCount)
            guard derived == expected else { return .differed("another secret is shared") }
            guard let key = published.derived else { return .accepted }
            return derived.equals(key) ? .accepted : .differed("another key came out")
        }
    }

    /// The concatenation KDF with a published OtherInfo.
    static func concatKDF(
        shared: [UInt8], otherInfo: [UInt8], byteCount: Int, output: [UInt8]
    ) -> Body {
        crypto { () throws(CryptographyError) in
            let derived = try KeyAgreement.key(
                sharedSecret: SecretKey(copying: shared), otherInfo: otherInfo,
                byteCount: byteCount)
            return derived.equals(output) ? .accepted : .differed("another key came out")
        }
    }
}
