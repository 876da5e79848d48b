// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Which kinds of key and of signature the loaded providers offer, asked once for the life of the process.
///
/// A key is refused when it is read where libcrypto could not use it, though libcrypto gets to see it later only.
final class SignatureSupport: Sendable {
    static let shared = SignatureSupport()

    private let rsa = Offer(keyType: "RSA", signature: "RSA")
    private let ecdsa = Offer(keyType: "EC", signature: "ECDSA")
    private let ed25519 = Offer(keyType: "ED25519", signature: "ED25519")

    private struct Offer {
        let canImport: Bool
        let canVerify: Bool

        init(keyType: StaticString, signature: StaticString) {
            let management = unsafe EVP_KEYMGMT_fetch(nil, cString(keyType), nil)
            let algorithm = unsafe EVP_SIGNATURE_fetch(nil, cString(signature), nil)
            canImport = unsafe management != nil
            canVerify = unsafe algorithm != nil
            unsafe EVP_KEYMGMT_free(management)
            unsafe EVP_SIGNATURE_free(algorithm)
        }
    }

    private init() {
        // A fetch that found nothing leaves an error behind.
        ERR_clear_error()
    }

    /// Refuses a kind of key as the import of such a key would.
    func require(keyKind kind: KeyHandle.Kind) throws(OpenSSLFailure) {
        guard offer(kind).canImport else { throw OpenSSLFailure(.refused, "EVP_KEYMGMT_fetch") }
    }

    /// Refuses a scheme that no provider offers.
    func require(_ scheme: SignatureScheme) throws(OpenSSLFailure) {
        guard offer(scheme.keyKind).canVerify else {
            throw OpenSSLFailure(.unavailable, "EVP_SIGNATURE_fetch")
        }
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
