// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension KeyFile {
    /// The names of all algorithms that a key may be for.
    static let algorithmNames =
        HMACAlgorithm.allCases.map(\.name) + SignatureAlgorithm.allCases.map(\.name)
    /// The names of all algorithms that a JWK may name, for signing or for encryption.
    static let nameableAlgorithmNames = algorithmNames + KeyManagementAlgorithm.names

    /// The content of the file, as any of the four kinds that verifiers take.
    private enum Keys {
        case secret(HMACKey)
        case secrets(HMACKeySet)
        case key(VerificationKey)
        case keys(KeySet)
    }

    private func keys(_ algorithm: String?) throws -> Keys {
        switch self {
        case .one(let key) where key.keyType == "oct":
            .secret(try HMACKey(jwk: key, algorithm: Self.hmac(algorithm)))
        case .one(let key):
            .key(try VerificationKey(jwk: key, algorithm: Self.signature(algorithm)))
        case .set(let document) where document.isSymmetric:
            .secrets(try document.secrets(algorithm: algorithm))
        case .set(let document): .keys(try document.publicKeys(algorithm: algorithm))
        }
    }

    /// A verifier for whatever the file holds.
    func verifier(algorithm: String?) throws -> JWSVerifier {
        let limit = Input.maximumTokenByteCount
        return switch try keys(algorithm) {
        case .secret(let key): try JWSVerifier(hmacKey: key, maximumByteCount: limit)
        case .secrets(let keys): try JWSVerifier(hmacKeys: keys, maximumByteCount: limit)
        case .key(let key): JWSVerifier(key: key, maximumByteCount: limit)
        case .keys(let keys): JWSVerifier(keys: keys, maximumByteCount: limit)
        }
    }

    /// Whether the file holds a shared secret, or a set with one.
    var isSymmetric: Bool {
        switch self {
        case .one(let key): key.keyType == "oct"
        case .set(let document): document.isSymmetric
        }
    }

    /// Public keys, and what verifies with all of them.
    struct PublicKeys {
        let all: [VerificationKey]
        let verifier: JWSVerifier
    }

    /// The public keys that the file holds.
    ///
    /// - Throws: `wrongKeyClass` for shared secrets.
    func publicKeys(algorithm: String?) throws -> PublicKeys {
        switch try keys(algorithm) {
        case .secret, .secrets:
            throw KeyError(.wrongKeyClass, "A shared secret is no public key.")
        case .key(let key): PublicKeys(all: [key], verifier: JWSVerifier(key: key))
        case .keys(let set): PublicKeys(all: set.keys, verifier: JWSVerifier(keys: set))
        }
    }

    /// A verifier of JWTs for whatever the file holds.
    func tokenVerifier(algorithm: String?, policy: TokenPolicy) throws -> TokenVerifier {
        switch try keys(algorithm) {
        case .secret(let key): try TokenVerifier(hmacKey: key, policy: policy)
        case .secrets(let keys): try TokenVerifier(hmacKeys: keys, policy: policy)
        case .key(let key): TokenVerifier(key: key, policy: policy)
        case .keys(let keys): TokenVerifier(keys: keys, policy: policy)
        }
    }

    static func signature(_ name: String?) throws -> SignatureAlgorithm? {
        guard let name else { return nil }
        guard let algorithm = SignatureAlgorithm(name: name) else {
            try require(
                HMACAlgorithm(name: name) == nil,
                otherwise: "\(shown: name) takes a symmetric key, and this one is not.",
                advice: "Leave --algorithm out, or for an RSA key name its own, as in: "
                    + "--algorithm RS256")
            throw unknown(name)
        }
        return algorithm
    }

    static func hmac(_ name: String?) throws -> HMACAlgorithm? {
        guard let name else { return nil }
        guard let algorithm = HMACAlgorithm(name: name) else {
            try require(
                SignatureAlgorithm(name: name) == nil,
                otherwise: "\(shown: name) takes a key pair, and this key is symmetric.",
                advice: "One of: HS256, HS384, HS512")
            throw unknown(name)
        }
        return algorithm
    }

    static func unknown(
        _ name: String, among names: [String] = algorithmNames
    ) -> CommandFailure {
        .usage(
            "There is no algorithm \(shown: name) here.",
            advice: "One of: " + names.joined(separator: ", ")
        )
    }
}

extension KeyManagementAlgorithm {
    static let names = allCases.map(\.name)
}
