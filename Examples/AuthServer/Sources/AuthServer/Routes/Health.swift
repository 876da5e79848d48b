// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import SignetAccounts
internal import SignetHummingbird
internal import Synchronization

/// `GET /health`: 200, or 503 while the database cannot be written to. Asked again within a second,
/// it says the same: whoever asks often costs no writes.
final class Health: Sendable {
    private let limits: RateLimits
    // Nobody reaches it. It writes a row, so that a full disk shows.
    private let limit: RateLimit
    private let last = Mutex((at: ContinuousClock.now - .seconds(1), isWell: false))

    init(_ limits: RateLimits) throws {
        (self.limits, limit) = (limits, try RateLimit(burst: 1_000, interval: .milliseconds(1)))
    }

    func answer() async throws -> Response {
        let (at, wasWell) = last.withLock { $0 }
        var isWell = wasWell
        if ContinuousClock.now - at >= .seconds(1) {
            isWell = (try? await limits.take(limit, "health", for: .account(""))) != nil
            last.withLock { $0 = (.now, isWell) }
        }
        guard isWell else { throw HTTPError(.serviceUnavailable) }
        return try Response(json: ["status": "ok"])
    }
}
