// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Reads a record from front to back. Anything missing is nil: no index from the record is used
/// unchecked.
///
/// It holds no bytes, so the span of a secret need not be copied: pass the same span to every call.
package struct ByteCursor {
    package private(set) var offset = 0
    private let count: Int

    package init(_ bytes: Span<UInt8>) { count = bytes.count }

    /// Whether nothing is left.
    package var isAtEnd: Bool { offset == count }

    /// The range of the next `length` octets.
    package mutating func range(_ length: Int) -> Range<Int>? {
        guard length >= 0, length <= count - offset else { return nil }
        defer { offset += length }
        return offset..<(offset + length)
    }

    /// The next `length` octets.
    package mutating func octets(_ length: Int, in bytes: Span<UInt8>) -> [UInt8]? {
        guard bytes.count == count, let range = range(length) else { return nil }
        return bytes.extracting(range).copied()
    }

    /// The next integer, big-endian.
    package mutating func integer<I: FixedWidthInteger & UnsignedInteger>(
        _ type: I.Type, in bytes: Span<UInt8>
    ) -> I? {
        guard bytes.count == count, let range = range(I.bitWidth / 8) else { return nil }
        var value: UInt64 = 0
        for index in range { value = value << 8 | UInt64(bytes[index]) }
        return I(exactly: value)
    }

    /// The range of the next text, which follows its length as u32.
    package mutating func prefixed(_ lengths: ClosedRange<Int>, in bytes: Span<UInt8>) -> Range<
        Int
    >? {
        guard let length = integer(UInt32.self, in: bytes), let number = Int(exactly: length),
            lengths.contains(number)
        else { return nil }
        return range(number)
    }
}
