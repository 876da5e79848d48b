// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetMemory

/// A JSON Web Key (RFC 7517), read and checked: `oct`, `RSA`, `EC` on P-256, P-384 or P-521, `OKP`
/// with Ed25519 or X25519.
///
/// Checked: strict JSON without duplicate members, the type of each member that Signet knows, the
/// key's numbers and size, and that the private half fits the public half. An Ed25519 key must have
/// 32 bytes and not be of small order; it is decoded as a point only when it verifies. A `kid`,
/// `use`, `alg` or `key_ops` that is `null` counts as absent. Numbers may have base64url padding,
/// and coordinates may lack leading zeros. Unknown members are ignored, as section 4 requires.
/// **Not** checked here: `use`, `key_ops` and `alg`, which are enforced by ``VerificationKey``,
/// ``SigningKey`` and ``HMACKey``. `x5c` is ignored.
///
/// Printing a JWK shows its type and identifier and nothing of the key.
public struct JWK: Sendable, CustomStringConvertible, CustomReflectable {
    /// The longest JSON text of a key, in bytes.
    public static let maximumByteCount = 65_536

    package let material: JWKMaterial
    /// `kid`: opaque, compared exactly, at most 1,024 bytes like every text of the key.
    public let keyID: String?
    /// `use`: the key's purpose (`sig`, `enc`), if stated.
    public let use: String?
    /// `key_ops`: the key's operations, if stated.
    public let keyOperations: [String]?
    /// `alg`: the key's algorithm, if stated.
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

    /// Reads a key from JSON.
    ///
    /// - Throws: `malformed`, `tooLarge`, `unsupportedKeyType`, `invalidKeyMaterial`,
    ///   `keyTooShort`.
    public init(_ json: some Collection<UInt8>) throws(KeyError) {
        try self.init(KeyDocument.parse(json, maximumByteCount: Self.maximumByteCount).root)
    }

    /// Reads a key from JSON text. Throws the errors of ``init(_:)``.
    public init(_ json: String) throws(KeyError) { try self.init(json.utf8) }

    /// Reads a key from the JSON of ``exportPrivateJSON()``. Throws the errors of ``init(_:)``.
    public init(_ json: borrowing SecretBytes) throws(KeyError) {
        self = try json.withExposedBytes { (bytes) throws(KeyError) in
            var copy = bytes.copied()
            defer { cleanse(&copy) }
            return try JWK(copy)
        }
    }

    /// `kty`: "oct", "RSA", "EC" or "OKP".
    public var keyType: String { material.keyType }

    /// Whether the key holds a secret: a private or symmetric key.
    public var isPrivate: Bool { material.isPrivate }

    /// The same key without its private half.
    ///
    /// - Throws: `wrongKeyClass` for a symmetric key, which has no public half.
    public func publicKey() throws(KeyError) -> JWK {
        guard let half = material.publicPart else { throw Self.hasNoPublicHalf }
        guard isPrivate else { return self }
        return JWK(
            material: half, keyID: keyID, use: Self.publicUse(use, of: keyOperations),
            keyOperations: Self.publicOperations(keyOperations), algorithm: algorithm)
    }

    static var hasNoPublicHalf: KeyError {
        KeyError(.wrongKeyClass, "A symmetric key has no public half.")
    }

    /// The `key_ops` of a private key without its private half (RFC 7517, section 4.3): those of
    /// the other side. Nil where none is left: others derive with a public half, and it does
    /// nothing itself.
    static func publicOperations(_ operations: [String]?) -> [String]? {
        guard let operations, !operations.isEmpty else { return operations }
        var names = [String]()
        for name in operations where !isDeriving(name) {
            let other = Operation.opposites.first { $0.own.isNamed(name) }?.other.rawValue ?? name
            if !ReceivedText(other).isOne(of: names) { names.append(other) }
        }
        return names.isEmpty ? nil : names
    }

    /// The `use` of a private key without its private half: a key that only derives stays one that
    /// verifies nothing, also without its `key_ops`.
    static func publicUse(_ use: String?, of operations: [String]?) -> String? {
        guard use == nil, let operations, !operations.isEmpty else { return use }
        return operations.allSatisfy(isDeriving) ? "enc" : nil
    }

    private static func isDeriving(_ name: String) -> Bool {
        Operation.deriveKey.isNamed(name) || Operation.deriveBits.isNamed(name)
    }

    /// The type and the identifier, nothing of the key.
    public var description: String {
        "JWK(\(keyType)\(isPrivate ? ", private, redacted" : "")\(keyID.map { ", kid: \($0.printableName)" } ?? ""))"
    }

    /// Only the type and the identifier.
    public var customMirror: Mirror {
        Mirror(self, children: ["keyType": keyType, "keyID": keyID as Any])
    }
}
