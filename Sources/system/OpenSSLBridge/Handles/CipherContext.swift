// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The owner of an `EVP_CIPHER_CTX`; libcrypto wipes its key schedule when it is freed.
@safe
struct CipherContext: ~Copyable {
    let pointer: OpaquePointer

    init() throws(OpenSSLFailure) {
        unsafe pointer = try unsafe require(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
    }

    deinit { unsafe EVP_CIPHER_CTX_free(pointer) }
}
