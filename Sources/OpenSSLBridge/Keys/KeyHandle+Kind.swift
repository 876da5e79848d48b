// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

extension KeyHandle {
    /// The kinds of key that Signet signs and verifies with.
    package enum Kind: Sendable, Equatable {
        case rsa
        case ec(NamedCurve)
        case ed25519
    }

    /// What this key is, or nil for anything that Signet does not use (DSA, RSA-PSS restricted keys, other curves).
    package var kind: Kind? {
        if unsafe EVP_PKEY_is_a(pointer, "RSA") == 1 { return .rsa }
        if unsafe EVP_PKEY_is_a(pointer, "ED25519") == 1 { return .ed25519 }
        if unsafe EVP_PKEY_is_a(pointer, "EC") == 1, let curve = try? curve() { return .ec(curve) }
        return nil
    }

    /// Whether the public halves are the same numbers.
    package func hasSamePublicKey(as other: KeyHandle) -> Bool {
        defer { ERR_clear_error() }
        return unsafe EVP_PKEY_eq(pointer, other.pointer) == 1
    }

    /// The curve of an EC key. A curve given by explicit parameters is refused even where they equal a named curve:
    /// that is how CVE-2020-0601 began.
    func curve() throws(OpenSSLFailure) -> NamedCurve {
        guard unsafe EVP_PKEY_is_a(pointer, "EC") == 1 else {
            throw OpenSSLFailure(.refused, "key type")
        }
        // A key that does not answer is refused as well.
        var explicit: Int32 = 1
        try require(
            unsafe EVP_PKEY_get_int_param(
                pointer, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, &explicit),
            "EVP_PKEY_get_int_param")
        guard explicit == 0 else { throw OpenSSLFailure(.refused, "explicit curve parameters") }
        var name = InlineArray<64, CChar>(repeating: 0)
        var length = 0
        let text: String? = unsafe withUnsafeMutableBytes(of: &name) { buffer in
            guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                unsafe EVP_PKEY_get_group_name(pointer, base, buffer.count, &length) == 1
            else { return nil }
            return unsafe String(cString: base)
        }
        guard let text, let curve = NamedCurve(groupName: text) else {
            throw OpenSSLFailure.taken("curve")
        }
        return curve
    }
}
