// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

/// How two keys make a secret that their owners share.
package enum KeyExchange: Sendable, Equatable {
    /// The x coordinate of the product (NIST SP 800-56A, section 5.7.1.2). The cofactor is 1.
    case ecdh(NamedCurve)
    /// RFC 7748, section 5.
    case x25519

    fileprivate var byteCount: Int {
        switch self {
        case .ecdh(let curve): curve.coordinateByteCount
        case .x25519: KeyHandle.rawByteCount
        }
    }

    /// Refuses an exchange that no provider offers, and a key of another kind: libcrypto would cut
    /// the secret of a longer curve to the length that it is asked for.
    fileprivate func require(_ key: KeyHandle) throws(OpenSSLFailure) {
        let table = AlgorithmTable.shared
        let isOwn: Bool
        switch self {
        case .ecdh(let curve):
            _ = try unsafe table.ecdh.required()
            isOwn = try key.curve() == curve
        case .x25519:
            _ = try unsafe table.x25519Exchange.required()
            isOwn = unsafe EVP_PKEY_is_a(key.pointer, "X25519") == 1
        }
        guard isOwn else { throw OpenSSLFailure(.refused, "key type") }
    }
}

extension KeyHandle {
    /// The secret that this private key shares with a public key of the same kind, which its
    /// initialiser has checked.
    ///
    /// - Throws: `refused` for a key of another kind, and for a result of zero: X25519 with a point
    ///   of small order.
    package func sharedSecret(
        with other: KeyHandle, by exchange: KeyExchange
    ) throws(OpenSSLFailure) -> SecretStorage {
        try exchange.require(self)
        let context = try unsafe KeyContext(
            owning: EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil),
            operation: "EVP_PKEY_CTX_new_from_pkey")
        try require(unsafe EVP_PKEY_derive_init(context.pointer), "EVP_PKEY_derive_init")
        // Without the last argument libcrypto would check the point a second time, by a
        // multiplication with the order.
        try require(
            unsafe EVP_PKEY_derive_set_peer_ex(context.pointer, other.pointer, 0),
            "EVP_PKEY_derive_set_peer_ex")
        return try unsafe SecretStorage(count: exchange.byteCount) {
            (target) throws(OpenSSLFailure) in
            var count = exchange.byteCount
            try require(
                unsafe EVP_PKEY_derive(context.pointer, target.baseAddress, &count),
                "EVP_PKEY_derive")
            guard count == exchange.byteCount else {
                throw OpenSSLFailure(.refused, "EVP_PKEY_derive")
            }
        }
    }
}
