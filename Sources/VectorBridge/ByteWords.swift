// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Eight bytes at a time. Each call looks whether they are there: after inlining, the condition of the caller's loop has said
// it already and nothing of the look is left.

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
}

extension MutableSpan<UInt8> {
    /// Writes eight bytes from `offset` on, the lowest one first; nothing where there is no room for them.
    @inlinable
    @inline(__always)
    package mutating func store(_ word: UInt64, at offset: Int) {
        guard offset >= 0, offset <= count &- 8 else { return }
        unsafe withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
        }
    }
}

extension MutableSpan<UInt8> {
    /// Copies all of `source` to `offset` and behind; nothing where there is no room for it.
    @inlinable
    @inline(__always)
    package mutating func copy(_ source: Span<UInt8>, at offset: Int) {
        guard offset >= 0, offset <= count, source.count <= count &- offset else { return }
        unsafe withUnsafeMutableBytes { target in
            unsafe source.withUnsafeBytes { bytes in
                guard let from = bytes.baseAddress, let to = target.baseAddress else { return }
                unsafe (to + offset).copyMemory(from: from, byteCount: bytes.count)
            }
        }
    }
}

extension [UInt8] {
    /// So many zeros, to be written over. The shortest way through the standard library: its initialisers look the array's
    /// type up at run time.
    @inlinable
    package static func zeros(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        guard count > 0 else { return bytes }
        bytes.reserveCapacity(count)
        bytes.append(addingCapacity: count) { $0.append(repeating: 0, count: count) }
        return bytes
    }
}
