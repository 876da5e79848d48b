// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Contexts of libcrypto that are ready for one key and idle: to make one takes longer than to use
/// it for a short message.
///
/// The lock is held while a context is put in or taken out, and no longer. No caller waits for it:
/// who finds it taken a thousand times makes a context of its own. So does a child of `fork`, in
/// which a thread that is not there may hold it for ever.
@safe
package final class ContextPool: @unchecked Sendable {
    private let isLocked = Atomic(false)
    // All of one class. Touched under the lock, hence no second look at that by the runtime.
    @exclusivity(unchecked) private var idle: [AnyObject] = []

    /// More threads than this on one key make contexts again.
    private static var capacity: Int { 16 }

    package init() {}

    /// A context that is the caller's alone from now on; nil where none is idle.
    ///
    /// - Parameter type: the one class that this pool is for.
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

    /// Takes a context that the caller uses no more. Where there is no room, it is freed.
    package func giveBack(_ context: AnyObject) {
        guard lock() else { return }
        defer { unlock() }
        if unsafe idle.count < Self.capacity { unsafe idle.append(context) }
    }

    private func lock() -> Bool {
        for _ in 0..<1000 {
            // A look costs less than an exchange, which takes the cache line from other processors.
            guard !isLocked.load(ordering: .relaxed) else { continue }
            if !isLocked.exchange(true, ordering: .acquiring) { return true }
        }
        return false
    }

    private func unlock() { isLocked.store(false, ordering: .releasing) }
}
