// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

extension SecretKey: SecretConvertible {
    /// A symmetric key, 1 to 4,096 bytes. If the length is known, ``init(secretValue:bitCount:)``
    /// checks it.
    public init(secretValue: SecretValue) throws(StoreError) {
        try secretValue.require(.symmetricKey)
        guard (1...4096).contains(secretValue.byteCount) else {
            throw StoreError(.invalidValue, "A symmetric key has 1 to 4096 bytes.")
        }
        self = secretValue.key
    }

    /// The key, raw.
    public func secretValue() throws(StoreError) -> SecretValue {
        guard (1...4096).contains(byteCount) else {
            throw StoreError(.invalidValue, "A symmetric key has 1 to 4096 bytes.")
        }
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
                .invalidValue, "The key has \(self.bitCount) bits, not the \(bitCount) asked for.")
        }
    }
}

extension Ed25519PrivateKey: SecretConvertible {
    /// Makes the key from its seed, 32 bytes of type ``ValueType/ed25519PrivateKey``.
    public init(secretValue: SecretValue) throws(StoreError) {
        try secretValue.require(.ed25519PrivateKey)
        let seed = secretValue.key
        self = try readingKey("Ed25519 private key") { () throws(CryptographyError) in
            try Ed25519PrivateKey(seed: seed)
        }
    }

    /// The seed.
    public func secretValue() throws(StoreError) -> SecretValue {
        let seed = try writingKey { () throws(CryptographyError) in try exportSeed() }
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
        self = try readingKey("private key on \(curve.rawValue)") { () throws(CryptographyError) in
            try ECPrivateKey(curve: curve, privateScalar: scalar)
        }
    }

    /// The private scalar; the type names the curve.
    public func secretValue() throws(StoreError) -> SecretValue {
        let scalar = try writingKey { () throws(CryptographyError) in try exportPrivateScalar() }
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
        let key = try readingKey("RSA private key") { () throws(CryptographyError) in
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
            try writingKey { () throws(CryptographyError) in try key.encodedPrivateKey() },
            type: .rsaPrivateKey)
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

private func readingKey<Key>(_ what: String, _ body: () throws(CryptographyError) -> Key)
    throws(StoreError) -> Key
{
    do {
        return try body()
    } catch {
        throw StoreError(
            .invalidValue, underlying: error,
            "The value is no valid \(shown: what): \(messageOf: error)")
    }
}

private func writingKey(_ body: () throws(CryptographyError) -> SecretKey) throws(StoreError)
    -> SecretKey
{
    do {
        return try body()
    } catch {
        throw StoreError(
            .invalidValue, underlying: error,
            "libcrypto does not give the key away: \(messageOf: error)")
    }
}
