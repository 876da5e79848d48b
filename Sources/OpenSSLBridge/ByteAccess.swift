// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import Glibc

/// Gives `body` the bytes of any collection as a span: without a copy where the collection is contiguous (arrays,
/// slices, `Data`, the UTF-8 view of a native string), from a temporary copy otherwise, which is wiped afterwards.
///
/// Inlined, and without a generic result inside the closure: public functions take any collection and are not
/// specialised for their callers, so that each generic type made here would be looked up at run time.
@inlinable
@inline(__always)
package func withSpan<Bytes: Collection<UInt8>, Result_, Failure: Error>(
    of bytes: Bytes, _ body: (Span<UInt8>) throws(Failure) -> Result_
) throws(Failure) -> Result_ {
    var result: Result<Result_, Failure>?
    let direct: Void? = bytes.withContiguousStorageIfAvailable { buffer in
        do throws(Failure) {
            result = .success(try body(unsafe buffer.span))
        } catch {
            result = .failure(error)
        }
    }
    if direct != nil, let result { return try result.get() }
    var copy = Array(bytes)
    defer { cleanse(&copy) }
    return try body(copy.span)
}

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

    /// Calls `body` with a base address that is never null: libcrypto treats a null input pointer as "no call" in
    /// several functions, so an empty span gets an address that is not read.
    @inline(__always)
    func withBase<R, E: Error>(_ body: (UnsafePointer<UInt8>, Int) throws(E) -> R) throws(E) -> R {
        try unsafe withUnsafeBufferPointer { (buffer) throws(E) -> R in
            if let base = buffer.baseAddress { return try unsafe body(base, buffer.count) }
            var none: UInt8 = 0
            return try unsafe withUnsafePointer(to: &none) { (pointer) throws(E) -> R in
                try unsafe body(pointer, 0)
            }
        }
    }
}

extension Span<UInt8> {
    /// The first place of `byte` at or behind `start`; nil when there is none.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start >= 0, start < count else { return nil }
        return unsafe withBase { base, count in
            guard let found = unsafe memchr(base + start, Int32(byte), count - start) else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}

/// Whether two byte strings are equal, in time that depends on their lengths only.
package func constantTimeEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe a.withBase { pa, count in
        unsafe b.withBase { pb, _ in unsafe CRYPTO_memcmp(pa, pb, count) == 0 }
    }
}

/// Whether two public byte strings are equal, as fast as can be. For secrets use ``constantTimeEqual(_:_:)``.
@inlinable
@inline(__always)
package func bytesAreEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    // Names of claims, for which a call would take longer than to look: two words, which overlap unless they are all there is.
    if a.count <= 16 {
        let count = a.count
        return unsafe a.withUnsafeBytes { a in
            unsafe b.withUnsafeBytes { b in
                if count >= 8 {
                    return unsafe wordsAreEqual(a, b, at: 0, UInt64.self)
                        && wordsAreEqual(a, b, at: count - 8, UInt64.self)
                }
                if count >= 4 {
                    return unsafe wordsAreEqual(a, b, at: 0, UInt32.self)
                        && wordsAreEqual(a, b, at: count - 4, UInt32.self)
                }
                for i in 0..<count where unsafe a[i] != b[i] { return false }
                return true
            }
        }
    }
    return longBytesAreEqual(a, b)
}

/// Whether the words at an offset are equal, which both have.
@inlinable
@inline(__always)
func wordsAreEqual<Word: FixedWidthInteger>(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, at offset: Int, _ type: Word.Type
) -> Bool {
    unsafe a.loadUnaligned(fromByteOffset: offset, as: Word.self)
        == b.loadUnaligned(fromByteOffset: offset, as: Word.self)
}

@usableFromInline
package func longBytesAreEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe a.withBase { left, count in
        unsafe b.withBase { right, _ in unsafe memcmp(left, right, count) == 0 }
    }
}

extension Hasher {
    /// Feeds bytes as they are. A string's own hash normalises first, which takes quadratic time for a long run of
    /// combining characters and makes all canonically equivalent spellings collide.
    package mutating func combine(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
