// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetMemory

/// Argon2id, version 1.3 (RFC 9106), which OpenSSL has from 3.2 on. The loaded library is asked for
/// it.
package enum Argon2id {
    /// Whether the loaded libcrypto has Argon2id.
    package static var isAvailable: Bool { AlgorithmTable.shared.argon2id.isOffered }

    /// Derives `byteCount` bytes from a password and a salt.
    ///
    /// - Parameters:
    ///   - secret: RFC 9106's K, empty for none.
    ///   - associated: RFC 9106's X, empty for none.
    /// - Throws: `invalidLength` outside the ranges of RFC 9106, section 3.1; `unavailable` if the
    ///   loaded libcrypto does not offer Argon2id.
    package static func derive(
        password: Span<UInt8>, salt: Span<UInt8>, memoryKiB: UInt32, passes: UInt32, lanes: UInt32,
        byteCount: Int, secret: Span<UInt8> = Span(), associated: Span<UInt8> = Span()
    ) throws(OpenSSLFailure) -> SecretStorage {
        // RFC 9106, section 3.1, checked before anything is computed.
        let most = Int(Int32.max)
        guard (1...0xff_ffff).contains(lanes), passes >= 1, memoryKiB / 8 >= lanes,
            (8...most).contains(salt.count), password.count <= most, secret.count <= most,
            associated.count <= most, (4...most).contains(byteCount)
        else { throw OpenSSLFailure(.invalidLength, "ARGON2ID") }
        let context = try DerivationContext(AlgorithmTable.shared.argon2id)
        // libcrypto's parameter names: headers before 3.2 do not have constants for all of them.
        try context.set("pass", to: password)
        try context.set("salt", to: salt)
        if !secret.isEmpty { try context.set("secret", to: secret) }
        if !associated.isEmpty { try context.set("ad", to: associated) }
        try context.set("iter", to: UInt64(passes))
        try context.set("lanes", to: UInt64(lanes))
        try context.set("memcost", to: UInt64(memoryKiB))
        // One thread computes all lanes: the result is the same, and libcrypto needs no thread
        // pool.
        try context.set("threads", to: 1)
        return try context.derive(byteCount: byteCount, operation: "ARGON2ID")
    }
}
