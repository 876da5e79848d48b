// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetBase

/// Runs a store's blocking work in sequence, off Swift's cooperative threads.
public struct StoreQueue: Sendable {
    private let queue: DispatchQueue

    /// Makes a queue. Debuggers show its label.
    public init(label: String) { queue = DispatchQueue(label: label) }

    /// Runs `work` on the queue and waits for it without blocking a thread of the pool.
    ///
    /// - Parameters:
    ///   - evenIfCancelled: false throws `cancelled` if the task is cancelled before the work
    ///     begins. Work that has begun is not interrupted. Locking should pass true.
    ///   - work: the blocking work.
    /// - Throws: `cancelled`, and the errors of `work`.
    public func run<R: Sendable>(
        evenIfCancelled: Bool = false, _ work: @escaping @Sendable () throws(StoreError) -> R
    ) async throws(StoreError) -> R {
        let isCancelled = Locked(false)
        let result: Result<R, StoreError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    if !evenIfCancelled, isCancelled.withLock({ $0 }) {
                        continuation.resume(returning: .failure(.cancelledBeforeStart))
                        return
                    }
                    continuation.resume(returning: Result(catching: work))
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        return try result.get()
    }
}

extension StoreError {
    static var cancelledBeforeStart: StoreError {
        StoreError(.cancelled, "The task was cancelled before the call began; nothing was done.")
    }
}
