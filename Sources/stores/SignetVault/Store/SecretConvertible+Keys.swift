// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

// Keys as values of a store: `try await store.set(privateKey, for: item)` stores a key, and
// `try Ed25519PrivateKey(secretValue: value)` makes it again. A value is octets and a type:
//     key                octets                            type
//     SecretKey          the key                           symmetricKey
//     Ed25519PrivateKey  its seed                          ed25519PrivateKey
//     ECPrivateKey       its private scalar                p256PrivateKey, p384…, p521…
//     RSAPrivateKey      PrivateKeyInfo (RFC 5208) in DER  rsaPrivateKey

extension SecretKey: SecretConvertible {
    /// A symmetric key, 1 to 4,096 bytes. If the length is known, ``init(secretValue:bitCount:)``
    /// checks it.
    public init(secretValue: SecretValue) throws(StoreError) {
        try secretValue.require(.symmetricKey)
        try requireByteCount(secretValue.byteCount)
        self = secretValue.key
    }

    /// The key, raw.
    public func secretValue() throws(StoreError) -> SecretValue {
        try requireByteCount(byteCount)
        return SecretValue(self, type: .symmetricKey)
    }
}

extension SecretKey {
    /// A symmetric key of the given length.
    ///
    /// - Throws: `invalidValue` if the value is not a symmetric key of this length.
    public init(secretValue: SecretValue, bitCount: Int) throws(StoreError) {
        try self.init(secretValue: secretValue)
        guard self.bitCount == bitCount else {
            throw StoreError(
                .invalidValue, "The key does not have the \(bitCount) bits that were asked for.")
        }
    }
}

extension Ed25519PrivateKey: SecretConvertible {
    /// Makes the key from its seed, 32 bytes of type ``ValueType/ed25519PrivateKey``.
    public init(secretValue: SecretValue) throws(StoreError) {
        try secretValue.require(.ed25519PrivateKey)
        let seed = secretValue.key
        self = try translatingErrors(saying: "The value is no valid Ed25519 private key") {
            () throws(CryptographyError) in
            try Ed25519PrivateKey(seed: seed)
        }
    }

    /// The seed.
    public func secretValue() throws(StoreError) -> SecretValue {
        let seed = try translatingErrors(saying: keptBack, exportSeed)
        return SecretValue(seed, type: .ed25519PrivateKey)
    }
}

extension ECPrivateKey: SecretConvertible {
    /// Makes the key from its private scalar, in exactly the length of the curve that the value's
    /// type names. Computes the point.
    public init(secretValue: SecretValue) throws(StoreError) {
        guard let curve = EllipticCurve.allCases.first(where: { $0.valueType == secretValue.type })
        else {
            throw StoreError(
                .invalidValue,
                "The value is of type '\(shown: secretValue.type.rawValue)', not a private key on a curve."
            )
        }
        let scalar = secretValue.key
        self = try translatingErrors(
            saying: "The value is no valid private key on \(shown: curve.rawValue)"
        ) { () throws(CryptographyError) in
            try ECPrivateKey(curve: curve, privateScalar: scalar)
        }
    }

    /// The private scalar; the type names the curve.
    public func secretValue() throws(StoreError) -> SecretValue {
        let scalar = try translatingErrors(saying: keptBack, exportPrivateScalar)
        return SecretValue(scalar, type: publicKey.curve.valueType)
    }
}

extension RSAPrivateKey: SecretConvertible {
    /// Makes the key from PrivateKeyInfo in DER; every number is checked as in
    /// `RSAPrivateKey.init(_:)`.
    public init(secretValue: SecretValue) throws(StoreError) {
        try secretValue.require(.rsaPrivateKey)
        let decoded: DecodedKey
        do throws(CryptographyError) {
            decoded = try secretValue.key.withExposedBytes { (der) throws(CryptographyError) in
                try DecodedKey(der: der, as: .privateKeyInfo)
            }
        } catch {
            throw StoreError(
                .invalidValue, underlying: error, "The value is not the DER of an RSA private key.")
        }
        let key = try translatingErrors(saying: "The value is no valid RSA private key") {
            () throws(CryptographyError) in
            // Nil for a key that is not RSA's.
            decoded.rsaBitCount == nil ? nil : try decoded.key()
        }
        guard case .rsaPrivate(let key) = key else {
            throw StoreError(.invalidValue, "The value is a private key, but not one for RSA.")
        }
        self = key
    }

    /// PrivateKeyInfo in DER, not encrypted: the store seals it.
    public func secretValue() throws(StoreError) -> SecretValue {
        let key = AsymmetricKey.rsaPrivate(self)
        return SecretValue(
            try translatingErrors(saying: keptBack, key.encodedPrivateKey), type: .rsaPrivateKey)
    }
}

extension EllipticCurve {
    fileprivate var valueType: ValueType {
        switch self {
        case .p256: .p256PrivateKey
        case .p384: .p384PrivateKey
        case .p521: .p521PrivateKey
        }
    }
}

/// Throws `invalidValue` unless a symmetric key may have this length.
private func requireByteCount(_ count: Int) throws(StoreError) {
    guard (1...4096).contains(count) else {
        throw StoreError(.invalidValue, "A symmetric key has 1 to 4,096 bytes.")
    }
}

/// What libcrypto did, if it does not export a key.
private let keptBack: ErrorMessage = "libcrypto does not give the key away"

/// Runs a call of libcrypto, and translates its error to `invalidValue` with this sentence.
private func translatingErrors<Key>(
    saying sentence: ErrorMessage, _ body: () throws(CryptographyError) -> Key
) throws(StoreError) -> Key {
    do {
        return try body()
    } catch {
        throw StoreError(.invalidValue, underlying: error, "\(sentence): \(messageOf: error)")
    }
}
