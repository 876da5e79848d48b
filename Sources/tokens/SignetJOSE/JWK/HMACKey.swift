// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetMemory

/// A symmetric key bound to a single HMAC algorithm, which signs and verifies tokens: HS256 is HMAC
/// with SHA-256. Printing shows nothing of the key.
///
/// ```swift
/// let secret = try HMACKey(secret: SecretKey(copying: configured), algorithm: .hs256)
/// ```
///
/// A key comes from bytes (32 or more for HS256) or from a JWK, a key in JSON. Every party that can
/// verify with the key can also sign. The type shares no parameter type with public keys, so a
/// published key cannot be taken for a secret.
public struct HMACKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The algorithm that the key is bound to; a token's header must name it.
    public let algorithm: HMACAlgorithm
    /// The identifier that tokens carry as `kid`; nil for none. It is never derived from the
    /// secret.
    public let keyID: String?
    /// Computes and checks the codes.
    package let mac: MACKey
    /// Whether `use` and `key_ops` of a JWK allow it, and the secret is long enough.
    package let canSign: Bool
    /// Whether `use` and `key_ops` of a JWK allow it.
    package let canVerify: Bool
    private let secret: SecretKey

    /// Binds a secret to an algorithm.
    ///
    /// Checked: the secret is at least as long as the hash (RFC 7518, section 3.2), and is not a
    /// PEM, SSH, JWK, XML or DER key, which may be published. **Not** checked: that the secret is
    /// random. A passphrase is not: a single token is enough to guess passphrases offline.
    ///
    /// - Throws: `keyTooShort`, `notASecret`; `tooLarge` for a `keyID` of over 1,024 bytes.
    public init(secret: SecretKey, algorithm: HMACAlgorithm, keyID: String? = nil) throws(KeyError)
    {
        try self.init(
            secret: secret, algorithm: algorithm, keyID: keyID, canSign: true, canVerify: true)
    }

    /// Binds a secret that is shorter than its hash, for verifying only: for tokens that were made
    /// before a longer secret came into use. A single token is enough to search for the secret, and
    /// a shorter secret is found sooner.
    ///
    /// Checked: at least 16 bytes, and the form, as for a secret of full length. The weak key
    /// cannot sign or be exported, since no reader of keys would accept it. Tokens without `kid`
    /// need a verifier for this key alone: in a set with the new key, either could be meant.
    ///
    /// - Throws: `keyTooShort`, `notASecret`.
    public init(weakSecret: SecretKey, algorithm: HMACAlgorithm, keyID: String? = nil)
        throws(KeyError)
    {
        try self.init(
            secret: weakSecret, algorithm: algorithm, keyID: keyID, canSign: false, canVerify: true,
            minimumByteCount: Self.weakSecretMinimumByteCount)
    }

    /// 128 bits. A shorter secret could be found by search even if it were random.
    private static var weakSecretMinimumByteCount: Int { 16 }

    /// The key as a verifier's key ring holds it, beside public keys.
    var checking: SignatureKey {
        SignatureKey(keyID: keyID, algorithm: .code(algorithm), operation: .secret(mac))
    }

    /// Whether the secret is too short to sign with.
    package var isWeak: Bool { secret.byteCount < algorithm.minimumKeyByteCount }

    /// Binds a symmetric JWK to its algorithm.
    ///
    /// Enforced: `use` is absent or `sig`; `key_ops` is absent or allows each later use; `alg` and
    /// `algorithm` agree, and at least one is given.
    ///
    /// - Throws: `wrongKeyClass` for a public or private key, `algorithmRequired`,
    ///   `algorithmMismatch`, `unsupportedAlgorithm`, `operationNotAllowed`, `keyTooShort`,
    ///   `notASecret`.
    public init(jwk: JWK, algorithm: HMACAlgorithm? = nil) throws(KeyError) {
        guard case .octets(let secret) = jwk.material else {
            throw KeyError(
                .wrongKeyClass,
                "HMAC takes a symmetric key (\"kty\": \"oct\"); this one is \(shown: jwk.keyType).")
        }
        let chosen = try Self.algorithm(of: jwk, callers: algorithm)
        // The calls throw only if the operation is not allowed.
        let canSign = (try? jwk.require(.sign)) != nil
        let canVerify = (try? jwk.require(.verify)) != nil
        guard canSign || canVerify else {
            throw KeyError(
                .operationNotAllowed,
                "The key's \"use\" or \"key_ops\" allows neither signing nor verifying.")
        }
        try self.init(
            secret: secret, algorithm: chosen, keyID: jwk.keyID, canSign: canSign,
            canVerify: canVerify)
    }

    /// The only algorithm of a key: its `alg` or the caller's choice, which must not differ.
    private static func algorithm(
        of jwk: JWK, callers: HMACAlgorithm?
    ) throws(KeyError) -> HMACAlgorithm {
        guard let name = jwk.algorithm else {
            guard let callers else {
                throw KeyError(
                    .algorithmRequired,
                    "A symmetric key without \"alg\" does not say how it is used: name the algorithm, such as HS256."
                )
            }
            return callers
        }
        guard let own = HMACAlgorithm(name: name) else {
            throw KeyError(.unsupportedAlgorithm, "The key's \"alg\" is not a JWS HMAC algorithm.")
        }
        if let callers, callers != own {
            throw KeyError(
                .algorithmMismatch,
                "The key's \"alg\" is \(shown: own.name), not \(shown: callers.name).")
        }
        return own
    }

    /// Binds a secret that is long enough and does not look like a key file.
    ///
    /// - Parameter minimumByteCount: the shortest secret; nil for the hash's length.
    private init(
        secret: SecretKey, algorithm: HMACAlgorithm, keyID: String?, canSign: Bool, canVerify: Bool,
        minimumByteCount: Int? = nil
    ) throws(KeyError) {
        try KeyDocument.checkKeyID(keyID)  // at most 1,024 bytes
        // Checked first, so no version of libcrypto decides what an empty key means.
        try Self.check(
            secret, minimumByteCount: minimumByteCount ?? algorithm.minimumKeyByteCount,
            for: algorithm)
        self.algorithm = algorithm
        self.keyID = keyID
        self.secret = secret
        self.canSign = canSign
        self.canVerify = canVerify
        mac = try JWK.translatingErrors { () throws(CryptographyError) in
            try MACKey(secret, hash: algorithm.hash)
        }
    }

    private static func check(
        _ secret: SecretKey, minimumByteCount minimum: Int, for algorithm: HMACAlgorithm
    ) throws(KeyError) {
        guard secret.byteCount >= minimum else {
            throw KeyError(
                .keyTooShort,
                "\(shown: algorithm.name) takes a secret of at least \(minimum) bytes here.")
        }
        guard !secret.withExposedBytes(PublishedKeyShape.matches) else {
            throw KeyError(
                .notASecret,
                "These bytes are a key file (PEM, SSH, JWK, XML or DER), not an HMAC secret: "
                    + "verify with its public key."
            )
        }
    }

    /// A new random key as long as the hash.
    public static func generate(_ algorithm: HMACAlgorithm, keyID: String? = nil) throws(KeyError)
        -> HMACKey
    {
        let secret = try JWK.translatingErrors { () throws(CryptographyError) in
            try SecretKey.generate(bitCount: algorithm.minimumKeyByteCount * 8)
        }
        return try HMACKey(secret: secret, algorithm: algorithm, keyID: keyID)
    }

    /// The whole key as a JWK, including the secret. Write it only where secrets may be.
    ///
    /// A key that may only sign, or only verify, keeps its limit in `key_ops`.
    ///
    /// - Throws: `keyTooShort` for a weak secret.
    public func exportPrivateJSON() throws(KeyError) -> SecretBytes {
        guard !isWeak else {
            throw KeyError(.keyTooShort, "A secret that is too short to sign with is not exported.")
        }
        let operations: [String]? = canSign && canVerify ? nil : [canSign ? "sign" : "verify"]
        return try JWK(
            material: .octets(secret), keyID: keyID, use: "sig", keyOperations: operations,
            algorithm: algorithm.name
        ).exportPrivateJSON()
    }

    /// The algorithm and the identifier, nothing of the key.
    public var description: String {
        "HMACKey(\(algorithm.name)\(keyID.map { ", kid: \($0.printableName)" } ?? ""), redacted)"
    }

    /// Only the algorithm and the identifier.
    public var customMirror: Mirror {
        Mirror(self, children: ["algorithm": algorithm.name, "keyID": keyID as Any])
    }
}
