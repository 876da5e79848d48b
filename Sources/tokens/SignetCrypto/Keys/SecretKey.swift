// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetMemory

/// A symmetric key: a handle to bytes that are wiped when the last handle goes away.
///
/// ```swift
/// let key = try SecretKey.generate()
/// ```
///
/// Copies share the same storage. Printing, dumping and interpolating show nothing of the key, and
/// `==` takes time that depends only on the lengths. Any number of threads may use a key. Any
/// length is allowed here: each algorithm checks what it needs.
public struct SecretKey: Sendable, Equatable, Redacted {
    package let storage: SecretStorage

    package init(storage: SecretStorage) { self.storage = storage }

    /// A key from raw bytes. Wipe or drop the source yourself.
    public init(copying bytes: some Collection<UInt8>) {
        storage = withSpan(of: bytes) { SecretStorage(copying: $0) }
    }

    /// Copies the bytes of a span.
    public init(copying bytes: Span<UInt8>) { storage = SecretStorage(copying: bytes) }

    /// A key that takes over secret bytes.
    public init(_ bytes: consuming SecretBytes) { storage = bytes.storage }

    /// A new random key.
    ///
    /// - Parameter bitCount: 128 to 4096, a multiple of 8; 256 fits every algorithm here.
    /// - Throws: `invalidParameter` for a size out of range, `libraryFailure` if there is no
    ///   randomness.
    public static func generate(bitCount: Int = 256) throws(CryptographyError) -> SecretKey {
        guard bitCount >= 128, bitCount <= 4096, bitCount.isMultiple(of: 8) else {
            throw CryptographyError(
                .invalidParameter, "A key has 128 to 4096 bits, a multiple of 8, not \(bitCount).")
        }
        return SecretKey(try SecretBytes.random(count: bitCount / 8))
    }

    /// Length in bytes.
    public var byteCount: Int { storage.count }

    /// Length in bits.
    public var bitCount: Int { storage.count * 8 }

    /// Calls `body` with the raw bytes, which are valid only during the call. Anything that `body`
    /// copies is no longer protected.
    public func withExposedBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try storage.withBytes(body)
    }

    /// Whether two keys hold the same bytes, in time that depends on their lengths only.
    public static func == (a: SecretKey, b: SecretKey) -> Bool { a.storage.isEqual(to: b.storage) }
}
