// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Which kinds of key and of signature the loaded providers offer.
///
/// A key is refused when it is read where libcrypto could not use it, though libcrypto gets to see it later only.
final class SignatureSupport: Sendable {
    static let shared = SignatureSupport()

    private let rsa = Offer(keyType: "RSA", signature: "RSA")
    private let ecdsa = Offer(keyType: "EC", signature: "ECDSA")
    private let ed25519 = Offer(keyType: "ED25519", signature: "ED25519")

    private struct Offer {
        let management: FetchedOnce
        let signature: FetchedOnce

        init(keyType: StaticString, signature: StaticString) {
            management = unsafe FetchedOnce("EVP_KEYMGMT_fetch") {
                unsafe EVP_KEYMGMT_fetch(nil, cString(keyType), nil)
            }
            self.signature = unsafe FetchedOnce("EVP_SIGNATURE_fetch") {
                unsafe EVP_SIGNATURE_fetch(nil, cString(signature), nil)
            }
        }
    }

    /// Refuses a kind of key that no provider offers.
    func require(keyKind kind: KeyHandle.Kind) throws(OpenSSLFailure) {
        _ = try unsafe offer(kind).management.required()
    }

    /// Refuses a scheme that no provider offers.
    func require(_ scheme: SignatureScheme) throws(OpenSSLFailure) {
        _ = try unsafe offer(scheme.keyKind).signature.required()
        if let hash = scheme.hash { _ = try unsafe hash.required() }
    }

    private func offer(_ kind: KeyHandle.Kind) -> Offer {
        switch kind {
        case .rsa: rsa
        case .ec: ecdsa
        case .ed25519: ed25519
        }
    }
}
