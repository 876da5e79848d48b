// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Idle libcrypto contexts for a key. Making a context takes longer than using it for a short
/// message.
///
/// The lock is held only while a context is put in or taken out. A caller that finds the lock taken
/// a thousand times makes a new context instead of waiting. So does a child of `fork`, in which the
/// lock's owner may not exist.
@safe
package final class ContextPool: @unchecked Sendable {
    private let isLocked = Atomic(false)
    // All of one class. The lock guards the array, so the runtime's check is off.
    @exclusivity(unchecked) private var idle: [AnyObject] = []

    /// The most idle contexts kept; more threads than this on one key make new contexts again.
    private static var capacity: Int { 16 }

    package init() {}

    /// Takes an idle context, which is then the caller's alone; nil if none is idle.
    ///
    /// - Parameter type: the class that this pool is for.
    @inlinable
    package func take<Context: AnyObject>(_ type: Context.Type) -> Context? {
        guard let taken = takeAny() else { return nil }
        return unsafe unsafeDowncast(taken, to: type)
    }

    @usableFromInline
    func takeAny() -> AnyObject? {
        guard lock() else { return nil }
        defer { unlock() }
        return unsafe idle.popLast()
    }

    /// Returns a context to the pool, which frees it if it is full.
    package func giveBack(_ context: AnyObject) {
        guard lock() else { return }
        defer { unlock() }
        if unsafe idle.count < Self.capacity { unsafe idle.append(context) }
    }

    private func lock() -> Bool {
        for _ in 0..<1000 {
            // Reading is cheaper than an exchange, which takes the cache line from other
            // processors.
            guard !isLocked.load(ordering: .relaxed) else { continue }
            if !isLocked.exchange(true, ordering: .acquiring) { return true }
        }
        return false
    }

    private func unlock() { isLocked.store(false, ordering: .releasing) }
}
