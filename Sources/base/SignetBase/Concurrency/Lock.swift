// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// A POSIX mutex.
///
/// The standard library's mutex uses the kernel's futex directly, for which ThreadSanitizer reports
/// false races; it understands a POSIX mutex. Not recursive: a thread that locks it twice
/// deadlocks, unless it uses ``withLockUnlessOwned(_:)``. Do not hold it across a suspension. In a
/// child of `fork` its state is undefined.
@safe
package final class Lock: @unchecked Sendable {
    // On the heap and never moved: a mutex depends on its address.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // Used only inside the lock: whether its owner holds it already.
    private var isHeld = false

    /// - Parameter knowsOwner: for ``withLockUnlessOwned(_:)`` and ``isOwned``.
    package init(knowsOwner: Bool = false) {
        unsafe mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        // None of these can fail: the kind is known, and glibc allocates nothing.
        var attributes = pthread_mutexattr_t()
        _ = unsafe pthread_mutexattr_init(&attributes)
        if knowsOwner {
            _ = unsafe pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_RECURSIVE))
        }
        _ = unsafe pthread_mutex_init(mutex, &attributes)
        _ = unsafe pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
        unsafe mutex.deallocate()
    }

    /// Runs `body` while this thread alone holds the lock.
    package func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Like ``withLock(_:)``; returns nil at once if this thread already holds the lock. For a lock
    /// that knows its owner.
    package func withLockUnlessOwned<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R? {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try unlessHeld(body)
    }

    /// Runs `body` if no thread holds the lock; returns nil at once if a thread does.
    package func withLockIfFree<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R? {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try unlessHeld(body)
    }

    /// Whether this thread holds the lock. For a lock that knows its owner.
    package var isOwned: Bool {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return false }
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return isHeld
    }

    private func unlessHeld<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R? {
        guard !isHeld else { return nil }
        isHeld = true
        defer { isHeld = false }
        return try body()
    }
}
