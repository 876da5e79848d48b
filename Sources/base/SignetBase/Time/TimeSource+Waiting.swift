// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension TimeSource {
    /// Returns after this time, or at once when the task is cancelled. No duration is too long.
    public func sleep(for duration: Duration) async {
        guard let given else {
            // Swift adds it to the present time, and an overflow ends the process: 136 years at most.
            let wait = min(max(duration, .zero), .seconds(1 << 32))
            try? await Task.sleep(for: wait, clock: .continuous)
            return
        }
        await given.sleep(duration)
    }

    /// Returns when a time limit has passed, or at once when the task is cancelled.
    ///
    /// Time in which the machine slept or the process was stopped hardly counts, and this process
    /// runs for a second before the limit ends: an answer that came in the meantime is accepted.
    package func passLimit(_ limit: Duration) async {
        guard given == nil else { return await sleep(for: limit) }
        var remaining = limit
        var isExtended = false
        while remaining > .zero, !Task.isCancelled {
            let part = min(remaining, .seconds(1))
            let begun = ContinuousClock.now
            try? await Task.sleep(for: part, clock: .suspending)
            remaining -= part
            // More time has passed than this process has waited.
            let stoodStill = begun.duration(to: .now) > part + .seconds(1)
            if remaining <= .zero, stoodStill, !isExtended {
                remaining = .seconds(1)
                isExtended = true
            }
        }
    }
}
