// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

/// A key as people keep it in a file: one JWK, a JWK set, or PEM.
enum KeyFile {
    case one(JWK)
    case set([UInt8], isSymmetric: Bool)

    /// Reads `path`; `-` is standard input.
    static func read(_ path: String) throws -> KeyFile {
        let bytes =
            path == "-"
            ? try Input.bytes(nil, maximumByteCount: KeySet.maximumByteCount)
            : try Input.secretBytesOrPublic(path)
        do throws(KeyError) {
            return try parse(bytes)
        } catch {
            throw CommandFailure(error, path)
        }
    }

    static func parse(_ bytes: [UInt8]) throws(KeyError) -> KeyFile {
        let first = bytes.first { $0 > 0x20 }
        guard first == UInt8(ascii: "{") else { return .one(try JWK(pem: bytes)) }
        let root: JSONNode
        do throws(JSONError) {
            var limits = JSONDocument.Limits()
            limits.maximumByteCount = KeySet.maximumByteCount
            root = try JSONDocument(bytes, limits: limits).root
        } catch {
            throw KeyError(.malformed, "The file is neither PEM nor strict JSON (\(error.code.rawValue)).")
        }
        guard let members = root.member("keys") else { return .one(try JWK(root)) }
        let isSymmetric = members.elements.contains { $0.member("kty")?.isString(equalTo: "oct") == true }
        return .set(bytes, isSymmetric: isSymmetric)
    }

    /// The one key of the file.
    ///
    /// A set with a single member will do.
    func single() throws -> JWK {
        switch self {
        case .one(let key): return key
        case .set(let bytes, _):
            let members = try failing {
                try JSONDocument(bytes).root.member("keys")?.elements.map { $0 } ?? []
            }
            guard members.count == 1, let member = members.first else {
                throw CommandFailure.usage(
                    "The file holds \(members.count) keys where one is needed.",
                    advice: "Take the one that you mean.")
            }
            return try failing { try JWK(member) }
        }
    }

    /// A verifier for whatever the file holds.
    func verifier(algorithm: String?) throws -> JWSVerifier {
        try failing {
            switch self {
            case .one(let key) where key.keyType == "oct":
                return try JWSVerifier(hmacKey: HMACKey(jwk: key, algorithm: Self.hmac(algorithm)))
            case .one(let key):
                return JWSVerifier(key: try VerificationKey(jwk: key, algorithm: Self.signature(algorithm)))
            case .set(let bytes, isSymmetric: true):
                return try JWSVerifier(hmacKeys: HMACKeySet(jwks: bytes, algorithm: Self.hmac(algorithm)))
            case .set(let bytes, isSymmetric: false):
                return JWSVerifier(keys: try Self.keySet(bytes, algorithm))
            }
        }
    }

    /// A verifier of JWT for whatever the file holds.
    func tokenVerifier(algorithm: String?, policy: TokenPolicy) throws -> TokenVerifier {
        try failing {
            switch self {
            case .one(let key) where key.keyType == "oct":
                return try TokenVerifier(
                    hmacKey: HMACKey(jwk: key, algorithm: Self.hmac(algorithm)), policy: policy)
            case .one(let key):
                return TokenVerifier(
                    key: try VerificationKey(jwk: key, algorithm: Self.signature(algorithm)), policy: policy)
            case .set(let bytes, isSymmetric: true):
                return try TokenVerifier(
                    hmacKeys: HMACKeySet(jwks: bytes, algorithm: Self.hmac(algorithm)), policy: policy)
            case .set(let bytes, isSymmetric: false):
                return TokenVerifier(keys: try Self.keySet(bytes, algorithm), policy: policy)
            }
        }
    }

    private static func keySet(_ bytes: [UInt8], _ algorithm: String?) throws -> KeySet {
        let set = try KeySet(jwks: bytes, rsaAlgorithm: try signature(algorithm) ?? .rs256)
        for skipped in set.skipped { Output.errorLine("signet: skipped \(skipped)") }
        return set
    }

    static func signature(_ name: String?) throws -> SignatureAlgorithm? {
        guard let name else { return nil }
        guard let algorithm = SignatureAlgorithm(name: name) else {
            throw CommandFailure.usage(
                "\(name) is not an algorithm for this kind of key.",
                advice: "One of: " + SignatureAlgorithm.allCases.map(\.name).joined(separator: ", "))
        }
        return algorithm
    }

    static func hmac(_ name: String?) throws -> HMACAlgorithm? {
        guard let name else { return nil }
        guard let algorithm = HMACAlgorithm(name: name) else {
            throw CommandFailure.usage(
                "\(name) is not an algorithm for a symmetric key.", advice: "One of: HS256, HS384, HS512")
        }
        return algorithm
    }
}

extension Input {
    /// A key file: warns only where it turns out to hold a secret that others can read.
    static func secretBytesOrPublic(_ path: String) throws -> [UInt8] {
        let bytes = try Input.bytes(path, maximumByteCount: KeySet.maximumByteCount)
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains("PRIVATE KEY-----") || text.contains("\"d\"") || text.contains("\"k\"") {
            return try secretBytes(path, maximumByteCount: KeySet.maximumByteCount)
        }
        return bytes
    }
}
