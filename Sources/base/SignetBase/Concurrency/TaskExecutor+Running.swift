// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension TaskExecutor {
    /// Runs a job that was enqueued here, on the current thread. The executor lives while it runs.
    package func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
