// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The pauses between attempts at a lock that is held: 2 ms at first, 50 ms later, until a limit of
/// elapsed time.
package struct LockPauses {
    private static let longest = Duration.milliseconds(50)

    private let limit: Duration
    private let start = ContinuousClock.now
    private var pause = Duration.milliseconds(2)

    private init(within limit: Duration) {
        // Nothing overflows below 30 years.
        self.limit = min(max(limit, .zero), .seconds(1_000_000_000))
    }

    /// The next pause; nil if the limit has passed. Half of it is random, so waiting callers do not
    /// try in step.
    private mutating func next() -> Duration? {
        let remaining = limit - start.duration(to: .now)
        guard remaining > .zero else { return nil }
        defer { pause = min(pause * 2, Self.longest) }
        return min(pause * Double.random(in: 0.5...1), remaining)
    }

    /// Tries until an attempt succeeds, and blocks the calling thread in between.
    ///
    /// - Parameters:
    ///   - limit: from now; the first attempt is always made.
    ///   - givesUp: checked before each attempt.
    /// - Returns: whether an attempt succeeded.
    package static func askBlocking<E: Error>(
        within limit: Duration, unless givesUp: () -> Bool = { false },
        _ attempt: () throws(E) -> Bool
    ) throws(E) -> Bool {
        var pauses = LockPauses(within: limit)
        while !givesUp() {
            if try attempt() { return true }
            guard let pause = pauses.next() else { return false }
            // Always less than a second.
            let nanoseconds = pause.attosecondsOverSeconds / 1_000_000_000
            SystemClock.pause(nanoseconds: UInt64(clamping: nanoseconds))
        }
        return false
    }

    /// Tries until an attempt succeeds, and suspends the task in between.
    ///
    /// - Parameter limit: from now; the first attempt is always made, unless the task is cancelled.
    /// - Returns: whether an attempt succeeded; false as well after a cancellation.
    package static func ask<E: Error>(
        within limit: Duration, _ attempt: () throws(E) -> Bool
    ) async throws(E) -> Bool {
        var pauses = LockPauses(within: limit)
        while !Task.isCancelled {
            if try attempt() { return true }
            guard let pause = pauses.next() else { return false }
            // A cancellation ends the pause, and the loop.
            try? await Task.sleep(for: pause)
        }
        return false
    }
}
