// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Task where Failure == Never {
    /// What the task brings, which several callers share; nil, at once, when the caller's own task
    /// is cancelled. This one goes on for the others.
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
