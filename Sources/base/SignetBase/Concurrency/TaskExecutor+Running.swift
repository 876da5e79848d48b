// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension TaskExecutor {
    /// Runs a job that was enqueued here, on the current thread, which belongs to this executor.
    /// The executor must live while the job runs. Each job is run once.
    public func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
