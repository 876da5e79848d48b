// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetMemory

/// A JSON Web Key (RFC 7517) that has been read and checked: `oct`, `RSA`, `EC` on P-256, P-384 or
/// P-521, `OKP` with Ed25519.
///
/// Checked when it is read: the JSON strictly (duplicate members are refused), the type of each
/// member that Signet knows, that the numbers are a key of acceptable size (an Ed25519 key's 32
/// bytes are not of small order, but are decoded as a point only when they verify), and that the
/// private half fits the public one. `kid`, `use`, `alg` and `key_ops` that are `null` count as
/// absent; numbers may have the padding of base64url, and coordinates lack their leading zeros.
/// Members that Signet does not know are ignored, as section 4 asks. **Not** checked here: `use`,
/// `key_ops` and `alg`, which are enforced when the key becomes a ``VerificationKey``, a
/// ``SigningKey`` or an ``HMACKey``; and `x5c`, which is not looked at.
///
/// Printing a JWK shows its type and identifier and nothing of the key.
public struct JWK: Sendable, CustomStringConvertible, CustomReflectable {
    /// The longest JSON that is read as one key, in bytes.
    public static let maximumByteCount = 65_536

    package let material: JWKMaterial
    /// `kid`: opaque, compared exactly; 1 024 bytes at most, as have the other texts of a key.
    public let keyID: String?
    /// `use`: what the key is for (`sig`, `enc`), where it says so.
    public let use: String?
    /// `key_ops`: the operations that the key is for, where it says so.
    public let keyOperations: [String]?
    /// `alg`: the algorithm that the key is for, where it says so.
    public let algorithm: String?

    package init(
        material: JWKMaterial, keyID: String?, use: String? = nil, keyOperations: [String]? = nil,
        algorithm: String? = nil
    ) {
        self.material = material
        self.keyID = keyID
        self.use = use
        self.keyOperations = keyOperations
        self.algorithm = algorithm
    }

    /// Reads one key from JSON.
    ///
    /// - Throws: `malformed`, `tooLarge`, `unsupportedKeyType`, `invalidKeyMaterial`,
    ///   `keyTooShort`.
    public init(_ json: some Collection<UInt8>) throws(KeyError) {
        try self.init(KeyDocument.parse(json, maximumByteCount: Self.maximumByteCount).root)
    }

    /// Reads one key from JSON text.
    ///
    /// - Throws: as ``init(_:)``.
    public init(_ json: String) throws(KeyError) { try self.init(json.utf8) }

    /// Reads one key from JSON as ``exportPrivateJSON()`` gives it.
    ///
    /// - Throws: as ``init(_:)``.
    public init(_ json: borrowing SecretBytes) throws(KeyError) {
        self = try json.withExposedBytes { (bytes) throws(KeyError) in
            var copy = bytes.copied()
            defer { cleanse(&copy) }
            return try JWK(copy)
        }
    }

    /// `kty`: "oct", "RSA", "EC" or "OKP".
    public var keyType: String { material.keyType }

    /// Whether it holds a secret: a private key or a symmetric one.
    public var isPrivate: Bool { material.isPrivate }

    /// The same key without its private half.
    ///
    /// - Throws: `wrongKeyClass` for a symmetric key, which has no public half.
    public func publicKey() throws(KeyError) -> JWK {
        guard let half = material.publicHalf else {
            throw KeyError(.wrongKeyClass, "A symmetric key has no public half.")
        }
        return JWK(
            material: .key(half), keyID: keyID, use: use, keyOperations: publicOperations,
            algorithm: algorithm)
    }

    /// What `key_ops` becomes when the private half goes away.
    private var publicOperations: [String]? {
        guard isPrivate, let keyOperations, keyOperations.contains(where: Operation.sign.isNamed)
        else {
            return keyOperations
        }
        return keyOperations.filter { !Operation.sign.isNamed($0) && !Operation.verify.isNamed($0) }
            + ["verify"]
    }

    /// Type and identifier, and nothing of the key.
    public var description: String {
        "JWK(\(keyType)\(isPrivate ? ", private, redacted" : "")\(keyID.map { ", kid: \($0.printableName)" } ?? ""))"
    }

    /// Shows type and identifier only.
    public var customMirror: Mirror {
        Mirror(self, children: ["keyType": keyType, "keyID": keyID as Any])
    }
}
