// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension KeyFile {
    /// Every algorithm that a key may be for.
    static let algorithmNames =
        HMACAlgorithm.allCases.map(\.name) + SignatureAlgorithm.allCases.map(\.name)

    /// A verifier for whatever the file holds.
    func verifier(algorithm: String?) throws -> JWSVerifier {
        let limit = Input.maximumTokenByteCount
        return try failing {
            switch self {
            case .one(let key) where key.keyType == "oct":
                let secret = try HMACKey(jwk: key, algorithm: Self.hmac(algorithm))
                return try JWSVerifier(hmacKey: secret, maximumByteCount: limit)
            case .one(let key):
                let publicKey = try VerificationKey(jwk: key, algorithm: Self.signature(algorithm))
                return JWSVerifier(key: publicKey, maximumByteCount: limit)
            case .set(let document) where document.isSymmetric:
                let secrets = try document.secrets(algorithm: algorithm)
                return try JWSVerifier(hmacKeys: secrets, maximumByteCount: limit)
            case .set(let document):
                let keys = try document.publicKeys(algorithm: algorithm)
                return JWSVerifier(keys: keys, maximumByteCount: limit)
            }
        }
    }

    /// A verifier of JWT for whatever the file holds.
    func tokenVerifier(algorithm: String?, policy: TokenPolicy) throws -> TokenVerifier {
        try failing {
            switch self {
            case .one(let key) where key.keyType == "oct":
                let secret = try HMACKey(jwk: key, algorithm: Self.hmac(algorithm))
                return try TokenVerifier(hmacKey: secret, policy: policy)
            case .one(let key):
                let publicKey = try VerificationKey(jwk: key, algorithm: Self.signature(algorithm))
                return TokenVerifier(key: publicKey, policy: policy)
            case .set(let document) where document.isSymmetric:
                return try TokenVerifier(
                    hmacKeys: document.secrets(algorithm: algorithm), policy: policy)
            case .set(let document):
                return TokenVerifier(
                    keys: try document.publicKeys(algorithm: algorithm), policy: policy)
            }
        }
    }

    static func signature(_ name: String?) throws -> SignatureAlgorithm? {
        guard let name else { return nil }
        guard let algorithm = SignatureAlgorithm(name: name) else {
            guard HMACAlgorithm(name: name) == nil else {
                throw CommandFailure.usage(
                    "\(name) takes a symmetric key, and this one is not.",
                    advice: "Leave --algorithm out.")
            }
            throw unknown(name)
        }
        return algorithm
    }

    static func hmac(_ name: String?) throws -> HMACAlgorithm? {
        guard let name else { return nil }
        guard let algorithm = HMACAlgorithm(name: name) else {
            guard SignatureAlgorithm(name: name) == nil else {
                throw CommandFailure.usage(
                    "\(name) takes a key pair, and this key is symmetric.",
                    advice: "One of: HS256, HS384, HS512")
            }
            throw unknown(name)
        }
        return algorithm
    }

    static func unknown(_ name: String) -> CommandFailure {
        .usage(
            "There is no algorithm \(name) here.",
            advice: "One of: " + algorithmNames.joined(separator: ", ")
        )
    }
}
