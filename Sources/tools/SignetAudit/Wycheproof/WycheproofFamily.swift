// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The schemas of Wycheproof that Signet can run, and the ways in which cases of each may be
/// rejected.
enum WycheproofFamily: String, Sendable, CaseIterable {
    case mac = "mac_test_schema_v1.json"
    case hkdf = "hkdf_test_schema_v1.json"
    case pbkdf2 = "pbkdf_test_schema.json"
    case aead = "aead_test_schema_v1.json"
    case keyWrap = "keywrap_test_schema_v1.json"
    case oaep = "rsaes_oaep_decrypt_schema_v1.json"
    case agreement = "ecdh_webcrypto_test_schema_v1.json"
    case x25519 = "xdh_comp_schema_v1.json"
    case x25519JWK = "xdh_jwk_comp_schema_v1.json"
    case ecdsaRaw = "ecdsa_p1363_verify_schema_v1.json"
    case ecdsaDER = "ecdsa_verify_schema_v1.json"
    case ed25519 = "eddsa_verify_schema_v1.json"
    case rsaVerify = "rsassa_pkcs1_verify_schema_v1.json"
    case rsaSign = "rsassa_pkcs1_generate_schema_v1.json"
    case pss = "rsassa_pss_verify_schema_v1.json"
    case jws = "json_web_signature_schema_v1.json"
    case jwe = "json_web_encryption_schema_v1.json"
    case jwk = "json_web_key_schema_v1.json"

    /// The family of a file; nil if no part of Signet reads its schema.
    init?(schema: String) {
        let isPSS = schema == "rsassa_pss_with_parameters_verify_schema.json"
        self.init(rawValue: isPSS ? Self.pss.rawValue : schema)
    }

    /// The name of the family in a list of what was not run.
    var title: String {
        switch self {
        case .mac: "HMAC with SHA-256, SHA-384, SHA-512"
        case .hkdf: "HKDF with SHA-256, SHA-384, SHA-512"
        case .pbkdf2: "PBKDF2 with SHA-256, SHA-384, SHA-512"
        case .aead: "AES-GCM and AES-CBC with HMAC-SHA-2"
        case .keyWrap: "AES key wrap"
        case .oaep: "RSA-OAEP"
        case .agreement: "ECDH, JWK"
        case .x25519: "X25519"
        case .x25519JWK: "X25519, JWK"
        case .ecdsaRaw: "ECDSA, r and s"
        case .ecdsaDER: "ECDSA, DER"
        case .ed25519: "Ed25519"
        case .rsaVerify: "RSASSA-PKCS1-v1_5 verification"
        case .rsaSign: "RSASSA-PKCS1-v1_5 signing"
        case .pss: "RSASSA-PSS"
        case .jws: "JSON Web Signature"
        case .jwe: "JSON Web Encryption"
        case .jwk: "JSON Web Key"
        }
    }

    /// The ways in which a case with the label `invalid` may be rejected.
    func failures(of test: WycheproofTest) -> FailureClass {
        switch self {
        case .mac, .keyWrap, .ecdsaRaw, .ed25519, .rsaVerify, .rsaSign, .pss: .authentication
        case .oaep: Self.hasThreePrimes(test) ? .key : .authentication
        case .agreement, .x25519, .x25519JWK: .key
        case .hkdf, .pbkdf2: .parameter
        case .aead: [.authentication, .parameter]
        case .ecdsaDER: [.authentication, .malformed]
        case .jwk: [.key, .algorithm]
        case .jws: Self.tokenFailures(test.flags)
        case .jwe: [.authentication, .key, .malformed, .algorithm, .critical]
        }
    }

    /// Such a key is refused before anything is unwrapped with it.
    private static func hasThreePrimes(_ test: WycheproofTest) -> Bool {
        (try? test.group.object("privateKey"))?.has("otherPrimeInfos") ?? false
    }

    /// For some tokens the flags say what is wrong; all other tokens may fail at any step.
    private static func tokenFailures(_ flags: [String]) -> FailureClass {
        if flags.contains("ModifiedPadding") || flags.contains("ModifiedSignature") {
            return .authentication
        }
        if flags.contains("AlgIsNone") { return .algorithm }
        // The header may name the algorithm of the signature, or that of the key.
        if flags.contains("WrongPrimitive") { return [.algorithm, .authentication] }
        if flags.contains("JsonSerialization") { return .malformed }
        return [.authentication, .key, .malformed, .algorithm, .critical]
    }
}
