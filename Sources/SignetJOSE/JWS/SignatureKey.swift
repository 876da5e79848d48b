// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The one key that a header is verified with, as far as that takes: one reference, whatever the class of the key.
enum SignatureKey: Sendable {
    case publicKey(SignatureVerification)
    case secret(MACState)

    @inline(__always)
    func isValid(_ signature: Span<UInt8>, for message: Span<UInt8>) throws(TokenError) -> Bool {
        do throws(OpenSSLFailure) {
            switch self {
            case .publicKey(let verification): return try verification.isValid(signature, for: message)
            case .secret(let state): return try state.isValid(signature, for: message)
            }
        } catch {
            throw TokenError(
                .libraryFailure,
                "libcrypto could not tell whether the signature is good (\(error.operation)).")
        }
    }
}

/// The identifier of the key that has verified. Where the header says the same it is not kept a second time, because each token
/// that is given out would count one more reference to it.
struct VerifiedKeyID: Sendable {
    private let isInHeader: Bool
    private let own: String?

    init(_ keyID: String?, _ header: ReceivedHeader) {
        if let keyID, let named = header.keyID, named.isEqual(to: keyID) {
            isInHeader = true
            own = nil
        } else {
            isInHeader = false
            own = keyID
        }
    }

    /// The identifier, with the header that this was made for, or a copy of it.
    func text(_ header: TokenHeader) -> String? { isInHeader ? header.keyID : own }
}
