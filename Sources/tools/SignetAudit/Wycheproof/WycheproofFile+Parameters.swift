// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension WycheproofFile {
    /// The family, if Signet offers what the file is about. A file that is only partly about that
    /// is run as a whole: Signet must then refuse what it does not offer.
    var offeredFamily: WycheproofFamily? {
        guard let family = WycheproofFamily(schema: schema) else { return nil }
        // A damaged file does not get skipped as being about something else: its suite is run, and
        // fails because of the count.
        guard groups.reduce(0, { $0 + $1.tests.count }) == declaredCount else { return family }
        let isOffered =
            switch family {
            case .mac, .hkdf, .pbkdf2: namedHash != nil
            case .aead: algorithm == "AES-GCM" || namedContentEncryption != nil
            case .keyWrap: algorithm == "AES-WRAP"
            case .oaep: true
            case .agreement:
                groups.contains {
                    (try? $0.object.string("curve")).flatMap(EllipticCurve.init(rawValue:)) != nil
                }
            case .x25519, .x25519JWK:
                groups.contains { (try? $0.object.string("curve")) == "curve25519" }
            case .ecdsaRaw, .ecdsaDER:
                groups.contains {
                    Self.curve($0.object) != nil && Self.offeredHash($0.object) != nil
                }
            case .ed25519:
                groups.contains {
                    (try? $0.object.object("publicKey").string("curve")) == "edwards25519"
                }
            case .rsaVerify, .rsaSign, .pss: groups.contains { Self.offeredHash($0.object) != nil }
            case .jws, .jwe, .jwk: true
            }
        return isOffered ? family : nil
    }

    /// The hash in the file's own algorithm name: `HMACSHA256`, `HKDF-SHA-256`,
    /// `PBKDF2-HMACSHA256`.
    var namedHash: HashAlgorithm? {
        switch algorithm {
        case "HMACSHA256", "HKDF-SHA-256", "PBKDF2-HMACSHA256": .sha256
        case "HMACSHA384", "HKDF-SHA-384", "PBKDF2-HMACSHA384": .sha384
        case "HMACSHA512", "HKDF-SHA-512", "PBKDF2-HMACSHA512": .sha512
        default: nil
        }
    }

    /// The content encryption of JWE that the file's own algorithm name is.
    var namedContentEncryption: ContentEncryption? {
        algorithm.flatMap(ContentEncryption.init(rawValue:))
    }

    /// The hash of a group; nil if Signet does not offer it.
    static func offeredHash(_ group: VectorObject) -> HashAlgorithm? {
        (try? group.string("sha")).flatMap(HashAlgorithm.init(rawValue:))
    }

    static func curve(_ group: VectorObject) -> EllipticCurve? {
        switch try? group.object("publicKey").string("curve") {
        case "secp256r1": .p256
        case "secp384r1": .p384
        case "secp521r1": .p521
        default: nil
        }
    }

    /// Whether a group's parameters are those of PS256, PS384 or PS512 (RFC 7518, section 3.5).
    static func hasOfferedPSSParameters(_ group: VectorObject) -> Bool {
        guard let hash = offeredHash(group) else { return false }
        return (try? group.string("mgfSha")) == hash.rawValue
            && (try? group.integer("sLen")) == hash.byteCount
    }

    /// The object that holds modulus and exponent.
    static func rsaNumbers(_ group: VectorObject) throws(AuditError) -> VectorObject {
        try group.object(group.has("publicKey") ? "publicKey" : "privateKey")
    }
}
