// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import CSignetOpenSSL

/// The algorithms that are used, each fetched when it is first needed.
final class AlgorithmTable: Sendable {
    static let shared = AlgorithmTable()

    let sha256 = unsafe FetchedOnce("SHA256") { unsafe EVP_MD_fetch(nil, "SHA256", nil) }
    let sha384 = unsafe FetchedOnce("SHA384") { unsafe EVP_MD_fetch(nil, "SHA384", nil) }
    let sha512 = unsafe FetchedOnce("SHA512") { unsafe EVP_MD_fetch(nil, "SHA512", nil) }
    let shake128 = unsafe FetchedOnce("SHAKE128") { unsafe EVP_MD_fetch(nil, "SHAKE128", nil) }
    let aes128GCM = unsafe FetchedOnce("AES-128-GCM") {
        unsafe EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
    }
    let aes192GCM = unsafe FetchedOnce("AES-192-GCM") {
        unsafe EVP_CIPHER_fetch(nil, "AES-192-GCM", nil)
    }
    let aes256GCM = unsafe FetchedOnce("AES-256-GCM") {
        unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    }
    let aes256ECB = unsafe FetchedOnce("AES-256-ECB") {
        unsafe EVP_CIPHER_fetch(nil, "AES-256-ECB", nil)
    }
    /// From OpenSSL 3.2.
    let argon2id = unsafe FetchedOnce("ARGON2ID") { unsafe EVP_KDF_fetch(nil, "ARGON2ID", nil) }

    private init() {
        // Long done; said here for the linker.
        _ = csignet_openssl_keep()
    }
}
