// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// A key to encrypt tokens with: the receiver's public key, or a shared secret, bound to one `alg`.
/// Printing shows nothing of a secret.
///
/// ```swift
/// let found = try EncryptionKey(jwks: jwks)
/// ```
public struct EncryptionKey: Sendable, CustomStringConvertible, CustomReflectable {
    let binding: EncryptionBinding
    let material: JWKMaterial

    /// How the key of the content is sent.
    public var algorithm: KeyManagementAlgorithm { binding.algorithm }
    /// The identifier that tokens carry as `kid`; nil for none.
    public var keyID: String? { binding.keyID }

    /// Binds a JWK. The private half of a private key is dropped.
    ///
    /// Enforced: `use` is absent or `enc`; `key_ops` is absent or allows encrypting, wrapping or
    /// deriving (or their opposites for a private key); `alg` and `algorithm` agree, and one of them
    /// is given; RSA has 2048 to 4096 bits
    /// and no SHA-1; a symmetric key has the length that its algorithm takes.
    ///
    /// - Throws: `algorithmRequired`, `algorithmMismatch`, `unsupportedAlgorithm`,
    ///   `operationNotAllowed`, `wrongKeyClass`, `keyTooShort`, `tooLarge`.
    public init(jwk: JWK, algorithm: KeyManagementAlgorithm? = nil) throws(KeyError) {
        let half = jwk.material.publicPart == nil ? jwk : try jwk.publicKey()
        binding = try EncryptionBinding(
            half, algorithm: algorithm, content: nil,
            operations: [.encrypt, .wrapKey, .deriveKey, .deriveBits])
        guard binding.algorithm != .rsaOAEP else {
            throw KeyError(
                .unsupportedAlgorithm,
                "RSA-OAEP with SHA-1 only decrypts here: encrypt with RSA-OAEP-256.")
        }
        material = half.material
    }

    /// Takes the receiver's key from the JWK set that it publishes, as
    /// ``DecryptionKeySet/jwksJSON(beside:)`` writes it: of the members whose `use` is `enc` the
    /// first that ``init(jwk:algorithm:)`` binds. Others are skipped, symmetric ones too. A private
    /// half is not read.
    ///
    /// - Parameters:
    ///   - jwks: the JSON document.
    ///   - algorithm: the only algorithm to take a key for; nil for any. It is required for members
    ///     without `alg`.
    /// - Throws: `malformed` if it is not a JWK set; `tooLarge` for a document over
    ///   ``KeySet/maximumByteCount`` or more than ``KeySet/maximumKeyCount`` members;
    ///   `operationNotAllowed` if no member's `use` is `enc`; if none of those that are can be used,
    ///   the code of the first.
    public init(
        jwks: some Collection<UInt8>, algorithm: KeyManagementAlgorithm? = nil
    ) throws(KeyError) {
        let members = try JWKSetDocument.members(jwks, maximumCount: KeySet.maximumKeyCount)
        var skipped = [SkippedKey]()
        for (index, member) in members.enumerated()
        where member.member("use")?.text?.isEqual(to: "enc") == true {
            do {
                try self.init(jwk: JWK(publicHalfOf: member), algorithm: algorithm)
                return
            } catch {
                skipped.append(try SkippedKey(refused: index, keyID: nil, reason: error))
            }
        }
        guard let first = skipped.first?.reason else {
            throw KeyError(
                .operationNotAllowed,
                "None of the key set's keys (\(members.count)) has the \"use\" \"enc\".")
        }
        throw KeyError(
            first.code, underlying: first,
            "Of the key set's keys for encryption (\(skipped.count)) none can be used. The first: \(messageOf: first)"
        )
    }

    /// Takes the receiver's key from a JWK set as text. Throws the errors of
    /// `init(jwks:algorithm:)` for bytes.
    public init(jwks: String, algorithm: KeyManagementAlgorithm? = nil) throws(KeyError) {
        try self.init(jwks: jwks.utf8, algorithm: algorithm)
    }

    /// Binds a shared secret.
    ///
    /// - Throws: `algorithmMismatch` for a secret of a different length, `wrongKeyClass` for an
    ///   algorithm of public keys; `tooLarge` for a `keyID` of over 1,024 bytes.
    public init(
        secret: SecretKey, algorithm: KeyManagementAlgorithm, keyID: String? = nil
    ) throws(KeyError) {
        try KeyDocument.checkKeyID(keyID)
        try self.init(jwk: JWK(material: .octets(secret), keyID: keyID), algorithm: algorithm)
    }

    /// The algorithm and the identifier, nothing of the key.
    public var description: String {
        "EncryptionKey(\(algorithm.name)\(keyID.map { ", kid: \($0.printableName)" } ?? ""))"
    }

    /// Only the algorithm and the identifier.
    public var customMirror: Mirror {
        Mirror(self, children: ["algorithm": algorithm.name, "keyID": keyID as Any])
    }
}
