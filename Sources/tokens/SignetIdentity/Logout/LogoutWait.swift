// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetBase

/// How a copy of a logout token waits for the work of an earlier copy. `LogoutReplayTable` uses it
/// too.
package struct LogoutWait: Sendable {
    /// The longest wait. It exceeds the time for which a table keeps the claim of a server that has
    /// died (60 s), so that a waiting copy ends the sessions.
    package static let longest = Duration.seconds(75)
    /// Why a wait has ended without a result.
    package static let sentence: ErrorMessage =
        "The sessions of this logout are still being ended. Send it again later."

    private let clock: TimeSource
    private let pause: Duration

    /// - Parameters:
    ///   - clock: measures the wait, and sleeps.
    ///   - pause: the time between two calls of `look`.
    package init(clock: TimeSource, pause: Duration) {
        self.clock = clock
        self.pause = pause
    }

    /// Calls `look` until it returns a result; nil if there is none within ``longest``.
    ///
    /// - Throws: the errors of `look`; `CancellationError`.
    package func result<Found>(_ look: () async throws -> Found?) async throws -> Found? {
        let begun = clock.elapsed()
        while true {
            if let found = try await look() { return found }
            guard clock.elapsed() - begun < Self.longest else { return nil }
            await clock.sleep(for: pause)
            try Task.checkCancellation()
        }
    }
}
