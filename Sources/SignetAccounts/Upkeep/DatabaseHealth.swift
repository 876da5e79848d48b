// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetPlatform

/// Reports whether the database can be written to, for `GET /health`: a full disk counts as
/// unhealthy, though reading still works.
///
/// It writes one row. Within a second it repeats its answer, so frequent requests cost no writes.
public final class DatabaseHealth: Sendable {
    private let limits: RateLimits
    private let clock: TimeSource
    private let last = Locked((at: Duration?.none, isWell: false))

    /// The health of the database of these limits.
    ///
    /// - Parameters:
    ///   - limits: limits in the database.
    ///   - clock: for the second; a test passes that of a `ManualClock`.
    public init(_ limits: RateLimits, clock: TimeSource = .system) {
        (self.limits, self.clock) = (limits, clock)
    }

    /// Whether a row could be written, now or within the last second. A caller that is
    /// cancelled meanwhile is told no, and no other caller.
    public func isWell() async -> Bool {
        let (now, last) = (clock.elapsed(), last.withLock { $0 })
        if let at = last.at, now - at < .seconds(1) { return last.isWell }
        let isWell: Bool
        do throws(AccountError) {
            try await limits.take(.probes, "health", for: .account(""))
            isWell = true
        } catch {
            guard error.code != .cancelled else { return false }
            isWell = false
        }
        self.last.withLock { $0 = (now, isWell) }
        return isWell
    }
}
