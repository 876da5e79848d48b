// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The owner of an `EVP_MD_CTX`.
@safe
struct DigestContext: ~Copyable {
    let pointer: OpaquePointer

    init() throws(OpenSSLFailure) {
        unsafe pointer = try unsafe require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
    }

    deinit { unsafe EVP_MD_CTX_free(pointer) }
}
