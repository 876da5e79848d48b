// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import CSignetOpenSSL

/// The algorithms that Signet uses, each fetched when it is first needed.
final class AlgorithmTable: Sendable {
    static let shared = AlgorithmTable()

    let sha256 = unsafe FetchedOnce("SHA256") { unsafe EVP_MD_fetch(nil, "SHA256", nil) }
    let sha384 = unsafe FetchedOnce("SHA384") { unsafe EVP_MD_fetch(nil, "SHA384", nil) }
    let sha512 = unsafe FetchedOnce("SHA512") { unsafe EVP_MD_fetch(nil, "SHA512", nil) }
    let shake128 = unsafe FetchedOnce("SHAKE128") { unsafe EVP_MD_fetch(nil, "SHAKE128", nil) }
    let hmac = unsafe FetchedOnce("HMAC") { unsafe EVP_MAC_fetch(nil, "HMAC", nil) }
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
    let aes128CBC = cipher("AES-128-CBC")
    let aes192CBC = cipher("AES-192-CBC")
    let aes256CBC = cipher("AES-256-CBC")
    let aes128Wrap = cipher("AES-128-WRAP")
    let aes192Wrap = cipher("AES-192-WRAP")
    let aes256Wrap = cipher("AES-256-WRAP")
    /// The concatenation KDF (NIST SP 800-56C, section 4), by libcrypto's name.
    let concatKDF = unsafe FetchedOnce("SSKDF") { unsafe EVP_KDF_fetch(nil, "SSKDF", nil) }
    let rsa = KeyAlgorithm(key: "RSA", signature: "RSA")
    let ec = KeyAlgorithm(key: "EC", signature: "ECDSA")
    let ed25519 = KeyAlgorithm(key: "ED25519", signature: "ED25519")
    /// Not in a FIPS provider.
    let scrypt = unsafe FetchedOnce("SCRYPT") { unsafe EVP_KDF_fetch(nil, "SCRYPT", nil) }
    /// From OpenSSL 3.2, and not in a FIPS provider.
    let argon2id = unsafe FetchedOnce("ARGON2ID") { unsafe EVP_KDF_fetch(nil, "ARGON2ID", nil) }

    let rsaEncryption = unsafe FetchedOnce("EVP_ASYM_CIPHER_fetch") {
        unsafe EVP_ASYM_CIPHER_fetch(nil, "RSA", nil)
    }
    /// For RSA-OAEP alone.
    let sha1 = unsafe FetchedOnce("SHA1") { unsafe EVP_MD_fetch(nil, "SHA1", nil) }
    let ecdh = unsafe FetchedOnce("ECDH") { unsafe EVP_KEYEXCH_fetch(nil, "ECDH", nil) }
    /// A FIPS provider may lack both.
    let x25519 = unsafe FetchedOnce("X25519") { unsafe EVP_KEYMGMT_fetch(nil, "X25519", nil) }
    let x25519Exchange = unsafe FetchedOnce("X25519") {
        unsafe EVP_KEYEXCH_fetch(nil, "X25519", nil)
    }

    private static func cipher(_ name: StaticString) -> FetchedOnce {
        unsafe FetchedOnce("\(name)") { unsafe EVP_CIPHER_fetch(nil, cString(name), nil) }
    }

    private init() {
        // The library has called it at load; this call keeps the linker from dropping it.
        _ = csignet_openssl_keep()
    }
}
