// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// The owner of an `EVP_PKEY`, immutable once it is built.
///
/// `@unchecked Sendable`: libcrypto counts references atomically and guards what it computes lazily
/// (Montgomery contexts, blinding) with its own locks, so any number of threads may use a finished
/// key.
@safe
package final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Contexts ready to sign or verify with this key: ``SignatureContext``.
    let contexts = ContextPool()

    init(owning pointer: OpaquePointer?, operation: String) throws(OpenSSLFailure) {
        unsafe self.pointer = try unsafe require(pointer, operation)
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// The number called `name` in this key.
    func number(_ name: String) throws(OpenSSLFailure) -> BigNumber {
        var result: OpaquePointer?
        let returnCode = unsafe EVP_PKEY_get_bn_param(pointer, name, &result)
        guard returnCode == 1 else { throw OpenSSLFailure.fromErrorQueue("EVP_PKEY_get_bn_param") }
        return try unsafe BigNumber(owning: result, operation: "EVP_PKEY_get_bn_param")
    }
}
