// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Lets a limited number of callers in at once, in the order in which they came. A waiting caller
/// holds no thread, and stops waiting when its task is cancelled. An engine of ``AccountDatabase``
/// takes its place for each transaction, and has as many places as connections.
///
/// **Not** recognised: a caller that waits for a second place while it holds its first. With a
/// single place it would wait for itself.
public final class TransactionSemaphore: Sendable {
    private enum Admission { case admitted, timedOut, cancelled }

    private struct WaitingCaller {
        let continuation: CheckedContinuation<Admission, Never>
        var timer: Task<Void, Never>?

        func end(_ admission: Admission) {
            timer?.cancel()
            continuation.resume(returning: admission)
        }
    }

    private struct State {
        var free: Int
        var lastName: UInt64 = 0
        var waiting: [UInt64: WaitingCaller] = [:]
        /// Names in the order in which they began to wait; some have left since.
        var queue: [UInt64] = []
        /// Where in `queue` the names begin that were not called yet.
        var nextPosition = 0

        /// Takes the caller out that has waited longest.
        mutating func removeFirst() -> WaitingCaller? {
            while nextPosition < queue.count {
                defer { nextPosition += 1 }
                if let next = waiting.removeValue(forKey: queue[nextPosition]) { return next }
            }
            return nil
        }

        mutating func append(_ name: UInt64, waiting caller: WaitingCaller) {
            // Names that were called are dropped once they are the majority and more than a few
            // (32), so that the others are not moved for each caller.
            if nextPosition > 32, nextPosition * 2 > queue.count {
                queue.removeFirst(nextPosition)
                nextPosition = 0
            }
            queue.append(name)
            waiting[name] = caller
        }
    }

    private let state: Locked<State>

    /// Makes a semaphore whose places are all free.
    ///
    /// - Parameter places: how many callers are in at once; less than 1 counts as 1.
    public init(places: Int = 1) { state = Locked(State(free: max(places, 1))) }

    /// Waits for a place. After `true`, call ``give()`` once; after `false`, do not.
    ///
    /// - Parameter time: how long to wait; nil for as long as it takes.
    /// - Returns: whether a place was free in time.
    /// - Throws: `cancelled` if the task is cancelled first.
    public func take(within time: Duration? = nil) async throws(AccountError) -> Bool {
        let name = state.withLock { state -> UInt64 in
            state.lastName &+= 1
            return state.lastName
        }
        let admission = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(name, resuming: continuation, within: time)
            }
        } onCancel: {
            leave(name, as: .cancelled)
        }
        guard admission != .cancelled else { throw .cancelledTransaction }
        return admission == .admitted
    }

    /// Gives a place back: the next caller is let in.
    public func give() {
        let next = state.withLock { state -> WaitingCaller? in
            let next = state.removeFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.end(.admitted)
    }

    private func enter(
        _ name: UInt64, resuming continuation: CheckedContinuation<Admission, Never>,
        within time: Duration?
    ) {
        let admission = state.withLock { state -> Admission? in
            // Asked under the lock, which the handler of a later cancellation takes as well.
            guard !Task.isCancelled else { return .cancelled }
            guard state.free == 0 else {
                state.free -= 1
                return .admitted
            }
            let timer = time.map { time in
                Task.detached { [self] in
                    await TimeSource.system.sleep(for: time)
                    leave(name, as: .timedOut)
                }
            }
            state.append(name, waiting: WaitingCaller(continuation: continuation, timer: timer))
            return nil
        }
        if let admission { continuation.resume(returning: admission) }
    }

    private func leave(_ name: UInt64, as admission: Admission) {
        state.withLock { $0.waiting.removeValue(forKey: name) }?.end(admission)
    }
}
