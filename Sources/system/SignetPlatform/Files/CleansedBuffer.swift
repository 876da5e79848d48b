// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Bytes that are overwritten before their memory is given back.
///
/// Unlike an array it has one owner, so no hidden copy is made. The bytes are neither printed nor
/// encoded. They may be swapped out, and are part of a core dump.
@safe
package struct CleansedBuffer: ~Copyable, @unchecked Sendable {
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int

    /// How many bytes are in use.
    package private(set) var count: Int

    /// An empty buffer with room for `capacity` bytes; at least one.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        unsafe storage = UnsafeMutablePointer<UInt8>.allocate(capacity: self.capacity)
        unsafe storage.initialize(repeating: 0, count: self.capacity)
        count = 0
    }

    deinit {
        unsafe Self.cleanse(storage, capacity: capacity)
    }

    /// How many more bytes fit.
    var room: Int { capacity - count }

    /// Calls `body` with the bytes. The span cannot leave the closure, which owns whatever it
    /// copies.
    package func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        let bytes = unsafe UnsafeBufferPointer(start: storage, count: count)
        return try unsafe body(bytes.span)
    }

    /// A copy as an array. The array is ordinary memory: it is not overwritten when it goes.
    package func copyToArray() -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: storage, count: count))
    }

    /// Lets `body` write into the free part and return how many bytes it wrote.
    mutating func append<E: Error>(
        _ body: (UnsafeMutableRawPointer, Int) throws(E) -> Int
    ) throws(E) -> Int {
        let written = try unsafe body(UnsafeMutableRawPointer(storage + count), room)
        // Never trusts a count beyond the available room.
        let accepted = min(max(written, 0), room)
        count += accepted
        return accepted
    }

    /// Drops all but the first `newCount` bytes, and overwrites what is dropped.
    mutating func truncate(to newCount: Int) {
        guard newCount >= 0, newCount < count else { return }
        unsafe explicit_bzero(storage + newCount, count - newCount)
        count = newCount
    }

    /// Moves the bytes to larger memory, and overwrites the old memory. A smaller capacity does
    /// nothing.
    mutating func grow(toCapacity newCapacity: Int) {
        guard newCapacity > capacity else { return }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
        unsafe larger.initialize(repeating: 0, count: newCapacity)
        unsafe larger.update(from: storage, count: count)
        unsafe Self.cleanse(storage, capacity: capacity)
        unsafe storage = larger
        capacity = newCapacity
    }

    private static func cleanse(_ storage: UnsafeMutablePointer<UInt8>, capacity: Int) {
        // explicit_bzero, because the optimiser may remove a memset of memory that is freed next.
        unsafe explicit_bzero(storage, capacity)
        unsafe storage.deallocate()
    }
}
