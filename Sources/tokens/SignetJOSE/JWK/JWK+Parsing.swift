// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

// Reads a JWK from its JSON object, such as `{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrf…"}`, and
// checks its numbers. A key has a private half exactly if it has "d". KeyDocument reads the members:
//
//     kty   of the public half   of the private half
//     RSA   n, e                 d, and all or none of p, q, dp, dq, qi
//     EC    crv, x, y            d
//     OKP   crv, x               d
//     oct                        k, a symmetric key
//
// Numbers are base64url, big-endian. Any key may have "kid" (its identifier), "use", "key_ops" and
// "alg", which say what it is for.

extension JWK {
    /// How much of a key a reader takes.
    private enum Extent {
        case whole, publicHalf
    }

    /// Reads a key from an object, which may be a member of a set.
    package init(_ node: JSONNode) throws(KeyError) { try self.init(node, extent: .whole) }

    /// Reads the public half of a key from an object. The values of private members are not read:
    /// checking them takes up to 40 ms a key, for a half that the caller drops.
    ///
    /// - Throws: `wrongKeyClass` for a symmetric key.
    package init(publicHalfOf node: JSONNode) throws(KeyError) {
        try self.init(node, extent: .publicHalf)
    }

    private init(_ node: JSONNode, extent: Extent) throws(KeyError) {
        guard node.kind == .object else {
            throw KeyError(.malformed, "A JWK is a JSON object, not \(node.kind.phrase).")
        }
        guard let member = node.member("kty") else {
            throw KeyError(.malformed, "The member \"kty\" is missing.")
        }
        guard let keyType = member.text else {
            throw KeyDocument.notAString("kty", kind: member.kind)
        }
        let keyID = try KeyDocument.string("kid", in: node)
        var use = try KeyDocument.string("use", in: node)
        let algorithm = try KeyDocument.string("alg", in: node)
        var operations = try Self.readOperations(of: node)
        if extent == .publicHalf, let half = node.member("d") {
            // Only the type of the member is read: a key must say clearly whether it has a private
            // half.
            guard half.text != nil else {
                throw KeyDocument.notAString("d", kind: half.kind)
            }
            // The public half of a key that signs verifies.
            use = Self.publicUse(use, of: operations)
            operations = Self.publicOperations(operations)
        }
        self.init(
            material: try Self.readMaterial(ofType: keyType, in: node, extent: extent),
            keyID: keyID, use: use, keyOperations: operations, algorithm: algorithm)
    }

    /// Reads the members that belong to a `kty`.
    private static func readMaterial(
        ofType keyType: ReceivedText, in node: JSONNode, extent: Extent
    ) throws(KeyError) -> JWKMaterial {
        // Compares bytes: a `switch` over strings matches "OKP" with the Kelvin sign for its K.
        if keyType.isEqual(to: "RSA") { return try readRSA(node, extent: extent) }
        if keyType.isEqual(to: "EC") { return try readEC(node, extent: extent) }
        if keyType.isEqual(to: "OKP") { return try readOKP(node, extent: extent) }
        guard keyType.isEqual(to: "oct") else {
            throw KeyError(.unsupportedKeyType, "Signet does not use keys of this \"kty\".")
        }
        guard extent == .whole else { throw hasNoPublicHalf }
        return .octets(try readSecret("k", in: node))
    }

    private static let maximumOperationCount = 16

    /// RFC 7517, section 4.3: an array of strings, none twice.
    private static func readOperations(of node: JSONNode) throws(KeyError) -> [String]? {
        guard let member = KeyDocument.present("key_ops", in: node) else { return nil }
        guard member.kind == .array else {
            throw KeyError(
                .malformed, "The member \"key_ops\" is \(member.kind.phrase), not an array.")
        }
        var operations = [String]()
        for element in member.elements {
            guard let text = element.text else {
                throw KeyError(
                    .malformed,
                    "The member \"key_ops\" holds \(element.kind.phrase), where strings are expected."
                )
            }
            guard operations.count < maximumOperationCount else {
                throw KeyError(
                    .malformed,
                    "The member \"key_ops\" has \(member.count) entries; it may have \(maximumOperationCount)."
                )
            }
            guard !text.isOne(of: operations) else {
                throw KeyError(.malformed, "The member \"key_ops\" names an operation twice.")
            }
            operations.append(try KeyDocument.string(text, of: "key_ops"))
        }
        return operations
    }

    /// A required member with a secret. The decoded bytes are wiped: only the result keeps them.
    private static func readSecret(_ name: String, in node: JSONNode) throws(KeyError) -> SecretKey
    {
        var bytes = try KeyDocument.octets(name, in: node)
        defer { cleanse(&bytes) }
        guard !bytes.isEmpty else {
            throw KeyError(.invalidKeyMaterial, "The member \"\(shown: name)\" is empty.")
        }
        return SecretKey(copying: bytes)
    }

    private static func readRSA(_ node: JSONNode, extent: Extent) throws(KeyError) -> JWKMaterial {
        let modulus = try KeyDocument.octets("n", in: node)
        let exponent = try KeyDocument.octets("e", in: node)
        guard extent == .whole, node.member("d") != nil else {
            return .key(.rsaPublic(try rsaPublicKey(modulus: modulus, exponent: exponent)))
        }
        try checkRSASize(modulus)
        guard node.member("oth") == nil else {
            throw KeyError(.unsupportedKeyType, "RSA keys with more than two primes are not used.")
        }
        let key = try readRSAPrivateKey(node, modulus: modulus, exponent: exponent)
        return .key(.rsaPrivate(key))
    }

    private static func readRSAPrivateKey(
        _ node: JSONNode, modulus: [UInt8], exponent: [UInt8]
    ) throws(KeyError) -> RSAPrivateKey {
        let privateExponent = try readSecret("d", in: node)
        // RFC 7518, section 6.3.2: all of these members or none.
        let hasNoPrimes = ["p", "q", "dp", "dq", "qi"].allSatisfy { node.member($0) == nil }
        if hasNoPrimes {
            return try translatingErrors { () throws(CryptographyError) in
                try RSAPrivateKey(
                    modulus: modulus, exponent: exponent, privateExponent: privateExponent)
            }
        }
        let numbers = RSAPrivateKey.Numbers(
            modulus: modulus, exponent: exponent, privateExponent: privateExponent,
            prime1: try readSecret("p", in: node), prime2: try readSecret("q", in: node),
            exponent1: try readSecret("dp", in: node), exponent2: try readSecret("dq", in: node),
            coefficient: try readSecret("qi", in: node))
        return try translatingErrors { () throws(CryptographyError) in try RSAPrivateKey(numbers) }
    }

    static func rsaPublicKey(
        modulus: [UInt8], exponent: [UInt8]
    ) throws(KeyError) -> RSAPublicKey {
        try checkRSASize(modulus)
        return try translatingErrors { () throws(CryptographyError) in
            try RSAPublicKey(modulus: modulus, exponent: exponent)
        }
    }

    /// Refuses a key that is too long with the code `tooLarge`: SignetCrypto's error for any wrong
    /// size becomes `keyTooShort`.
    static func checkRSASize(_ modulus: [UInt8]) throws(KeyError) {
        // Leading zero bytes do not count.
        try checkRSASize(bitCount: 8 * modulus.drop { $0 == 0 }.count)
    }

    static func checkRSASize(bitCount: Int) throws(KeyError) {
        let maximum = RSAPublicKey.bitCounts.upperBound
        guard bitCount <= maximum else {
            throw KeyError(
                .tooLarge, "An RSA key has at most \(maximum) bits; this one has \(bitCount).")
        }
    }

    private static func readEC(_ node: JSONNode, extent: Extent) throws(KeyError) -> JWKMaterial {
        let name = try KeyDocument.text("crv", in: node)
        let curve = EllipticCurve.allCases.first { name?.isEqual(to: $0.rawValue) == true }
        guard let curve else {
            throw KeyError(.unsupportedKeyType, "An EC key has a \"crv\" of P-256, P-384 or P-521.")
        }
        let x = curve.withLeadingZeros(try KeyDocument.octets("x", in: node))
        let y = curve.withLeadingZeros(try KeyDocument.octets("y", in: node))
        let publicKey = try translatingErrors { () throws(CryptographyError) in
            try ECPublicKey(curve: curve, x: x, y: y)
        }
        guard extent == .whole, node.member("d") != nil else { return .key(.ecPublic(publicKey)) }
        let scalar = try readSecret("d", in: node)
        let key = try translatingErrors { () throws(CryptographyError) in
            try ECPrivateKey(curve: curve, privateScalar: scalar)
        }
        guard key.publicKey == publicKey else {
            throw KeyError(.invalidKeyMaterial, "\"d\" is not the private half of \"x\" and \"y\".")
        }
        return .key(.ecPrivate(key))
    }

    private static func readOKP(_ node: JSONNode, extent: Extent) throws(KeyError) -> JWKMaterial {
        let curve = try KeyDocument.text("crv", in: node)
        let hasPrivateHalf = extent == .whole && node.member("d") != nil
        if curve?.isEqual(to: "Ed25519") == true {
            return .key(try readEd25519(node, hasPrivateHalf: hasPrivateHalf))
        }
        guard curve?.isEqual(to: "X25519") == true else {
            throw KeyError(.unsupportedKeyType, "An OKP key has the \"crv\" Ed25519 or X25519.")
        }
        return try readX25519(node, hasPrivateHalf: hasPrivateHalf)
    }

    private static func readEd25519(
        _ node: JSONNode, hasPrivateHalf: Bool
    ) throws(KeyError) -> AsymmetricKey {
        // Also refuses points for which anyone can sign.
        let publicKey = try ed25519PublicKey(KeyDocument.octets("x", in: node))
        guard hasPrivateHalf else { return .ed25519Public(publicKey) }
        let seed = try readSecret("d", in: node)
        let key = try translatingErrors { () throws(CryptographyError) in
            try Ed25519PrivateKey(seed: seed)
        }
        guard key.publicKey == publicKey else { throw privateHalfDoesNotFit }
        return .ed25519Private(key)
    }

    private static func readX25519(
        _ node: JSONNode, hasPrivateHalf: Bool
    ) throws(KeyError) -> JWKMaterial {
        let x = try KeyDocument.octets("x", in: node)
        let publicKey = try translatingErrors { () throws(CryptographyError) in
            try X25519PublicKey(rawRepresentation: x)
        }
        guard hasPrivateHalf else { return .x25519Public(publicKey) }
        let scalar = try readSecret("d", in: node)
        let key = try translatingErrors { () throws(CryptographyError) in
            try X25519PrivateKey(privateScalar: scalar)
        }
        guard key.publicKey == publicKey else { throw privateHalfDoesNotFit }
        return .x25519Private(key)
    }

    private static var privateHalfDoesNotFit: KeyError {
        KeyError(.invalidKeyMaterial, "\"d\" is not the private half of \"x\".")
    }

    /// Calls SignetCrypto, and turns its errors into errors of keys.
    static func translatingErrors<Value>(
        _ call: () throws(CryptographyError) -> Value
    ) throws(KeyError) -> Value {
        do {
            return try call()
        } catch {
            throw KeyError(error)
        }
    }
}

extension EllipticCurve {
    /// A coordinate in the curve's full length, which RFC 7518, section 6.2.1.2 requires. Some
    /// encoders drop leading zeros, which are added: the number is unambiguous, and the point must
    /// still be on the curve.
    func withLeadingZeros(_ coordinate: [UInt8]) -> [UInt8] {
        let missing = coordinateByteCount - coordinate.count
        guard missing > 0, !coordinate.isEmpty else { return coordinate }
        return [UInt8](repeating: 0, count: missing) + coordinate
    }
}

extension KeyError {
    /// SignetCrypto's error about a key, with the same message.
    init(_ error: CryptographyError) {
        switch error.code {
        case .invalidKeySize: self.init(.keyTooShort, underlying: error, "\(messageOf: error)")
        case .invalidKey, .invalidParameter:
            self.init(.invalidKeyMaterial, underlying: error, "\(messageOf: error)")
        // No other code is about the key.
        default: self.init(.libraryFailure, underlying: error, "\(messageOf: error)")
        }
    }
}
