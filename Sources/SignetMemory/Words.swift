// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Eight bytes at a time, for loops over whole tokens. Each call looks whether they are there.

extension Span<UInt8> {
    /// The eight bytes from `offset` on, the first one lowest; 0 where there are not so many.
    @inlinable
    @inline(__always)
    package func word(at offset: Int) -> UInt64 {
        guard offset >= 0, offset <= count &- 8 else { return 0 }
        return unsafe withUnsafeBytes {
            unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }

    /// The first place of `byte` at or behind `start`; nil when there is none.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start >= 0 else { return nil }
        let wanted = UInt64(byte) &* 0x0101_0101_0101_0101
        var i = start
        while i <= count &- 8 {
            // The lowest mark is right: what a subtraction borrows goes to higher ones.
            let differences = word(at: i) ^ wanted
            let marks =
                (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
            if marks != 0 { return i &+ marks.trailingZeroBitCount / 8 }
            i &+= 8
        }
        while i < count {
            if self[i] == byte { return i }
            i &+= 1
        }
        return nil
    }
}

extension MutableSpan<UInt8> {
    /// Writes eight bytes from `offset` on, the lowest one first; nothing where there is no room
    /// for them.
    @inlinable
    @inline(__always)
    package mutating func store(_ word: UInt64, at offset: Int) {
        guard offset >= 0, offset <= count &- 8 else { return }
        unsafe withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
        }
    }
}
