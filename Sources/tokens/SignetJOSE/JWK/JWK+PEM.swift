// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetMemory

// PEM is the text form of keys in files. `try JWK(pem: text, keyID: "2026-1")` reads
//
//     -----BEGIN PUBLIC KEY-----        PUBLIC KEY is the label
//     MCowBQYDK2VwAyEAGb9ECWmE…         base64 of the key in DER (binary, X.690)
//     -----END PUBLIC KEY-----
//
// and `publicPEM()` writes it. A key in DER has one of four structures: PKCS#8 (private), SPKI
// (public), and the older PKCS#1 (RSA) and SEC1 (EC).

extension JWK {
    /// A key from unencrypted PEM text (PKCS#8, SPKI, PKCS#1 or SEC1, as ``init(der:keyID:)`` reads
    /// them), or the public key of its only certificate, as ``init(certificate:keyID:)`` reads it.
    ///
    /// The label says whether the key is public or private; the bytes say which structure it is.
    /// Line ends may be lost, blanks or the two characters `\n`, and a quotation mark may stand
    /// before the block. Text before a block in its line is refused. The numbers of the decoded key
    /// get the same checks as a JWK's. A PEM may also hold certificates. One certificate must be
    /// for the key; the remaining certificates of the chain are ignored.
    ///
    /// - Parameters:
    ///   - pem: the text, armour included.
    ///   - keyID: the `kid` to give it, at most 1,024 bytes; PEM has no field for it.
    /// - Throws: `malformed`, `tooLarge`, `encryptedKey`, `unsupportedKeyType`,
    ///   `invalidKeyMaterial`, `keyTooShort`, `operationNotAllowed`.
    public init(pem: some Collection<UInt8>, keyID: String? = nil) throws(KeyError) {
        // Checked before the text is copied.
        guard pem.count <= PEM.maximumByteCount else { throw PEM.tooLarge(pem.count) }
        try KeyDocument.checkKeyID(keyID)
        let key = try withSpan(of: pem, PEM.decode)
        self.init(material: try Self.material(key), keyID: keyID)
    }

    /// A key from PEM text, read as ``init(pem:keyID:)`` reads its bytes.
    ///
    /// - Throws: `malformed`, `tooLarge`, `encryptedKey`, `unsupportedKeyType`,
    ///   `invalidKeyMaterial`, `keyTooShort`, `operationNotAllowed`.
    public init(pem: String, keyID: String? = nil) throws(KeyError) {
        try self.init(pem: pem.utf8, keyID: keyID)
    }

    /// A key that was parsed from DER, with the checks of a JWK's numbers.
    static func material(_ decoded: DecodedKey) throws(KeyError) -> JWKMaterial {
        if let bitCount = decoded.rsaBitCount { try checkRSASize(bitCount: bitCount) }
        if decoded.isX25519 {
            return try translatingErrors { () throws(CryptographyError) in
                decoded.isPrivate
                    ? .x25519Private(try decoded.x25519PrivateKey())
                    : .x25519Public(try decoded.x25519PublicKey())
            }
        }
        let key: AsymmetricKey?
        do throws(CryptographyError) {
            key = try decoded.key()
        } catch  where error.code == .unsupported && decoded.isEd25519 && !decoded.isPrivate {
            // A FIPS provider may lack Ed25519. Then a key set goes on without the key.
            throw unsupportedEd25519(error)
        } catch {
            throw KeyError(error)
        }
        guard let key else {
            throw KeyError(
                .unsupportedKeyType,
                "Signet uses RSA, EC on P-256, P-384 or P-521, Ed25519 and X25519 keys.")
        }
        // Refuses points for which anyone can sign.
        if case .ed25519Public(let key) = key {
            return .key(.ed25519Public(try ed25519PublicKey(key.rawRepresentation)))
        }
        return .key(key)
    }

    /// The public half as PEM (`PUBLIC KEY`, SubjectPublicKeyInfo).
    ///
    /// - Throws: `wrongKeyClass` for a symmetric key, `libraryFailure`.
    public func publicPEM() throws(KeyError) -> String {
        let der = try encodedPublicKey()
        // `encode` makes a secret for private keys. This text is public.
        return PEM.encode(label: "PUBLIC KEY", der: der.span).withExposedBytes {
            String(decoding: $0.copied(), as: UTF8.self)
        }
    }

    /// The private key as PEM (`PRIVATE KEY`, PKCS#8, **not** encrypted). Write it only where
    /// secrets may be.
    ///
    /// - Throws: `privateKeyRequired` for a public key, `wrongKeyClass` for a symmetric key.
    public func exportPrivatePEM() throws(KeyError) -> SecretBytes {
        guard isPrivate else {
            throw KeyError(.privateKeyRequired, "This key has no private half to export.")
        }
        let der = try encodedPrivateKey()
        // A noncopyable result cannot leave a generic closure, so it goes through the storage.
        return SecretBytes(
            storage: der.withExposedBytes { PEM.encode(label: "PRIVATE KEY", der: $0).storage })
    }

    private func encodedPublicKey() throws(KeyError) -> [UInt8] {
        switch material.publicPart {
        case .key(let key): try Self.translatingErrors(key.encodedPublicKey)
        case .x25519Public(let key): try Self.translatingErrors(key.encodedPublicKey)
        default: throw Self.hasNoPEM
        }
    }

    private func encodedPrivateKey() throws(KeyError) -> SecretKey {
        switch material {
        case .key(let key): try Self.translatingErrors(key.encodedPrivateKey)
        case .x25519Private(let key): try Self.translatingErrors(key.encodedPrivateKey)
        default: throw Self.hasNoPEM
        }
    }

    private static var hasNoPEM: KeyError {
        KeyError(.wrongKeyClass, "A symmetric key has no PEM form.")
    }
}
