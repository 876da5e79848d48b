// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import CSignetOpenSSL

/// Every algorithm is fetched once for the life of the process: a fetch takes a global lock and gets slower with
/// every thread that asks (measured in the project's performance notes).
@safe
final class AlgorithmTable: @unchecked Sendable {
    /// Never freed: the table lives as long as the process. Null where the loaded providers lack the algorithm.
    @safe
    struct Fetched: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    static let shared = AlgorithmTable()

    let sha256 = unsafe Fetched(pointer: EVP_MD_fetch(nil, "SHA256", nil))
    let sha384 = unsafe Fetched(pointer: EVP_MD_fetch(nil, "SHA384", nil))
    let sha512 = unsafe Fetched(pointer: EVP_MD_fetch(nil, "SHA512", nil))
    let shake128 = unsafe Fetched(pointer: EVP_MD_fetch(nil, "SHAKE128", nil))
    let aes128GCM = unsafe Fetched(pointer: EVP_CIPHER_fetch(nil, "AES-128-GCM", nil))
    let aes192GCM = unsafe Fetched(pointer: EVP_CIPHER_fetch(nil, "AES-192-GCM", nil))
    let aes256GCM = unsafe Fetched(pointer: EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
    let aes256ECB = unsafe Fetched(pointer: EVP_CIPHER_fetch(nil, "AES-256-ECB", nil))
    /// From OpenSSL 3.2.
    let argon2id = unsafe Fetched(pointer: EVP_KDF_fetch(nil, "ARGON2ID", nil))

    private init() {
        // Long done; said here for the linker.
        _ = csignet_openssl_keep()
        // A fetch that found nothing leaves an error behind.
        ERR_clear_error()
    }
}
