// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A value that one thread at a time reads or changes.
///
/// Not the standard library's `Mutex`: on Linux that is a futex inside of a library that ThreadSanitizer does not see,
/// so that every use of it is reported as a race and a real race would go under (eight threads that count in a
/// `Mutex<Int>` are enough to see it, Swift 6.3.1). A POSIX mutex costs the same and is understood.
@safe
package final class Locked<Value: Sendable>: @unchecked Sendable {
    // In memory of its own, for a mutex must not move. Both are touched only with the lock held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline var value: Value

    package init(_ value: Value) {
        self.value = value
        unsafe mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        _ = unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
        unsafe mutex.deallocate()
    }

    /// Calls `body` with the lock held. `body` must not take this lock again.
    @inlinable
    package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try body(&value)
    }

    // A default mutex that was initialised fails only when its owner takes it again, which blocks.
    @usableFromInline func lock() { _ = unsafe pthread_mutex_lock(mutex) }

    @usableFromInline func unlock() { _ = unsafe pthread_mutex_unlock(mutex) }
}
