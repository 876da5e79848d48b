// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// One duplicate of a prepared context. `@unchecked Sendable`: it is with the one caller that took it, or idle.
final class SignatureContext: @unchecked Sendable {
    let context: KeyContext

    init(owning pointer: OpaquePointer?) throws(OpenSSLFailure) {
        context = try unsafe KeyContext(owning: pointer, "EVP_PKEY_CTX_dup")
    }
}
