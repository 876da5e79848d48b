// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

// A JWK as JSON: `try key.publicJSON()` is `{"kty":"OKP","kid":"a","crv":"Ed25519","x":"11qYAYKx…"}`
// for an Ed25519 key, and `exportPrivateJSON()` adds its secret, "d". Numbers are base64url.

extension JWK {
    /// The public half as JSON, for a published JWK set. It leaves out members that Signet does not
    /// know, for example `x5c`.
    ///
    /// - Throws: `wrongKeyClass` for a symmetric key.
    public func publicJSON() throws(KeyError) -> String {
        let key = try publicKey()
        var writer = JWKWriter()
        key.writeMembers(to: &writer)
        return writer.finish()
    }

    /// The whole key as JSON, including the secret. Write it only where secrets may be.
    ///
    /// - Throws: `privateKeyRequired` for a public key.
    public func exportPrivateJSON() throws(KeyError) -> SecretBytes {
        guard isPrivate else {
            throw KeyError(.privateKeyRequired, "This key has no private half to export.")
        }
        var writer = JWKWriter()
        writeMembers(to: &writer)
        try writePrivateMembers(to: &writer)
        return writer.finishSecret()
    }

    /// Writes `kty` and the public members alone, for a key in a header.
    func writePublicNumbers(to writer: inout JWKWriter) {
        writer.text("kty", value: keyType)
        for (name, value) in Self.publicMembers(material) { value.write(as: name, to: &writer) }
    }

    /// Writes everything but the private numbers.
    private func writeMembers(to writer: inout JWKWriter) {
        writer.text("kty", value: keyType)
        if let keyID { writer.text("kid", value: keyID) }
        if let use { writer.text("use", value: use) }
        if let keyOperations { writer.texts("key_ops", values: keyOperations) }
        if let algorithm { writer.text("alg", value: algorithm) }
        for (name, value) in Self.publicMembers(material) { value.write(as: name, to: &writer) }
    }

    /// The value of a member of a public key.
    enum MemberValue {
        case text(String)
        case octets([UInt8])

        func write(as name: String, to writer: inout JWKWriter) {
            switch self {
            case .text(let text): writer.text(name, value: text)
            case .octets(let bytes): writer.octets(name, bytes: bytes.span)
            }
        }
    }

    /// The members that identify the public key (RFC 7638, section 3.2), without `kty`.
    static func publicMembers(_ material: JWKMaterial) -> [(String, MemberValue)] {
        switch material.publicPart {
        case .key(.rsaPublic(let key)): [("e", .octets(key.exponent)), ("n", .octets(key.modulus))]
        case .key(.ecPublic(let key)):
            [("crv", .text(key.curve.rawValue)), ("x", .octets(key.x)), ("y", .octets(key.y))]
        case .key(.ed25519Public(let key)):
            [("crv", .text("Ed25519")), ("x", .octets(key.rawRepresentation))]
        case .x25519Public(let key):
            [("crv", .text("X25519")), ("x", .octets(key.rawRepresentation))]
        // A symmetric key has no public part, and a public part no private key.
        default: []
        }
    }

    /// Writes the private numbers. Room for all of them is reserved first: a growing buffer would
    /// leave copies of secrets.
    private func writePrivateMembers(to writer: inout JWKWriter) throws(KeyError) {
        switch material {
        case .octets(let key):
            writer.reserveForSecrets(byteCount: key.byteCount)
            writer.secret("k", key: key)
        case .key(.rsaPrivate(let key)):
            // The private exponent is as long as the modulus, and the other five are half as long.
            writer.reserveForSecrets(byteCount: key.publicKey.modulus.count * 4)
            let numbers = try Self.translatingErrors(key.exportNumbers)
            writer.secret("d", key: numbers.privateExponent)
            writer.secret("p", key: numbers.prime1)
            writer.secret("q", key: numbers.prime2)
            writer.secret("dp", key: numbers.exponent1)
            writer.secret("dq", key: numbers.exponent2)
            writer.secret("qi", key: numbers.coefficient)
        case .key(.ecPrivate(let key)):
            writer.reserveForSecrets(byteCount: key.publicKey.curve.coordinateByteCount)
            writer.secret("d", key: try Self.translatingErrors(key.exportPrivateScalar))
        case .key(.ed25519Private(let key)):
            writer.reserveForSecrets(byteCount: Ed25519PublicKey.byteCount)
            writer.secret("d", key: try Self.translatingErrors(key.exportSeed))
        case .x25519Private(let key):
            writer.reserveForSecrets(byteCount: X25519PublicKey.byteCount)
            writer.secret("d", key: try Self.translatingErrors(key.exportPrivateScalar))
        // A public key.
        case .key, .x25519Public:
            break
        }
    }
}
