// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

extension JWK {
    /// The SHA-256 thumbprint (RFC 7638) in base64url: the same for the private and the public form
    /// of a key, regardless of the JWK's optional members.
    ///
    /// For a symmetric key it is a hash of the secret: harmless for a random key, but it helps an
    /// attacker to guess a weak secret (section 7). Signet never puts that hash into a token by
    /// itself.
    ///
    /// - Throws: `libraryFailure`.
    public func thumbprint() throws(KeyError) -> String {
        var writer = JWKWriter()
        // RFC 7638, section 3.3: the required members only, in lexicographic order.
        if case .octets(let key) = material {
            writer.reserveForSecrets(byteCount: key.byteCount)
            writer.secret("k", key: key)
            writer.text("kty", value: keyType)
        } else {
            var members = Self.publicMembers(material)
            members.append(("kty", .text(keyType)))
            members.sort { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
            for (name, value) in members { value.write(as: name, to: &writer) }
        }
        return Base64URL.encode(try Self.hash(writer.finishSecret()))
    }

    /// The thumbprint as a URI (RFC 9278). Throws the errors of ``thumbprint()``.
    public func thumbprintURI() throws(KeyError) -> String {
        "urn:ietf:params:oauth:jwk-thumbprint:sha-256:" + (try thumbprint())
    }

    /// The SHA-256 of a JSON text, of which no copy is left.
    private static func hash(_ json: consuming SecretBytes) throws(KeyError) -> [UInt8] {
        let storage = json.storage
        return try translatingErrors { () throws(CryptographyError) in
            try storage.withBytes { (bytes) throws(CryptographyError) in
                var copy = bytes.copied()
                defer { cleanse(&copy) }
                return try MessageDigest.digest(copy, using: .sha256)
            }
        }
    }
}
