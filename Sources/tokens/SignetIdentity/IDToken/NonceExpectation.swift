// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

/// The expected `nonce` of an ID token (OpenID Connect Core 3.1.3.7, step 11). Printing shows
/// nothing of the value.
///
/// A nonce is a random text that the sign-in's request sends and the ID token brings back, which
/// shows that the token belongs to this sign-in: `try await verifier.verify(idToken, nonce:
/// .raw(nonce))`.
///
/// Use the value that the server gave to the client before the sign-in, and accept it once. A nonce
/// that the client chooses and sends along with the token proves nothing.
public struct NonceExpectation: Sendable, Redacted {
    private enum Form: Sendable {
        case none
        case text(String)
        case sha256Hex(String)
    }

    private let form: Form

    /// No nonce was sent. A token with a nonce is rejected, unless the provider's SDKs make nonces
    /// by themselves (``IdentityProvider/allowsUnsolicitedNonce``).
    public static let none = NonceExpectation(form: .none)

    /// This value was sent, and comes back unchanged.
    public static func raw(_ nonce: String) -> NonceExpectation {
        NonceExpectation(form: .text(nonce))
    }

    /// The lower-case hexadecimal SHA-256 of this value's UTF-8 was sent, as applications do for
    /// Sign in with Apple.
    public static func sha256Hex(of nonce: String) -> NonceExpectation {
        NonceExpectation(form: .sha256Hex(nonce))
    }

    /// Whether a token that passes holds a nonce of the request.
    var isChecked: Bool { if case .none = form { false } else { true } }

    /// The form of the expectation.
    public var description: String {
        switch form {
        case .none: "NonceExpectation(none)"
        case .text: "NonceExpectation(raw, redacted)"
        case .sha256Hex: "NonceExpectation(sha256Hex, redacted)"
        }
    }

    /// Checks the token's claim. An empty nonce never matches.
    func check(_ claim: ReceivedText?, allowsUnsolicited: Bool) throws(IdentityError) {
        let wanted: [UInt8]
        switch form {
        case .none:
            // Slack writes an empty nonce.
            guard claim == nil || claim?.isEmpty == true || allowsUnsolicited else {
                throw Self.mismatch("The token has a nonce and the request had none.")
            }
            return
        case .text(let nonce):
            wanted = Array(nonce.utf8)
        case .sha256Hex(let nonce):
            // The hash of an empty text is not empty, and would match.
            wanted = nonce.utf8.isEmpty ? [] : try Self.hexDigest(of: nonce)
        }
        guard let claim else {
            throw IdentityError(
                .nonceMissing, claim: "nonce", "A nonce was sent and the token has none.")
        }
        guard !wanted.isEmpty, ConstantTime.areEqual(wanted, claim.utf8) else {
            throw Self.mismatch(
                "The token's nonce is not the one that was sent: check whether the client hashes it."
            )
        }
    }

    private static func hexDigest(of nonce: String) throws(IdentityError) -> [UInt8] {
        let digest: [UInt8]
        do throws(CryptographyError) {
            digest = try MessageDigest.digest(nonce.utf8, using: .sha256)
        } catch {
            throw mismatch("The nonce cannot be hashed on this machine.")
        }
        return Array(digest.hexadecimalText.utf8)
    }

    private static func mismatch(_ message: ErrorMessage) -> IdentityError {
        IdentityError(.nonceMismatch, claim: "nonce", message)
    }
}
