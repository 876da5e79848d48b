// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// A key that decrypts tokens: private or shared, bound to one `alg` and to the `enc` that it is
/// for. Printing shows nothing of the key.
///
/// ```swift
/// let own = try DecryptionKey.generate(.ecdhESA256KW, keyID: "2026-11")
/// ```
///
/// A key of this type verifies nothing, and a ``VerificationKey`` decrypts nothing. Use a key for
/// one of both only.
public struct DecryptionKey: Sendable, CustomStringConvertible, CustomReflectable {
    let binding: EncryptionBinding
    let material: JWKMaterial

    /// How the key of the content is sent; a token's `alg` must name it.
    public var algorithm: KeyManagementAlgorithm { binding.algorithm }
    /// How content may be encrypted; a token's `enc` must be in the set.
    public var contentEncryptions: Set<ContentEncryptionAlgorithm> { binding.content }
    /// The identifier that tokens carry as `kid`; nil for none.
    public var keyID: String? { binding.keyID }

    /// Binds a private or symmetric JWK.
    ///
    /// Enforced: `use` is absent or `enc`; `key_ops` is absent or allows decrypting, unwrapping or
    /// deriving; `alg` and `algorithm` agree, and one of them is given; RSA has 2048 to 4096 bits;
    /// a symmetric key has the length that its algorithm takes. **Not** checked: that a symmetric
    /// key is random.
    ///
    /// - Parameters:
    ///   - jwk: the key.
    ///   - algorithm: required for a key without `alg`, and for RSA-OAEP with SHA-1.
    ///   - content: the accepted content encryptions; nil for all that fit the key.
    /// - Throws: `algorithmRequired`, `algorithmMismatch`, `unsupportedAlgorithm`,
    ///   `operationNotAllowed`, `wrongKeyClass`, `privateKeyRequired`, `keyTooShort`, `tooLarge`.
    public init(
        jwk: JWK, algorithm: KeyManagementAlgorithm? = nil,
        content: Set<ContentEncryptionAlgorithm>? = nil
    ) throws(KeyError) {
        binding = try EncryptionBinding(
            jwk, algorithm: algorithm, content: content,
            operations: [.decrypt, .unwrapKey, .deriveKey, .deriveBits])
        guard jwk.isPrivate else {
            throw KeyError(.privateKeyRequired, "A public key only encrypts.")
        }
        material = jwk.material
    }

    /// Binds a shared secret.
    ///
    /// - Throws: `algorithmMismatch` for a secret of a different length, `wrongKeyClass` for an
    ///   algorithm of public keys; `tooLarge` for a `keyID` of over 1,024 bytes.
    public init(
        secret: SecretKey, algorithm: KeyManagementAlgorithm,
        content: Set<ContentEncryptionAlgorithm>? = nil, keyID: String? = nil
    ) throws(KeyError) {
        try KeyDocument.checkKeyID(keyID)
        try self.init(
            jwk: JWK(material: .octets(secret), keyID: keyID), algorithm: algorithm,
            content: content)
    }

    /// A new random key: on P-256 for ECDH-ES, of 3072 bits for RSA-OAEP, as long as it must be for
    /// AES key wrap, and of 256 bits for `dir`. For `dir` with another length, such as 512 bits for
    /// A256CBC-HS512, use ``init(secret:algorithm:content:keyID:)``.
    ///
    /// - Throws: `unsupportedAlgorithm` for RSA-OAEP with SHA-1, `libraryFailure`.
    public static func generate(
        _ algorithm: KeyManagementAlgorithm, keyID: String? = nil
    ) throws(KeyError) -> DecryptionKey {
        let material = try JWK.translatingErrors { () throws(CryptographyError) -> JWKMaterial? in
            switch algorithm.family {
            case .direct: .octets(try SecretKey.generate())
            case .wrapping(let byteCount):
                .octets(try SecretKey.generate(bitCount: byteCount * 8))
            case .agreement: .key(.ecPrivate(try ECPrivateKey.generate(curve: .p256)))
            case .encryption(let hash):
                hash == nil ? nil : .key(.rsaPrivate(try RSAPrivateKey.generate(bitCount: 3072)))
            }
        }
        guard let material else {
            throw KeyError(
                .unsupportedAlgorithm,
                "RSA-OAEP with SHA-1 is for keys that exist: take RSA-OAEP-256.")
        }
        try KeyDocument.checkKeyID(keyID)
        return try DecryptionKey(
            jwk: JWK(material: material, keyID: keyID), algorithm: algorithm)
    }

    /// The whole key as a JWK, including the secret, with `use` (`enc`) and `alg`. Write it only
    /// where secrets may be. The content encryptions are not part of a JWK.
    public func exportPrivateJSON() throws(KeyError) -> SecretBytes {
        try JWK(material: material, keyID: keyID, use: "enc", algorithm: algorithm.name)
            .exportPrivateJSON()
    }

    /// The key to encrypt with: the public half, or the shared secret itself.
    public func encryptionKey() throws(KeyError) -> EncryptionKey {
        try EncryptionKey(jwk: JWK(material: material, keyID: keyID), algorithm: algorithm)
    }

    /// The algorithm and the identifier, nothing of the key.
    public var description: String {
        "DecryptionKey(\(algorithm.name)\(keyID.map { ", kid: \($0.printableName)" } ?? ""), redacted)"
    }

    /// Only the algorithm and the identifier.
    public var customMirror: Mirror {
        Mirror(self, children: ["algorithm": algorithm.name, "keyID": keyID as Any])
    }
}
