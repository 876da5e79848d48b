// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// Collects the parts of a key and imports them. It never uses an ASN.1 decoder, which costs 25 to
/// 40 times as much.
///
/// libcrypto keeps the addresses of the pushed numbers until the parameters are made. The builder
/// therefore owns the numbers and frees them at its own end.
@safe
struct ParameterBuilder: ~Copyable {
    private let pointer: OpaquePointer
    private var numbers: [Number] = []

    @safe
    private struct Number {
        let pointer: OpaquePointer
    }

    init() throws(OpenSSLFailure) {
        unsafe pointer = try unsafe require(OSSL_PARAM_BLD_new(), "OSSL_PARAM_BLD_new")
    }

    deinit {
        unsafe OSSL_PARAM_BLD_free(pointer)
        for number in numbers { unsafe BN_clear_free(number.pointer) }
    }

    mutating func push(_ name: StaticString, number: consuming BigNumber) throws(OpenSSLFailure) {
        let number = unsafe Number(pointer: number.release())
        numbers.append(number)
        try require(
            unsafe OSSL_PARAM_BLD_push_BN(pointer, cString(name), number.pointer),
            "OSSL_PARAM_BLD_push_BN")
    }

    func push(_ name: StaticString, text: StaticString) throws(OpenSSLFailure) {
        try require(
            unsafe OSSL_PARAM_BLD_push_utf8_string(
                pointer, cString(name), cString(text), text.utf8CodeUnitCount),
            "OSSL_PARAM_BLD_push_utf8_string")
    }

    /// Makes the key while `octets`, if any, are still in place.
    func makeKey(
        _ type: StaticString, selection: Int32, octets: (name: StaticString, bytes: [UInt8])? = nil
    ) throws(OpenSSLFailure) -> KeyHandle {
        guard let octets else { return try importKey(type, selection: selection) }
        let bytes = octets.bytes.span
        return try unsafe bytes.withBase { (base, count) throws(OpenSSLFailure) -> KeyHandle in
            try require(
                unsafe OSSL_PARAM_BLD_push_octet_string(pointer, cString(octets.name), base, count),
                "OSSL_PARAM_BLD_push_octet_string")
            return try importKey(type, selection: selection)
        }
    }

    private func importKey(_ type: StaticString, selection: Int32) throws(OpenSSLFailure)
        -> KeyHandle
    {
        guard let parameters = unsafe OSSL_PARAM_BLD_to_param(pointer) else {
            throw OpenSSLFailure.fromErrorQueue("OSSL_PARAM_BLD_to_param")
        }
        defer { unsafe OSSL_PARAM_free(parameters) }
        let context = try unsafe KeyContext(
            owning: EVP_PKEY_CTX_new_from_name(nil, cString(type), nil),
            operation: "EVP_PKEY_CTX_new_from_name")
        try require(unsafe EVP_PKEY_fromdata_init(context.pointer), "EVP_PKEY_fromdata_init")
        var key: OpaquePointer?
        try require(
            unsafe EVP_PKEY_fromdata(context.pointer, &key, selection, parameters),
            "EVP_PKEY_fromdata")
        return try unsafe KeyHandle(owning: key, operation: "EVP_PKEY_fromdata")
    }
}

/// A static string is null-terminated and lives as long as the process.
func cString(_ text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
