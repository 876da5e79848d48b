// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A key to sign with, either private or symmetric.
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

    func tokenSigner(type: String) throws -> TokenSigner {
        switch self {
        case .asymmetric(let key): TokenSigner(key: key, type: type, clock: CommandClock.current)
        case .symmetric(let key):
            try TokenSigner(hmacKey: key, type: type, clock: CommandClock.current)
        }
    }

    /// Prints a token. Refuses a token that is too long for the verifying command.
    func print(_ token: String, maximumByteCount: Int, json: Bool) throws {
        guard token.utf8.count <= maximumByteCount else {
            throw CommandFailure.refused(
                "tooLarge",
                "The token would be longer than the \(maximumByteCount) bytes that are accepted.",
                advice: "Sign less, or a digest of it.")
        }
        let (algorithm, keyID): (String, String?) =
            switch self {
            case .asymmetric(let key): (key.algorithm.name, key.keyID)
            case .symmetric(let key): (key.algorithm.name, key.keyID)
            }
        try Output.printResult(
            json: json,
            members: [
                "token": .string(token), "algorithm": .string(algorithm),
                "keyID": keyID.map(JSONValue.string),
            ],
            text: token)
    }
}
