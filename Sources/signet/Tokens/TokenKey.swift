// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A key to sign with, be it a private or a symmetric one.
enum TokenKey {
    case asymmetric(SigningKey)
    case symmetric(HMACKey)

    init(_ jwk: JWK, algorithm: String?) throws {
        if jwk.keyType == "oct" {
            self = .symmetric(try HMACKey(jwk: jwk, algorithm: KeyFile.hmac(algorithm)))
        } else {
            self = .asymmetric(try SigningKey(jwk: jwk, algorithm: KeyFile.signature(algorithm)))
        }
    }

    func signer(type: String?, contentType: String? = nil) throws -> JWSSigner {
        switch self {
        case .asymmetric(let key): JWSSigner(key: key, type: type, contentType: contentType)
        case .symmetric(let key): try JWSSigner(hmacKey: key, type: type, contentType: contentType)
        }
    }

    /// Prints a token, unless it is one that the verifying command would not read.
    func print(_ token: String, maximumByteCount: Int, json: Bool) throws {
        guard token.utf8.count <= maximumByteCount else {
            throw CommandFailure.refused(
                "tooLarge",
                "The token would be longer than the \(maximumByteCount) bytes that are accepted.",
                advice: "Sign less, or a digest of it.")
        }
        guard json else { return try Output.line(token) }
        var members: [String: JSONValue] = ["token": .string(token)]
        switch self {
        case .asymmetric(let key):
            members["algorithm"] = .string(key.algorithm.name)
            members["keyID"] = .string(key.keyID)
        case .symmetric(let key):
            members["algorithm"] = .string(key.algorithm.name)
            if let keyID = key.keyID { members["keyID"] = .string(keyID) }
        }
        try Output.line(JSONOutput.line(members))
    }
}
