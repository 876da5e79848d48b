// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetCrypto

/// The one key that a header is verified with, whatever its class.
struct SignatureKey: Sendable {
    enum Operation: Sendable {
        case publicKey(SignatureVerification)
        case secret(MACState)
    }

    let operation: Operation
    /// The key's own identifier.
    let keyID: String?

    init(_ key: VerificationKey) {
        operation = .publicKey(key.verification)
        keyID = key.keyID
    }

    init(_ key: HMACKey) {
        operation = .secret(key.mac.state)
        keyID = key.keyID
    }

    /// - Throws: `signatureInvalid`, `malformed`, `libraryFailure`.
    func checkSignature(of token: Span<UInt8>, _ parts: CompactSerialization) throws(TokenError) {
        guard let signature = Base64URL.decode(token, in: parts.signature) else {
            throw TokenError(.malformed, "The signature is not base64url without padding.")
        }
        guard try isValid(signature.span, for: token.extracting(parts.signingInput)) else {
            throw TokenError(
                .signatureInvalid,
                "The signature does not verify with the key that the header names.")
        }
    }

    private func isValid(_ signature: Span<UInt8>, for message: Span<UInt8>) throws(TokenError)
        -> Bool
    {
        do throws(OpenSSLFailure) {
            switch operation {
            case .publicKey(let verification):
                return try verification.isValid(signature, for: message)
            case .secret(let state): return try state.isValid(signature, for: message)
            }
        } catch {
            throw TokenError(
                .libraryFailure,
                "libcrypto could not tell whether the signature is good (\(error.operation)).")
        }
    }
}
