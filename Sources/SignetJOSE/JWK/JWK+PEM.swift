// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
public import SignetCrypto

extension JWK {
    /// A key from PEM text: PKCS#8 or SPKI, PKCS#1 or SEC1, not encrypted; or the public key of the
    /// only certificate, as ``init(certificate:keyID:)`` reads it.
    ///
    /// The numbers are taken out of the decoded key and go through the same checks as those of a JWK.
    /// Beside a key there may be certificates, one of which has to be for it; others of the chain
    /// are not looked at.
    ///
    /// - Parameter keyID: the `kid` to give it, of at most 1 024 bytes; PEM has none.
    /// - Throws: `malformed`, `tooLarge`, `encryptedKey`, `unsupportedKeyType`,
    ///   `invalidKeyMaterial`, `keyTooShort`, `operationNotAllowed`.
    public init(pem: some Collection<UInt8>, keyID: String? = nil) throws(KeyError) {
        // Looked at before the text is copied.
        guard pem.count <= PEM.maximumByteCount else { throw PEM.tooLarge }
        try KeyDocument.checkKeyID(keyID)
        let key = try withSpan(of: pem) { (text) throws(KeyError) in try PEM.decode(text) }
        self.init(material: try Self.material(key), keyID: keyID)
    }

    /// A key from PEM text.
    ///
    /// - Throws: as the other form.
    public init(pem: String, keyID: String? = nil) throws(KeyError) {
        try self.init(pem: pem.utf8, keyID: keyID)
    }

    static func material(_ key: PEM.Key) throws(KeyError) -> JWKMaterial {
        switch key.handle.kind {
        case .rsa where key.isPrivate:
            let numbers = try read { () throws(OpenSSLFailure) in try key.handle.rsaPrivateNumbers()
            }
            try checkRSASize(numbers.modulus)
            let exported = RSAPrivateKey.Numbers(
                modulus: numbers.modulus, exponent: numbers.exponent,
                privateExponent: SecretKey(storage: numbers.privateExponent),
                prime1: SecretKey(storage: numbers.prime1),
                prime2: SecretKey(storage: numbers.prime2),
                exponent1: SecretKey(storage: numbers.exponent1),
                exponent2: SecretKey(storage: numbers.exponent2),
                coefficient: SecretKey(storage: numbers.coefficient))
            return .rsaPrivate(
                try material { () throws(CryptoError) in try RSAPrivateKey(exported) })
        case .rsa:
            let numbers = try read { () throws(OpenSSLFailure) in try key.handle.rsaPublicNumbers()
            }
            return .rsaPublic(try rsaPublicKey(numbers.modulus, numbers.exponent))
        case .ec(let curve) where key.isPrivate:
            let scalar = try read { () throws(OpenSSLFailure) in try key.handle.ecPrivateScalar() }
            let point = try read { () throws(OpenSSLFailure) in try key.handle.ecCoordinates() }
            let made = try material { () throws(CryptoError) in
                try ECPrivateKey(
                    curve: EllipticCurve(curve), privateScalar: SecretKey(storage: scalar))
            }
            guard made.publicKey.x == point.x, made.publicKey.y == point.y else {
                throw KeyError(
                    .invalidKeyMaterial, "The private and the public half of the EC key do not fit."
                )
            }
            return .ecPrivate(made)
        case .ec(let curve):
            let point = try read { () throws(OpenSSLFailure) in try key.handle.ecCoordinates() }
            return .ecPublic(
                try material { () throws(CryptoError) in
                    try ECPublicKey(curve: EllipticCurve(curve), x: point.x, y: point.y)
                })
        case .ed25519 where key.isPrivate:
            let seed = try read { () throws(OpenSSLFailure) in try key.handle.ed25519Seed() }
            return .ed25519Private(
                try material { () throws(CryptoError) in
                    try Ed25519PrivateKey(seed: SecretKey(storage: seed))
                })
        case .ed25519:
            let raw = try read { () throws(OpenSSLFailure) in try key.handle.ed25519PublicKey() }
            return .ed25519Public(try ed25519PublicKey(raw))
        case nil:
            throw KeyError(
                .unsupportedKeyType,
                "Signet uses RSA, EC on P-256, P-384 or P-521, and Ed25519 keys.")
        }
    }

    private static func read<Numbers>(
        _ numbers: () throws(OpenSSLFailure) -> Numbers
    ) throws(KeyError) -> Numbers {
        do throws(OpenSSLFailure) {
            return try numbers()
        } catch {
            throw KeyError(
                error, refused: .invalidKeyMaterial, "The numbers of the PEM key cannot be read.")
        }
    }

    /// The public half as PEM (`PUBLIC KEY`, SubjectPublicKeyInfo).
    ///
    /// - Throws: `wrongKeyClass` for a symmetric key, `libraryFailure`.
    public func publicPEM() throws(KeyError) -> String {
        guard let key = deferredPublicKey else {
            throw KeyError(.wrongKeyClass, "A symmetric key has no PEM form.")
        }
        guard let der = try? key.handle().encodedPublicKey() else {
            throw KeyError(.libraryFailure, "libcrypto could not encode the key.")
        }
        return PEM.encode(label: "PUBLIC KEY", der.span).withExposedBytes {
            String(decoding: $0.copied(), as: UTF8.self)
        }
    }

    /// The private key as PEM (`PRIVATE KEY`, PKCS#8, **not** encrypted). Write it only where secrets may be.
    ///
    /// - Throws: `privateKeyRequired` for a public key, `wrongKeyClass` for a symmetric one.
    public func exportPrivatePEM() throws(KeyError) -> SecretBytes {
        let handle: KeyHandle
        switch material {
        case .octets: throw KeyError(.wrongKeyClass, "A symmetric key has no PEM form.")
        case .rsaPrivate(let key): handle = key.handle
        case .ecPrivate(let key): handle = key.handle
        case .ed25519Private(let key): handle = key.handle
        case .rsaPublic, .ecPublic, .ed25519Public:
            throw KeyError(.privateKeyRequired, "This key has no private half to export.")
        }
        guard let der = try? handle.encodedPrivateKey() else {
            throw KeyError(.libraryFailure, "libcrypto could not encode the key.")
        }
        // ~Copyable results do not leave generic closures, hence the detour over the storage.
        return SecretBytes(storage: der.withBytes { PEM.encode(label: "PRIVATE KEY", $0).storage })
    }

    private var deferredPublicKey: DeferredKey? {
        switch material.publicHalf {
        case .rsaPublic(let key): key.deferred
        case .ecPublic(let key): key.deferred
        case .ed25519Public(let key): key.deferred
        default: nil
        }
    }
}
