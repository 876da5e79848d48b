// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import Glibc
internal import Synchronization

/// The cipher contexts of one key that one caller uses at a time. To make them and to expand the key takes longer than
/// to seal a short message.
///
/// An operation takes its context out and puts it back when it is done: one with which libcrypto failed is freed, and
/// wiped, with that.
struct KeyedCiphers: ~Copyable {
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
    private static var count: Int { ThreadSlot.count }
    /// A cache line, so that two threads do not write to the same: whether the place is in use, and the contexts behind
    /// that. Two variables, because a change of one member is an access to all of a structure.
    private static var placeByteCount: Int {
        (ciphersOffset + MemoryLayout<KeyedCiphers>.stride + 63) & ~63
    }
    private static var ciphersOffset: Int { 8 }

    private let first: UnsafeMutableRawPointer

    /// What `reference` refers to, made when there is nothing yet.
    init(of reference: borrowing Atomic<UnsafeMutableRawPointer?>) {
        if let known = unsafe reference.load(ordering: .acquiring) {
            unsafe first = known
        } else {
            unsafe first = Self.make(reference)
        }
    }

    /// A place that is the caller's alone from now on; nil while all of them are in use.
    ///
    /// A thread looks first where it looked before, so that threads seldom meet.
    func take() -> UnsafeMutablePointer<KeyedCiphers>? {
        let start = ThreadSlot.current
        for offset in 0..<Self.count {
            let place = unsafe first + ((start &+ offset) & (Self.count - 1)) * Self.placeByteCount
            let isInUse = unsafe place.assumingMemoryBound(to: Atomic<Bool>.self)
            // A look costs less than an exchange, which takes the cache line away from the other threads.
            guard unsafe !isInUse.pointee.load(ordering: .relaxed) else { continue }
            let isTaken = unsafe isInUse.pointee.compareExchange(
                expected: false, desired: true, ordering: .acquiring
            ).exchanged
            if isTaken {
                return unsafe (place + Self.ciphersOffset).assumingMemoryBound(
                    to: KeyedCiphers.self)
            }
        }
        return nil
    }

    /// Ends what ``take()`` began.
    static func giveBack(_ ciphers: UnsafeMutablePointer<KeyedCiphers>) {
        let place = unsafe UnsafeMutableRawPointer(ciphers) - ciphersOffset
        unsafe place.assumingMemoryBound(to: Atomic<Bool>.self).pointee.store(
            false, ordering: .releasing)
    }

    /// Wipes and frees what `reference` refers to, which nobody else has any more.
    static func free(_ reference: borrowing Atomic<UnsafeMutableRawPointer?>) {
        guard let known = unsafe reference.load(ordering: .acquiring) else { return }
        unsafe free(known, count: count)
    }

    /// A place that belongs to no key.
    static func allocateOne() -> UnsafeMutablePointer<KeyedCiphers> {
        unsafe (allocate(count: 1) + ciphersOffset).assumingMemoryBound(to: KeyedCiphers.self)
    }

    static func freeOne(_ ciphers: UnsafeMutablePointer<KeyedCiphers>) {
        unsafe free(UnsafeMutableRawPointer(ciphers) - ciphersOffset, count: 1)
    }

    private static func allocate(count: Int) -> UnsafeMutableRawPointer {
        let made = UnsafeMutableRawPointer.allocate(
            byteCount: count * placeByteCount, alignment: 64)
        for index in 0..<count {
            let place = unsafe made + index * placeByteCount
            unsafe place.bindMemory(to: Atomic<Bool>.self, capacity: 1).initialize(
                to: Atomic(false))
            unsafe (place + ciphersOffset).bindMemory(to: KeyedCiphers.self, capacity: 1)
                .initialize(to: KeyedCiphers())
        }
        return unsafe made
    }

    private static func free(_ places: UnsafeMutableRawPointer, count: Int) {
        for index in 0..<count {
            let ciphers = unsafe places + index * placeByteCount + ciphersOffset
            unsafe ciphers.assumingMemoryBound(to: KeyedCiphers.self).deinitialize(count: 1)
        }
        // The subkey of a derivation lies here; libcrypto wipes its own contexts.
        unsafe OPENSSL_cleanse(places, count * placeByteCount)
        unsafe places.deallocate()
    }

    /// Two threads may come here with one new key: one of them gets the other's.
    @inline(never)
    private static func make(
        _ reference: borrowing Atomic<UnsafeMutableRawPointer?>
    ) -> UnsafeMutableRawPointer {
        let made = unsafe allocate(count: count)
        let (_, other) = unsafe reference.compareExchange(
            expected: nil, desired: made, ordering: .acquiringAndReleasing)
        guard let other = unsafe other else { return unsafe made }
        unsafe free(made, count: count)
        return unsafe other
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
            unsafe ciphers = CipherPlaces.allocateOne()
            isShared = false
        }
    }

    deinit {
        if isShared {
            unsafe CipherPlaces.giveBack(ciphers)
        } else {
            unsafe CipherPlaces.freeOne(ciphers)
        }
    }
}
