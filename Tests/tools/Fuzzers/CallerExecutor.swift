// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs asynchronous work in the thread that waits for it: no input costs a change of threads.
final class CallerExecutor: TaskExecutor {
    private let jobs = Mutex([UnownedJob]())
    private let count = DispatchSemaphore(value: 0)
    private let isDone = Atomic(false)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        count.signal()
    }

    func run(_ work: @escaping @Sendable () async -> Void) {
        isDone.store(false, ordering: .relaxed)
        Task(executorPreference: self) {
            await work()
            self.isDone.store(true, ordering: .relaxed)
        }
        while !isDone.load(ordering: .relaxed) {
            count.wait()
            let job = jobs.withLock { $0.removeFirst() }
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
