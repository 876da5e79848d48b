// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetBase

/// The serial queue on which an engine of ``AccountDatabase`` uses a connection. Its thread may
/// wait for a disk or a server while the threads of Swift's pool go on.
///
/// As an executor preference (`withTaskExecutorPreference`) it also runs a transaction's `work`:
/// `work` then stays on this thread between its statements, instead of waking a second thread for
/// each. Set the preference in a `@concurrent` function, or an actor that begins a transaction
/// stays on this queue afterwards.
public final class TransactionQueue: TaskExecutor {
    private let queue: DispatchQueue

    /// A queue.
    ///
    /// - Parameter label: a name for debuggers.
    public init(label: String) { queue = DispatchQueue(label: label) }

    /// Runs `work` after all that was enqueued before, and returns at once.
    public func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs `work` after all that was enqueued before, and waits for it without holding a thread,
    /// also in a cancelled task.
    ///
    /// - Throws: what `work` throws.
    public func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result(catching: work))
            }
        }
        return try result.get()
    }

    /// Runs a job of a task that prefers this queue. For Swift's runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { self.run(job) }
    }
}
