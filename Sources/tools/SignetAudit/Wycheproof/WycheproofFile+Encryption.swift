// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension WycheproofFile {
    func keyWrap(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let check = Check.keyWrap(
            wrappingKey: try test.object.hexadecimal("key"),
            key: try test.object.hexadecimal("msg"), wrapped: try test.object.hexadecimal("ct"))
        return ("AES-\(try test.group.integer("keySize"))-KW", check)
    }

    func oaep(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let key = try Self.rsaNumbers(test.group)
        func secret(_ name: String) throws(AuditError) -> SecretKey {
            SecretKey(copying: try key.hexadecimal(name))
        }
        // A key of three primes is read as one of two, which it is not.
        let numbers = RSAPrivateKey.Numbers(
            modulus: try key.hexadecimal("modulus"),
            exponent: try key.hexadecimal("publicExponent"),
            privateExponent: try secret("privateExponent"), prime1: try secret("prime1"),
            prime2: try secret("prime2"), exponent1: try secret("exponent1"),
            exponent2: try secret("exponent2"), coefficient: try secret("coefficient"))
        let digest = Self.offeredOAEP(test)
        let check = Check.oaep(
            digest, numbers: numbers, key: try test.object.hexadecimal("msg"),
            wrapped: try test.object.hexadecimal("ct"))
        return ("RSA-OAEP \(digest?.name ?? "with parameters that are not offered")", check)
    }

    /// The hash of a test whose parameters are those of RFC 7518, section 4.3: one hash for both
    /// purposes, and no label.
    static func offeredOAEP(_ test: WycheproofTest) -> OAEPDigest? {
        guard let name = try? test.group.string("sha"), name == (try? test.group.string("mgfSha")),
            (try? test.object.string("label")) == ""
        else { return nil }
        return OAEPDigest(name: name)
    }

    /// ECDH with both keys as JWKs. What is no public key of RFC 7518 on an offered curve is refused
    /// before.
    func agreement(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let own = try test.object.object("private")
        guard let curve = EllipticCurve(rawValue: try own.string("crv")) else {
            throw own.malformed("crv", because: "is not offered")
        }
        let name = "ECDH \(curve.rawValue)"
        let other = try test.object.object("public")
        guard (try? other.string("kty")) == "EC",
            let otherCurve = (try? other.string("crv")).flatMap(EllipticCurve.init(rawValue:)),
            let x = try? other.bytes("x"), let y = try? other.bytes("y")
        else { return (name, { .rejected(.key, "it is no public key on an offered curve") }) }
        let scalar = try own.bytes("d")
        let published = Check.Agreement(shared: try test.object.hexadecimal("shared"))
        guard otherCurve == curve else {
            let check = Check.crypto { () throws(CryptographyError) in
                let key = try ECPrivateKey(
                    curve: curve, privateScalar: SecretKey(copying: scalar))
                let other = try ECPublicKey(curve: otherCurve, x: x, y: y)
                _ = try KeyAgreement(algorithmID: []).key(of: key, with: other)
                return .accepted
            }
            return (name, check)
        }
        return (name, Check.agreement(curve, scalar: scalar, x: x, y: y, published: published))
    }

    func x25519(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let check = Check.x25519(
            scalar: try test.object.hexadecimal("private"),
            coordinate: try test.object.hexadecimal("public"),
            published: Check.Agreement(shared: try test.object.hexadecimal("shared")))
        return ("X25519", check)
    }

    /// X25519 with both keys as JWKs (RFC 8037, section 2).
    func x25519JWK(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let other = try test.object.object("public")
        guard (try? other.string("kty")) == "OKP", (try? other.string("crv")) == "X25519",
            let coordinate = try? other.bytes("x")
        else { return ("X25519", { .rejected(.key, "it is no public key of X25519") }) }
        let check = Check.x25519(
            scalar: try test.object.object("private").bytes("d"), coordinate: coordinate,
            published: Check.Agreement(shared: try test.object.hexadecimal("shared")))
        return ("X25519", check)
    }
}
