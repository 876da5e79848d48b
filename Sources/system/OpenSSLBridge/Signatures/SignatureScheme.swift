// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Everything about a signature's computation, so that no default of libcrypto applies.
package enum SignatureScheme: Sendable, Equatable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2).
    case rsaPKCS1(DigestAlgorithm)
    /// RSASSA-PSS (RFC 8017, section 8.1): MGF1 over the same hash, salt as long as the hash.
    case rsaPSS(DigestAlgorithm)
    /// ECDSA (FIPS 186-5) with r‖s of fixed length.
    case ecdsa(NamedCurve, DigestAlgorithm)
    /// Ed25519 (RFC 8032), pure.
    case ed25519

    /// The kind of key that the scheme goes with.
    var keyKind: KeyHandle.Kind {
        switch self {
        case .rsaPKCS1, .rsaPSS: .rsa
        case .ecdsa(let curve, _): .ec(curve)
        case .ed25519: .ed25519
        }
    }

    /// The hash of the message; Ed25519 takes the message itself.
    var hash: DigestAlgorithm? {
        switch self {
        case .rsaPKCS1(let hash), .rsaPSS(let hash), .ecdsa(_, let hash): hash
        case .ed25519: nil
        }
    }

    /// Refuses a scheme that no provider offers.
    func require() throws(OpenSSLFailure) {
        _ = try unsafe keyKind.algorithm.signature.required()
        if let hash { _ = try unsafe hash.required() }
    }

    /// The length of every signature of `key`. Refuses a key of the wrong kind.
    package func signatureByteCount(for key: KeyHandle) throws(OpenSSLFailure) -> Int {
        switch self {
        case .rsaPKCS1, .rsaPSS:
            guard unsafe EVP_PKEY_is_a(key.pointer, "RSA") == 1 else {
                throw OpenSSLFailure(.refused, "key type")
            }
            return (Int(unsafe EVP_PKEY_get_bits(key.pointer)) + 7) / 8
        case .ecdsa(let curve, _):
            guard try key.curve() == curve else { throw OpenSSLFailure(.refused, "key type") }
            return 2 * curve.coordinateByteCount
        case .ed25519:
            guard unsafe EVP_PKEY_is_a(key.pointer, "ED25519") == 1 else {
                throw OpenSSLFailure(.refused, "key type")
            }
            return 64
        }
    }
}

extension KeyHandle {
    /// The kinds of key that Signet signs and verifies with.
    package enum Kind: Sendable, Equatable {
        case rsa
        case ec(NamedCurve)
        case ed25519
    }

    /// The kind of this key; nil for a key that Signet does not use (DSA, RSA-PSS restricted keys,
    /// curves beyond ``NamedCurve``).
    package var kind: Kind? {
        if unsafe EVP_PKEY_is_a(pointer, "RSA") == 1 { return .rsa }
        if unsafe EVP_PKEY_is_a(pointer, "ED25519") == 1 { return .ed25519 }
        if unsafe EVP_PKEY_is_a(pointer, "EC") == 1, let curve = try? curve() { return .ec(curve) }
        return nil
    }

    /// The length of the modulus for RSA.
    package var bitCount: Int {
        // For numbers that are absent, newer libraries leave an error behind.
        defer { ERR_clear_error() }
        return Int(unsafe EVP_PKEY_get_bits(pointer))
    }

    /// Whether the public halves are the same numbers.
    package func hasSamePublicKey(as other: KeyHandle) -> Bool {
        defer { ERR_clear_error() }
        return unsafe EVP_PKEY_eq(pointer, other.pointer) == 1
    }

    /// The curve of an EC key. Explicit parameters are refused even if they equal a named curve:
    /// CVE-2020-0601 began that way.
    func curve() throws(OpenSSLFailure) -> NamedCurve {
        guard unsafe EVP_PKEY_is_a(pointer, "EC") == 1 else {
            throw OpenSSLFailure(.refused, "key type")
        }
        // A key that does not answer is refused too.
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
            throw OpenSSLFailure.fromErrorQueue("curve")
        }
        return curve
    }
}
