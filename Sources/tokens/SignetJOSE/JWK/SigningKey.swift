// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// A private key bound to a single algorithm. Printing shows nothing of the key.
///
/// ```swift
/// let made = try SigningKey.generate(.es256)
/// let kept = try made.exportPrivateJSON()
/// let again = try SigningKey(jwk: JWK(kept))
/// ```
public struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The algorithm that the key is bound to.
    public let algorithm: SignatureAlgorithm
    /// The identifier that signed tokens carry as `kid`: the key's own, or its thumbprint (RFC
    /// 7638).
    public let keyID: String
    /// The public half, which verifies what this key signs.
    public let verificationKey: VerificationKey
    package let creation: BoundKey
    private let jwk: JWK

    /// Binds a private JWK to its algorithm.
    ///
    /// Enforced: `use` is absent or `sig`; `key_ops` is absent or holds `sign`; `alg`, the curve
    /// and `algorithm` agree; RSA has at least 2048 bits.
    ///
    /// - Parameters:
    ///   - jwk: the key.
    ///   - algorithm: required for an RSA key without `alg`; if given, it must fit the key and its `alg`.
    /// - Throws: `privateKeyRequired`, `wrongKeyClass` for a symmetric key, `operationNotAllowed`,
    ///   `algorithmRequired`, `algorithmMismatch`, `unsupportedAlgorithm`.
    public init(jwk: JWK, algorithm: SignatureAlgorithm? = nil) throws(KeyError) {
        if case .octets = jwk.material {
            throw KeyError(
                .wrongKeyClass, "A symmetric key signs as an HMACKey, not as a SigningKey.")
        }
        guard jwk.isPrivate else {
            throw KeyError(
                .privateKeyRequired, "Signing takes a private key; this is the public half.")
        }
        try jwk.require(.sign)
        let chosen = try jwk.signatureAlgorithm(chosenByCaller: algorithm)
        let identifier = if let own = jwk.keyID { own } else { try jwk.thumbprint() }
        let namedKey = JWK(
            material: jwk.material, keyID: identifier, use: jwk.use,
            keyOperations: jwk.keyOperations,
            algorithm: chosen.name)
        self.algorithm = chosen
        keyID = identifier
        self.jwk = namedKey
        // The public half may verify what this key may sign: the `key_ops` of the private form are
        // about signing.
        verificationKey = try VerificationKey(
            jwk: JWK(
                material: jwk.material, keyID: identifier, use: jwk.use, keyOperations: nil,
                algorithm: chosen.name))
        creation = try jwk.bound(to: chosen, verb: "sign")
    }

    /// Binds a private key in PEM to its algorithm.
    ///
    /// - Parameters:
    ///   - pem: the text, armour included.
    ///   - algorithm: required for RSA; EC and Ed25519 imply theirs.
    ///   - keyID: the `kid` of signed tokens; nil means the thumbprint.
    /// - Throws: the errors of ``JWK/init(pem:keyID:)-(String,_)`` and ``init(jwk:algorithm:)``.
    public init(pem: String, algorithm: SignatureAlgorithm? = nil, keyID: String? = nil)
        throws(KeyError)
    {
        try self.init(jwk: JWK(pem: pem, keyID: keyID), algorithm: algorithm)
    }

    /// Generates a key pair.
    ///
    /// - Parameters:
    ///   - algorithm: the algorithm of the pair.
    ///   - keyID: the `kid`; nil means the thumbprint.
    ///   - rsaBitCount: for RSA only: 2048 to 8192, a multiple of 256.
    /// - Throws: `keyTooShort` for an RSA size out of range, `tooLarge` for a `keyID` of over 1,024
    ///   bytes, `libraryFailure`.
    public static func generate(
        _ algorithm: SignatureAlgorithm, keyID: String? = nil, rsaBitCount: Int = 2048
    ) throws(KeyError) -> SigningKey {
        try KeyDocument.checkKeyID(keyID)
        let key = try JWK.translatingErrors { () throws(CryptographyError) -> AsymmetricKey in
            switch algorithm.family {
            case .rsa: .rsaPrivate(try RSAPrivateKey.generate(bitCount: rsaBitCount))
            case .ec(let curve, _): .ecPrivate(try ECPrivateKey.generate(curve: curve))
            case .ed25519: .ed25519Private(try Ed25519PrivateKey.generate())
            }
        }
        return try SigningKey(
            jwk: JWK(material: .key(key), keyID: keyID, use: "sig", algorithm: algorithm.name))
    }

    /// The whole key as a JWK, including the secret. Write it only where secrets may be.
    public func exportPrivateJSON() throws(KeyError) -> SecretBytes { try jwk.exportPrivateJSON() }

    /// The whole key as PKCS#8 PEM, **not** encrypted. Write it only where secrets may be.
    public func exportPrivatePEM() throws(KeyError) -> SecretBytes { try jwk.exportPrivatePEM() }

    /// The algorithm and the identifier, nothing of the key.
    public var description: String {
        "SigningKey(\(algorithm.name), kid: \(keyID.printableName), redacted)"
    }

    /// Only the algorithm and the identifier.
    public var customMirror: Mirror {
        Mirror(self, children: ["algorithm": algorithm.name, "keyID": keyID])
    }
}
