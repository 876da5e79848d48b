// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Calls `body` with the bytes of any collection. A contiguous collection (arrays, slices, `Data`,
/// the UTF-8 view of a native string) is not copied; a collection that is not contiguous is copied,
/// and the copy wiped.
@inlinable
@inline(__always)
package func withSpan<Bytes: Collection<UInt8>, Value, Failure: Error>(
    of bytes: Bytes, _ body: (Span<UInt8>) throws(Failure) -> Value
) throws(Failure) -> Value {
    // No generic result inside of the closure: it would be looked up at run time.
    var result: Result<Value, Failure>?
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

/// Whether two byte strings are equal, in time that depends on their lengths only.
package func constantTimeEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe a.withBase { pa, count in
        unsafe b.withBase { pb, _ in unsafe CRYPTO_memcmp(pa, pb, count) == 0 }
    }
}

/// Overwrites the bytes of an array that held a secret. It wipes this buffer only, not earlier
/// copies.
@usableFromInline
package func cleanse(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress { unsafe OPENSSL_cleanse(base, buffer.count) }
    }
}
