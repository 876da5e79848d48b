// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// A public key bound to a single algorithm: the only kind of key that verifies signatures made
/// elsewhere.
///
/// ```swift
/// let key = try VerificationKey(pem: pem, algorithm: .ps256, keyID: "2026-11")
/// print(try key.jwk.publicJSON())
/// print(try key.jwk.thumbprint())
/// ```
///
/// A symmetric key cannot become a `VerificationKey`, nor a public key an ``HMACKey``.
public struct VerificationKey: Sendable, CustomStringConvertible {
    /// The algorithm that the key is bound to; a token's header must name it.
    public let algorithm: SignatureAlgorithm
    /// The identifier that a token's `kid` must equal; nil if the key has no identifier.
    public let keyID: String?
    /// The public key as a JWK. It names the algorithm, except for an Ed25519 key that accepts
    /// `Ed25519` and `EdDSA`.
    public let jwk: JWK
    /// The key in the form that verifies.
    let checking: SignatureKey

    /// Binds a JWK to its algorithm. The private half of a private key is dropped.
    ///
    /// Enforced: `use` is absent or `sig`; `key_ops` is absent or holds `verify` (or `sign` for a
    /// private key); `alg`, the curve and `algorithm` agree; RSA has at least 2048 bits.
    ///
    /// - Parameters:
    ///   - jwk: the key.
    ///   - algorithm: required for an RSA key without `alg`; if given, it must fit the key and its `alg`.
    /// - Throws: `operationNotAllowed`, `algorithmRequired`, `algorithmMismatch`,
    ///   `unsupportedAlgorithm`, `wrongKeyClass` for a symmetric key.
    public init(jwk: JWK, algorithm: SignatureAlgorithm? = nil) throws(KeyError) {
        let publicKey = try jwk.publicKey()
        try publicKey.require(.verify)
        let chosen = try publicKey.signatureAlgorithm(chosenByCaller: algorithm)
        self.algorithm = chosen
        keyID = publicKey.keyID
        let acceptsBothNames = jwk.algorithm == nil && algorithm == nil && chosen.family == .ed25519
        // Named in the JWK, or a PS256 key would be published as "some RSA key" and read back as
        // RS256.
        self.jwk = JWK(
            material: publicKey.material, keyID: publicKey.keyID, use: publicKey.use,
            keyOperations: publicKey.keyOperations, algorithm: acceptsBothNames ? nil : chosen.name)
        checking = SignatureKey(
            keyID: keyID, algorithm: .signature(chosen),
            alternative: acceptsBothNames ? .signature(.ed25519) : nil,
            operation: .publicKey(try publicKey.bound(to: chosen, verb: "verify")))
    }

    /// Binds a public key (or the public half of a private key) in PEM to its algorithm.
    ///
    /// - Parameters:
    ///   - pem: the text, armour included.
    ///   - algorithm: required for RSA; EC and Ed25519 imply theirs.
    ///   - keyID: the `kid` that tokens carry; without it, a verifier for this key alone accepts
    ///     any `kid`.
    /// - Throws: the errors of ``JWK/init(pem:keyID:)-(String,_)`` and ``init(jwk:algorithm:)``.
    public init(pem: String, algorithm: SignatureAlgorithm? = nil, keyID: String? = nil)
        throws(KeyError)
    {
        try self.init(jwk: JWK(pem: pem, keyID: keyID), algorithm: algorithm)
    }

    /// Whether a header that names `algorithm` may be verified with this key.
    func verifies(under algorithm: SignatureAlgorithm) -> Bool {
        checking.verifies(under: .signature(algorithm))
    }

    /// The algorithm and the identifier.
    public var description: String {
        "VerificationKey(\(algorithm.name)\(keyID.map { ", kid: \($0.printableName)" } ?? ""))"
    }
}
