// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Lets a limited number of callers in at once, in the order in which they came.
///
///     let semaphore = TransactionSemaphore(places: 4)
///     guard try await semaphore.take(within: .seconds(5)) else { return }  // all 4 were in use
///     defer { semaphore.give() }
///
/// A waiting caller holds no thread, and stops waiting when its task is cancelled. An engine of
/// ``AccountDatabase`` takes a place for each transaction, and has as many places as connections.
///
/// **Not** recognised: a caller that waits for a second place while it holds its first. With a
/// single place it would wait for itself.
public final class TransactionSemaphore: Sendable {
    // Each caller has a number. A caller that must wait stands in `State.waiting` and in
    // `State.order`. Whoever takes it out of `waiting` resumes it, and nobody else can: `give`, its
    // timer, or its cancellation.

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
        var freeCount: Int
        var lastNumber: UInt64 = 0
        /// The callers that wait, by their numbers.
        var waiting: [UInt64: WaitingCaller] = [:]
        /// The numbers in the order in which their callers began to wait; some have left since.
        var order: [UInt64] = []
        /// Where in `order` the numbers begin that were not called yet.
        var nextPosition = 0

        /// Takes the caller out that has waited longest; nil if none waits.
        mutating func removeFirst() -> WaitingCaller? {
            while nextPosition < order.count {
                let number = order[nextPosition]
                nextPosition += 1
                if let next = waiting.removeValue(forKey: number) { return next }
            }
            return nil
        }

        mutating func append(_ number: UInt64, waiting caller: WaitingCaller) {
            // Numbers that were called are dropped once they are the majority and more than a few
            // (32), so that the numbers behind them are not moved for each caller.
            if nextPosition > 32, nextPosition * 2 > order.count {
                order.removeFirst(nextPosition)
                nextPosition = 0
            }
            order.append(number)
            waiting[number] = caller
        }
    }

    private let state: Locked<State>

    /// Makes a semaphore whose places are all free.
    ///
    /// - Parameter places: how many callers are in at once; less than 1 counts as 1.
    public init(places: Int = 1) { state = Locked(State(freeCount: max(places, 1))) }

    /// Waits for a place. After `true`, call ``give()`` once; after `false`, do not.
    ///
    /// - Parameter time: how long to wait; nil for as long as it takes.
    /// - Returns: whether a place was free in time.
    /// - Throws: `cancelled` if the task is cancelled first.
    public func take(within time: Duration? = nil) async throws(AccountError) -> Bool {
        let number = state.withLock { state -> UInt64 in
            state.lastNumber &+= 1
            return state.lastNumber
        }
        let admission = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(number, resuming: continuation, within: time)
            }
        } onCancel: {
            leave(number, as: .cancelled)
        }
        guard admission != .cancelled else { throw .cancelledTransaction }
        return admission == .admitted
    }

    /// Gives a place back: the next caller is let in.
    public func give() {
        let next = state.withLock { state -> WaitingCaller? in
            let next = state.removeFirst()
            if next == nil { state.freeCount += 1 }
            return next
        }
        next?.end(.admitted)
    }

    /// Takes a free place, or lets the caller wait for the next.
    private func enter(
        _ number: UInt64, resuming continuation: CheckedContinuation<Admission, Never>,
        within time: Duration?
    ) {
        let admission = state.withLock { state -> Admission? in
            // Asked under the lock, which the handler of a later cancellation takes as well.
            guard !Task.isCancelled else { return .cancelled }
            guard state.freeCount == 0 else {
                state.freeCount -= 1
                return .admitted
            }
            let timer = time.map { time in
                Task.detached { [self] in
                    await TimeSource.system.sleep(for: time)
                    leave(number, as: .timedOut)
                }
            }
            state.append(number, waiting: WaitingCaller(continuation: continuation, timer: timer))
            return nil
        }
        if let admission { continuation.resume(returning: admission) }
    }

    /// Stops the wait of a caller, unless it was let in before.
    private func leave(_ number: UInt64, as admission: Admission) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.end(admission)
    }
}
