// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
package import SignetMemory

/// Secret bytes with a single owner: not copyable, wiped when the owner goes away, never printed
/// and never `Codable`.
///
/// Use it to carry a passphrase or raw key material to where it is needed. The bytes live outside
/// Swift's arrays, so Swift makes no hidden copies. **Not** promised: the memory is not locked and
/// may reach the swap device or a core dump. The array or string that you made it from still holds
/// its own copy.
public struct SecretBytes: ~Copyable, Sendable {
    package let storage: SecretStorage

    /// Copies the bytes. Wipe or drop the source yourself.
    public init(copying bytes: some Collection<UInt8>) {
        storage = withSpan(of: bytes) { SecretStorage(copying: $0) }
    }

    /// Copies the bytes of a span.
    public init(copying bytes: Span<UInt8>) { storage = SecretStorage(copying: bytes) }

    /// Overwrites the bytes of an array that held a secret, as `OPENSSL_cleanse` does, which no
    /// optimiser leaves out. It wipes this buffer only, not earlier copies.
    public static func wipe(_ bytes: inout [UInt8]) { cleanse(&bytes) }

    package init(storage: SecretStorage) { self.storage = storage }

    /// New random bytes from libcrypto's private generator.
    ///
    /// - Parameter count: how many bytes, 0 to 2,147,483,647.
    /// - Throws: `invalidParameter` for a count out of range, `libraryFailure` if there is no
    ///   randomness.
    public static func random(count: Int) throws(CryptographyError) -> SecretBytes {
        SecretBytes(
            storage: try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
                try SecretStorage(randomCount: count)
            })
    }

    /// The number of bytes.
    public var count: Int { storage.count }

    /// Calls `body` with the bytes, which are valid only during the call. Anything that `body`
    /// copies is no longer protected.
    public func withExposedBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try storage.withBytes(body)
    }

    /// Whether the two secrets hold the same bytes, in time that depends on their lengths only.
    public func isEqual(to other: borrowing SecretBytes) -> Bool {
        storage.isEqual(to: other.storage)
    }
}
