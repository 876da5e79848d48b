// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetBase

/// The one place where a connection is used: a queue, whose thread may wait for the disk or a
/// server while the threads of the pool go on.
///
/// A task that prefers it goes on here between its statements, and wakes no other thread for each.
package final class TransactionQueue: TaskExecutor {
    private let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label) }

    /// Runs `work` after what was asked for before.
    package func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { self.run(job) }
    }
}
