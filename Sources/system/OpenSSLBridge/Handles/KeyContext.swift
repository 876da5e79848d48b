// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The owner of an `EVP_PKEY_CTX`.
@safe
struct KeyContext: ~Copyable {
    let pointer: OpaquePointer

    /// Takes ownership of a context that libcrypto has just returned; null throws.
    init(owning pointer: OpaquePointer?, operation: String) throws(OpenSSLFailure) {
        unsafe self.pointer = try unsafe require(pointer, operation)
    }

    deinit { unsafe EVP_PKEY_CTX_free(pointer) }
}
