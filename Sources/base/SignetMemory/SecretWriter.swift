// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Assembles a secret in storage of its final length. Nothing grows, so no stale copy is left
/// behind.
///
/// Bytes that do not fit are dropped, and ``finish()`` then returns nil.
@usableFromInline
package struct SecretWriter: ~Copyable {
    private let storage: SecretStorage
    private var offset = 0
    private var hasOverflowed = false

    /// Room for exactly `count` bytes, which are zero until they are written.
    package init(count: Int) {
        storage = SecretStorage(count: max(count, 0)) { _ in }
    }

    /// Appends the next bytes.
    @usableFromInline
    package mutating func append(_ bytes: Span<UInt8>) {
        guard bytes.count <= storage.count - offset else {
            hasOverflowed = true
            return
        }
        storage.write(bytes, at: offset)
        offset += bytes.count
    }

    /// Appends the next bytes, from any collection.
    @inlinable
    package mutating func append(_ bytes: some Collection<UInt8>) {
        withSpan(of: bytes) { append($0) }
    }

    /// Appends an octet.
    package mutating func append(_ integer: UInt8) { appendBigEndian(integer) }

    /// Appends two octets, big-endian.
    package mutating func append(_ integer: UInt16) { appendBigEndian(integer) }

    /// Appends four octets, big-endian.
    package mutating func append(_ integer: UInt32) { appendBigEndian(integer) }

    /// Appends eight octets, big-endian.
    package mutating func append(_ integer: UInt64) { appendBigEndian(integer) }

    /// Leaves zeros up to the end.
    package mutating func appendZerosToEnd() { offset = storage.count }

    /// Gives the storage; nil unless it is exactly full.
    package consuming func finish() -> SecretStorage? {
        guard !hasOverflowed, offset == storage.count else { return nil }
        return storage
    }

    private mutating func appendBigEndian<I: FixedWidthInteger & UnsignedInteger>(_ integer: I) {
        var octets = InlineArray<8, UInt8>(repeating: 0)
        var shift = I.bitWidth
        var count = 0
        while shift > 0, count < 8 {
            shift -= 8
            octets[count] = UInt8(truncatingIfNeeded: integer >> I(truncatingIfNeeded: shift))
            count += 1
        }
        append(octets.span.extracting(0..<count))
    }
}
