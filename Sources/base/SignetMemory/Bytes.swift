// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
    /// The bytes as a new array.
    @inlinable
    package func copied() -> [UInt8] {
        unsafe withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends the bytes to `array` in one step.
    @inlinable
    package func append(to array: inout [UInt8]) {
        unsafe withUnsafeBufferPointer { unsafe array.append(contentsOf: $0) }
    }

    /// Calls `body` with a base address that is never null. Several functions of libcrypto take a
    /// null input pointer for "no call", so an empty span gets an address that is not read.
    @inlinable
    @inline(__always)
    package func withBase<R, E: Error>(
        _ body: (UnsafePointer<UInt8>, Int) throws(E) -> R
    ) throws(E) -> R {
        try unsafe withUnsafeBufferPointer { (buffer) throws(E) -> R in
            if let base = buffer.baseAddress { return try unsafe body(base, buffer.count) }
            var none: UInt8 = 0
            return try unsafe withUnsafePointer(to: &none) { (pointer) throws(E) -> R in
                try unsafe body(pointer, 0)
            }
        }
    }
}

/// Whether two public byte strings are equal. For secrets use ``constantTimeEqual(_:_:)``.
@inlinable
@inline(__always)
package func bytesAreEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    var i = 0
    while i <= a.count &- 8, a.word(at: i) == b.word(at: i) { i &+= 8 }
    while i < a.count, a[i] == b[i] { i &+= 1 }
    return i == a.count
}

extension Hasher {
    /// Feeds the bytes as they are. A string's own hash normalises first: canonically equivalent
    /// spellings collide, and a long run of combining characters takes quadratic time.
    package mutating func combine(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

// Eight bytes at a time, for loops over whole tokens. Each call checks its bounds.

extension Span<UInt8> {
    /// The eight bytes from `offset` on, the first byte lowest; 0 if there are fewer.
    @inlinable
    @inline(__always)
    package func word(at offset: Int) -> UInt64 {
        guard offset >= 0, offset <= count &- 8 else { return 0 }
        return unsafe withUnsafeBytes {
            unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }

    /// The index of the first `byte` at or after `start`; nil if there is none.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start >= 0 else { return nil }
        let wanted = UInt64(byte) &* 0x0101_0101_0101_0101
        var i = start
        // Most of a token has no dot.
        while i <= count &- 32,
            marks(of: wanted, at: i) | marks(of: wanted, at: i &+ 8)
                | marks(of: wanted, at: i &+ 16) | marks(of: wanted, at: i &+ 24) == 0
        {
            i &+= 32
        }
        while i <= count &- 8 {
            let marks = marks(of: wanted, at: i)
            if marks != 0 { return i &+ marks.trailingZeroBitCount / 8 }
            i &+= 8
        }
        while i < count {
            if self[i] == byte { return i }
            i &+= 1
        }
        return nil
    }

    /// Marks the bytes of a word that are the wanted one, which `wanted` has eight times; 0 for none.
    /// Only the lowest mark is reliable: the subtraction borrows from higher bytes.
    @inline(__always)
    private func marks(of wanted: UInt64, at offset: Int) -> UInt64 {
        let differences = word(at: offset) ^ wanted
        return (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
    }
}

extension MutableSpan<UInt8> {
    /// Writes eight bytes from `offset` on, the lowest byte first; writes nothing if they do not
    /// fit.
    @inlinable
    @inline(__always)
    package mutating func store(_ word: UInt64, at offset: Int) {
        guard offset >= 0, offset <= count &- 8 else { return }
        unsafe withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
        }
    }
}
