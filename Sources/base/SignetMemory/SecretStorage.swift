// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Bytes outside the Swift heap's copy-on-write arrays: one allocation, never grown, wiped before
/// it is freed.
///
/// This is ordinary memory: it is not locked against swapping and is part of a core dump.
@safe
package final class SecretStorage: @unchecked Sendable {
    // Written only while it is being made; read-only afterwards, hence safe to share.
    private let base: UnsafeMutablePointer<UInt8>
    package let count: Int
    /// Contexts that encrypt with the bytes, wiped together with them.
    package let contexts = ContextPool()

    /// The address of the bytes, valid while the object lives.
    package var start: UnsafePointer<UInt8> { unsafe UnsafePointer(base) }

    /// Allocates `count` zero bytes and lets `fill` write them.
    package init<E: Error>(count: Int, fill: (UnsafeMutableBufferPointer<UInt8>) throws(E) -> Void)
        throws(E)
    {
        // A failed allocation ends the process, as Swift's own do.
        unsafe base = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
        unsafe base.initialize(repeating: 0, count: max(count, 1))
        self.count = count
        try unsafe fill(UnsafeMutableBufferPointer(start: base, count: count))
    }

    /// Allocates `count` zero bytes and lets `fill` write them, for code without pointers.
    convenience init(count: Int, filling fill: (inout MutableSpan<UInt8>) -> Void) {
        unsafe self.init(count: count) { target in
            var span = unsafe target.mutableSpan
            fill(&span)
        }
    }

    package convenience init(copying bytes: Span<UInt8>) {
        unsafe self.init(count: bytes.count) { target in
            unsafe bytes.withUnsafeBufferPointer { source in
                _ = unsafe target.update(fromContentsOf: source)
            }
        }
    }

    deinit {
        unsafe OPENSSL_cleanse(base, max(count, 1))
        unsafe base.deinitialize(count: max(count, 1))
        unsafe base.deallocate()
    }

    package func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(unsafe UnsafeBufferPointer(start: base, count: count).span)
    }

    /// For a ``SecretWriter``, which is the only owner as long as it writes. The caller has checked
    /// that the bytes fit.
    func write(_ bytes: Span<UInt8>, at offset: Int) {
        unsafe bytes.withUnsafeBufferPointer { source in
            guard let from = source.baseAddress else { return }
            unsafe (base + offset).update(from: from, count: source.count)
        }
    }

    package func isEqual(to other: SecretStorage) -> Bool {
        withBytes { a in other.withBytes { b in constantTimeEqual(a, b) } }
    }
}
