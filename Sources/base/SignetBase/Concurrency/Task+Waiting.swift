// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Task where Failure == Never {
    /// The value of this task, which several callers share; nil, at once, when the caller's own
    /// task is cancelled. The shared task goes on for the remaining callers.
    package var valueUnlessCancelled: Success? {
        get async {
            let (values, value) = AsyncStream<Success>.makeStream()
            Task<Void, Never> {
                value.yield(await self.value)
                value.finish()
            }
            for await value in values { return value }
            return nil
        }
    }
}
