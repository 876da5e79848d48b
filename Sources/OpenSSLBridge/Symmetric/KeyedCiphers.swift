// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import Glibc
internal import Synchronization

/// The cipher contexts of one key that one caller uses at a time. To make them and to expand the key takes longer than
/// to seal a short message.
///
/// An operation takes its context out and puts it back when it is done: one with which libcrypto failed is freed, and
/// wiped, with that. As long as a cache line, so that two threads do not write to the same.
struct KeyedCiphers: ~Copyable {
    let isInUse = Atomic(false)
    /// AES-GCM under the key itself.
    var seal: CipherContext?
    var open: CipherContext?
    /// AES-GCM under the keys that XAES derives, and what derives them.
    var derivedSeal: CipherContext?
    var derivedOpen: CipherContext?
    var derivation: XAESDerivation?
}

/// As many of them as threads work with one key at full speed. They belong to the key's storage: what they hold of the
/// key is wiped when the key is.
///
/// **After `fork`** the child has copies of its own of all of this. What another thread of the parent had in use stays in
/// use there, and is never looked at; the others are whole. Nothing here is kept for a later nonce: each operation is
/// given its own, which for sealing comes from libcrypto's generator, or from a batch that a child finds empty.
@safe
struct CipherPlaces {
    /// A power of two.
    private static var count: Int { 16 }

    private let first: UnsafeMutablePointer<KeyedCiphers>

    /// What `reference` refers to, made when there is nothing yet.
    init(of reference: borrowing Atomic<UnsafeMutableRawPointer?>) {
        if let known = unsafe reference.load(ordering: .acquiring) {
            unsafe first = known.assumingMemoryBound(to: KeyedCiphers.self)
        } else {
            unsafe first = Self.make(reference)
        }
    }

    /// A place that is the caller's alone from now on; nil while all of them are in use.
    ///
    /// A thread looks first where it looked before, so that threads seldom meet. Their descriptors are pages apart.
    func take() -> UnsafeMutablePointer<KeyedCiphers>? {
        let start = Int(truncatingIfNeeded: pthread_self() >> 12)
        for offset in 0..<Self.count {
            let place = unsafe first + ((start &+ offset) & (Self.count - 1))
            // A look costs less than an exchange, which takes the cache line away from the other threads.
            guard unsafe !place.pointee.isInUse.load(ordering: .relaxed) else { continue }
            let isTaken = unsafe place.pointee.isInUse.compareExchange(
                expected: false, desired: true, ordering: .acquiring
            ).exchanged
            if isTaken { return unsafe place }
        }
        return nil
    }

    /// Wipes and frees what `reference` refers to, which nobody else has any more.
    static func free(_ reference: borrowing Atomic<UnsafeMutableRawPointer?>) {
        guard let known = unsafe reference.load(ordering: .acquiring) else { return }
        unsafe free(known.assumingMemoryBound(to: KeyedCiphers.self), count: count)
    }

    static func allocate(count: Int) -> UnsafeMutablePointer<KeyedCiphers> {
        let made = unsafe UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<KeyedCiphers>.stride, alignment: 64
        ).bindMemory(to: KeyedCiphers.self, capacity: count)
        for index in 0..<count { unsafe (made + index).initialize(to: KeyedCiphers()) }
        return unsafe made
    }

    static func free(_ places: UnsafeMutablePointer<KeyedCiphers>, count: Int) {
        unsafe places.deinitialize(count: count)
        // The subkey of a derivation lies here; libcrypto wipes its own contexts.
        unsafe OPENSSL_cleanse(places, count * MemoryLayout<KeyedCiphers>.stride)
        unsafe UnsafeMutableRawPointer(places).deallocate()
    }

    /// Two threads may come here with one new key: one of them gets the other's.
    @inline(never)
    private static func make(
        _ reference: borrowing Atomic<UnsafeMutableRawPointer?>
    ) -> UnsafeMutablePointer<KeyedCiphers> {
        let made = unsafe allocate(count: count)
        let (_, other) = unsafe reference.compareExchange(
            expected: nil, desired: UnsafeMutableRawPointer(made), ordering: .acquiringAndReleasing)
        guard let other = unsafe other else { return unsafe made }
        unsafe free(made, count: count)
        return unsafe other.assumingMemoryBound(to: KeyedCiphers.self)
    }
}

/// The contexts of a key for one operation; the caller holds the key for so long.
@safe
struct CipherLease: ~Copyable {
    let ciphers: UnsafeMutablePointer<KeyedCiphers>
    private let isShared: Bool

    // Borrowed: to count a reference would be a write to memory that all threads of the key share.
    init(_ key: borrowing SecretStorage) {
        if let place = unsafe key.cipherPlaces.take() {
            unsafe ciphers = place
            isShared = true
        } else {
            unsafe ciphers = CipherPlaces.allocate(count: 1)
            isShared = false
        }
    }

    deinit {
        if isShared {
            unsafe ciphers.pointee.isInUse.store(false, ordering: .releasing)
        } else {
            unsafe CipherPlaces.free(ciphers, count: 1)
        }
    }
}
