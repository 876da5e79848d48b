// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension WycheproofFile {
    func ecdsa(_ test: WycheproofTest, isDER: Bool) throws(AuditError) -> Ready {
        let key = try test.group.object("publicKey")
        guard let curve = Self.curve(test.group), let hash = Self.offeredHash(test.group) else {
            throw key.malformed(
                "curve", because: "or the hash is not offered, while others of the file are")
        }
        // 04 ‖ x ‖ y.
        let point = try key.hexadecimal("uncompressed")
        let width = curve.coordinateByteCount
        guard point.first == 4, point.count == 1 + 2 * width else {
            throw key.malformed("uncompressed", because: "is no point")
        }
        let published = try test.object.hexadecimal("sig")
        let check = Check.ecdsa(
            curve, x: Array(point[1...width]), y: Array(point[(1 + width)...]), hash: hash,
            message: try test.object.hexadecimal("msg"),
            signature: isDER ? DERReader.rawSignature(published, width: width) : published)
        return ("ECDSA \(curve.rawValue) \(hash.rawValue)", check)
    }

    func ed25519(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let check = Check.ed25519(
            seed: nil, publicKey: try test.group.object("publicKey").hexadecimal("pk"),
            message: try test.object.hexadecimal("msg"),
            signature: try test.object.hexadecimal("sig"))
        return ("Ed25519", check)
    }

    func rsa(_ test: WycheproofTest, scheme: RSAScheme, hash: HashAlgorithm?) throws(AuditError)
        -> Ready
    {
        let key = try Self.rsaNumbers(test.group)
        let check = Check.rsa(
            scheme, hash: hash, modulus: try key.hexadecimal("modulus"),
            exponent: try key.hexadecimal("publicExponent"),
            message: try test.object.hexadecimal("msg"),
            signature: try test.object.hexadecimal("sig"))
        return (Self.name(scheme, hash: hash), check)
    }

    /// PKCS#1 v1.5 signatures are deterministic, so Signet's signature must be the published
    /// signature.
    func rsaSigning(_ test: WycheproofTest) throws(AuditError) -> Ready {
        guard let numbers = Self.privateNumbers(try test.group.hexadecimal("privateKeyPkcs8"))
        else {
            throw test.group.malformed("privateKeyPkcs8", because: "is not a key of two primes")
        }
        let hash = Self.offeredHash(test.group)
        let message = try test.object.hexadecimal("msg")
        let signature = try test.object.hexadecimal("sig")
        let verifying = Check.rsa(
            .pkcs1v15, hash: hash, modulus: numbers.modulus, exponent: numbers.exponent,
            message: message,
            signature: signature)
        let signing = Check.crypto { () throws(CryptographyError) in
            guard let hash else { return .accepted }
            let made = try RSAPrivateKey(numbers).signature(
                for: message, scheme: .pkcs1v15, hash: hash)
            return made == signature ? .accepted : .differed("another signature was made")
        }
        return (Self.name(.pkcs1v15, hash: hash), Check.both(verifying, then: signing))
    }

    private static func name(_ scheme: RSAScheme, hash: HashAlgorithm?) -> String {
        let name = scheme == .pss ? "RSASSA-PSS" : "RSASSA-PKCS1-v1_5"
        return "\(name) \(hash?.rawValue ?? "with parameters that are not offered")"
    }

    /// The numbers of a PKCS#8 key (RFC 5958), by a reader that is not libcrypto's.
    private static func privateNumbers(_ der: [UInt8]) -> RSAPrivateKey.Numbers? {
        var reader = DERReader(der)
        // PrivateKeyInfo ::= SEQUENCE { version (0), algorithm SEQUENCE, privateKey OCTET STRING }
        // RSAPrivateKey ::= SEQUENCE {
        //     version (0), n, e, d, p, q, d mod (p - 1), d mod (q - 1), 1/q mod p }
        guard var outer = reader.sequence(), outer.integer() == [0], outer.sequence() != nil,
            var octets = outer.octetString(), var inner = octets.sequence(), inner.integer() == [0]
        else { return nil }
        var numbers: [[UInt8]] = []
        while numbers.count < 8, let number = inner.integer() { numbers.append(number) }
        guard numbers.count == 8, inner.isAtEnd else { return nil }
        let secrets = numbers.map { SecretKey(copying: $0) }
        return RSAPrivateKey.Numbers(
            modulus: numbers[0], exponent: numbers[1], privateExponent: secrets[2],
            prime1: secrets[3],
            prime2: secrets[4], exponent1: secrets[5], exponent2: secrets[6],
            coefficient: secrets[7])
    }
}
