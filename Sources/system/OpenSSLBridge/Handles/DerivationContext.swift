// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// The owner of an `EVP_KDF_CTX`. libcrypto wipes its secrets when it is freed.
///
/// Parameters are set one by one: libcrypto copies each before the call returns, so no address
/// outlives it.
@safe
struct DerivationContext: ~Copyable {
    private let pointer: OpaquePointer

    init(_ algorithm: FetchedOnce) throws(OpenSSLFailure) {
        let fetched = try unsafe algorithm.required()
        unsafe pointer = try unsafe require(EVP_KDF_CTX_new(fetched), "EVP_KDF_CTX_new")
    }

    deinit { unsafe EVP_KDF_CTX_free(pointer) }

    /// libcrypto takes the number in this width also where it keeps 32 bits.
    func set(_ name: StaticString, to number: UInt64) throws(OpenSSLFailure) {
        var number = number
        let returnCode = unsafe withUnsafeMutablePointer(to: &number) { address in
            unsafe set(OSSL_PARAM_construct_uint64(cString(name), address))
        }
        try require(returnCode, "EVP_KDF_CTX_set_params")
    }

    func set(_ name: StaticString, to text: StaticString) throws(OpenSSLFailure) {
        // Not const, as below.
        let value = unsafe UnsafeMutablePointer(mutating: cString(text))
        try require(
            unsafe set(OSSL_PARAM_construct_utf8_string(cString(name), value, 0)),
            "EVP_KDF_CTX_set_params")
    }

    func set(_ name: StaticString, to bytes: Span<UInt8>) throws(OpenSSLFailure) {
        let returnCode = unsafe bytes.withBase { base, count in
            // Not const because the same structure also takes results. libcrypto only reads it
            // here.
            unsafe set(
                OSSL_PARAM_construct_octet_string(
                    cString(name), UnsafeMutableRawPointer(mutating: base), count))
        }
        try require(returnCode, "EVP_KDF_CTX_set_params")
    }

    /// Derives a key of `byteCount` bytes, and ends the object.
    consuming func derive(byteCount: Int, operation: String) throws(OpenSSLFailure)
        -> SecretStorage
    {
        let context = unsafe pointer
        return try unsafe SecretStorage(count: byteCount) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else {
                throw OpenSSLFailure(.noMemory, "key")
            }
            try require(unsafe EVP_KDF_derive(context, base, byteCount, nil), operation)
        }
    }

    private func set(_ parameter: OSSL_PARAM) -> Int32 {
        unsafe [parameter, OSSL_PARAM_construct_end()].withUnsafeBufferPointer { parameters in
            unsafe EVP_KDF_CTX_set_params(pointer, parameters.baseAddress)
        }
    }
}
