// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How long to wait between two attempts at a lock that another holds: 2 ms at first, 50 ms later,
/// until a limit has passed by a clock that is not set.
package struct LockPauses {
    private static let longest = Duration.milliseconds(50)

    private let limit: Duration
    private let start = ContinuousClock.now
    private var pause = Duration.milliseconds(2)

    private init(within limit: Duration) {
        // No arithmetic overflows below 30 years.
        self.limit = min(max(limit, .zero), .seconds(1_000_000_000))
    }

    /// The next pause; nil when the limit has passed. Random by half, so that those who wait do not
    /// ask in step.
    private mutating func next() -> Duration? {
        let left = limit - start.duration(to: .now)
        guard left > .zero else { return nil }
        defer { pause = min(pause * 2, Self.longest) }
        return min(pause * Double.random(in: 0.5...1), left)
    }

    /// Makes attempts until one succeeds, and holds the calling thread between them.
    ///
    /// - Parameters:
    ///   - limit: from now; the first attempt is made whatever it is.
    ///   - givesUp: asked before each attempt.
    /// - Returns: whether one succeeded.
    package static func askBlocking<E: Error>(
        within limit: Duration, unless givesUp: () -> Bool, _ attempt: () throws(E) -> Bool
    ) throws(E) -> Bool {
        var pauses = LockPauses(within: limit)
        while !givesUp() {
            if try attempt() { return true }
            guard let pause = pauses.next() else { return false }
            // Less than a second, always.
            let nanoseconds = pause.components.attoseconds / 1_000_000_000
            SystemClock.pause(nanoseconds: UInt64(clamping: nanoseconds))
        }
        return false
    }

    /// Makes attempts until one succeeds, and suspends the task between them.
    ///
    /// - Parameter limit: from now; the first attempt is made whatever it is.
    /// - Returns: whether one succeeded; false when the task was cancelled too, without an attempt.
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
