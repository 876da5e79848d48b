// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// A POSIX mutex: one thread at a time, the others wait.
///
/// Not the mutex of the standard library, which takes the kernel's futex directly: ThreadSanitizer
/// sees a POSIX mutex and reports races where there are none under the other. Not recursive: a
/// thread that takes it twice waits for itself for ever, or is told with
/// ``withLockUnlessOwned(_:)``. It must not be held across a suspension, and in a child of `fork`
/// it is in no state at all.
@safe
package final class Lock: @unchecked Sendable {
    // On the heap and never moved: the address of a mutex is part of it.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// - Parameter knowsOwner: for ``withLockUnlessOwned(_:)``.
    package init(knowsOwner: Bool = false) {
        unsafe mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        // None of these can fail: the kind is a known one, and glibc allocates nothing.
        var attributes = pthread_mutexattr_t()
        _ = unsafe pthread_mutexattr_init(&attributes)
        if knowsOwner {
            _ = unsafe pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
        }
        _ = unsafe pthread_mutex_init(mutex, &attributes)
        _ = unsafe pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
        unsafe mutex.deallocate()
    }

    /// Runs `body` while no other thread is in a `withLock` of this lock.
    package func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// As ``withLock(_:)``; nil, at once, if this very thread is in one already. For a lock that
    /// knows its owner.
    package func withLockUnlessOwned<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R? {
        guard unsafe pthread_mutex_lock(mutex) == 0 else { return nil }
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Runs `body` if no other thread is in a `withLock`; nil, at once, if one is.
    package func withLockIfFree<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R? {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }
}
