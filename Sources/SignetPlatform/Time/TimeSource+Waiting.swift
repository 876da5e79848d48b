// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension TimeSource {
    /// Returns when so much time has passed, or at once when the task is cancelled.
    public func sleep(for duration: Duration) async {
        guard let given else {
            try? await Task.sleep(for: duration, clock: .continuous)
            return
        }
        await given.sleep(duration)
    }

    /// Returns when the limit of something that is waited for has passed, or at once when the task
    /// is cancelled.
    ///
    /// Time in which the machine slept or the process was stopped hardly counts, and before the
    /// limit is over there is a second in which this process ran: an answer that has come meanwhile
    /// is taken, not given up.
    package func passLimit(_ limit: Duration) async {
        guard given == nil else { return await sleep(for: limit) }
        var left = limit
        var isExtended = false
        while left > .zero, !Task.isCancelled {
            let part = min(left, .seconds(1))
            let begun = ContinuousClock.now
            try? await Task.sleep(for: part, clock: .suspending)
            left -= part
            let stoodStill = begun.duration(to: .now) > part + .seconds(1)
            if left <= .zero, stoodStill, !isExtended { (left, isExtended) = (.seconds(1), true) }
        }
    }
}
