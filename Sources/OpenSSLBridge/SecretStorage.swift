// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import Synchronization

/// Bytes outside the Swift heap's copy-on-write arrays: one allocation, never grown, wiped before it is freed.
///
/// This is ordinary memory: it is not locked against swapping and is part of a core dump.
@safe
package final class SecretStorage: @unchecked Sendable {
    // Written only while it is being made; read-only afterwards, hence safe to share.
    private let base: UnsafeMutablePointer<UInt8>
    package let count: Int
    // A plain address: to read an `AtomicLazyReference` takes a look-up of generic types at run time and a reference count
    // that all threads of the key would share.
    private let ciphers = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

    /// What has been made ready to encrypt with these bytes. Made when they are first used as a key.
    var cipherPlaces: CipherPlaces { unsafe CipherPlaces(of: ciphers) }

    /// Where the bytes are, for as long as the object is there.
    var start: UnsafePointer<UInt8> { unsafe UnsafePointer(base) }

    /// Makes room for `count` zero bytes and lets `fill` write them.
    init<E: Error>(count: Int, fill: (UnsafeMutableBufferPointer<UInt8>) throws(E) -> Void)
        throws(E)
    {
        // A failed allocation leaves nothing to return: Swift's own allocations end the process there as well.
        unsafe base = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
        unsafe base.initialize(repeating: 0, count: max(count, 1))
        self.count = count
        try unsafe fill(UnsafeMutableBufferPointer(start: base, count: count))
    }

    package convenience init(copying bytes: Span<UInt8>) {
        unsafe self.init(count: bytes.count) { target in
            unsafe bytes.withUnsafeBufferPointer { source in
                _ = unsafe target.update(fromContentsOf: source)
            }
        }
    }

    /// `count` bytes from libcrypto's private random generator.
    package convenience init(randomCount count: Int) throws(OpenSSLFailure) {
        guard count >= 0, count <= Int(Int32.max) else {
            throw OpenSSLFailure(.invalidLength, "random")
        }
        try unsafe self.init(count: count) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress, count > 0 else { return }
            try require(unsafe RAND_priv_bytes(base, Int32(count)), "RAND_priv_bytes")
        }
    }

    deinit {
        unsafe CipherPlaces.free(ciphers)
        unsafe OPENSSL_cleanse(base, max(count, 1))
        unsafe base.deinitialize(count: max(count, 1))
        unsafe base.deallocate()
    }

    package func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(unsafe UnsafeBufferPointer(start: base, count: count).span)
    }

    /// For a ``SecretWriter``, which is the only owner as long as it writes. The caller has checked that it fits.
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
