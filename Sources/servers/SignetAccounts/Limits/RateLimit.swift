// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How often something may be done: so many times at once, and from then on once in each interval
/// (the generic cell rate algorithm, GCRA).
///
/// In any span of time it happens at most `burst + span / interval` times. `perHour(5)` is five
/// times at once and again every 12 minutes: 5 an hour in the long run, and 10 in the worst hour.
public struct RateLimit: Sendable, Hashable {
    /// How many times at once, after a pause of `burst` intervals.
    public let burst: Int
    /// Milliseconds between two.
    let interval: Int64

    /// A limit.
    ///
    /// - Parameters:
    ///   - burst: 1 to 1,000,000.
    ///   - interval: 1 ms to 366 days, and all of a burst at most ten years.
    /// - Throws: `invalidParameter`.
    public init(burst: Int, interval: Duration) throws(AccountError) {
        let milliseconds = interval / .milliseconds(1)
        if let fault = ParameterRange.fault(
            .init("burst", value: burst, in: 1...1_000_000),
            .init("interval", value: interval, in: .milliseconds(1) ... .seconds(31_622_400)))
        {
            throw AccountError(.invalidParameter, fault)
        }
        guard milliseconds * Double(burst) <= 315_360_000_000 else {
            throw AccountError(
                .invalidParameter,
                "burst times interval is at most ten years: \(burst) times \(interval) is more.")
        }
        self.init(burst: burst, milliseconds: Int64(milliseconds.rounded(.up)))
    }

    init(burst: Int, milliseconds: Int64) {
        (self.burst, interval) = (burst, milliseconds)
    }

    /// So many at once, and so many an hour in the long run.
    ///
    /// - Throws: `invalidParameter` unless `count` is 1 to 1,000,000.
    public static func perHour(_ count: Int) throws(AccountError) -> RateLimit {
        try RateLimit(burst: count, interval: .seconds(3600) / max(count, 1))
    }

    /// So many at once, and so many a day in the long run.
    ///
    /// - Throws: `invalidParameter` unless `count` is 1 to 1,000,000.
    public static func perDay(_ count: Int) throws(AccountError) -> RateLimit {
        try RateLimit(burst: count, interval: .seconds(86_400) / max(count, 1))
    }

    /// The limit of so many clients together: so many times the burst, in the same time. An
    /// interval that has fractions of a millisecond then is rounded up.
    func times(_ factor: Int64) -> RateLimit {
        RateLimit(
            burst: burst * Int(factor), milliseconds: (interval + factor - 1) / factor)
    }

    /// Codes sent to one destination: 5 at once, then one every 12 minutes.
    public static let codesForDestination = RateLimit(burst: 5, milliseconds: 720_000)
    /// Codes asked for from one address: 30 at once, then one every 2 minutes.
    public static let codesFromAddress = RateLimit(burst: 30, milliseconds: 120_000)
    /// Codes that are handed in from one address: 30 at once, then one every 10 s. More than for
    /// those asked for: people mistype, and an office shares an address.
    public static let codesTriedFromAddress = RateLimit(burst: 30, milliseconds: 10_000)
    /// Wrong codes for one destination: 20 at once, then one every 72 minutes. By each such limit
    /// guessing six digits succeeds with 0.7 % in a year.
    public static let wrongCodes = RateLimit(burst: 20, milliseconds: 4_320_000)
    /// Notices of changes to one account: 5 at once, then one every half hour.
    static let notices = RateLimit(burst: 5, milliseconds: 1_800_000)
    /// No limit: uses are recorded and never refused.
    static let probes = RateLimit(burst: 1_000_000, milliseconds: 1)
    /// Wrong passwords of one account, or one destination: 10 at once, then one every 6 minutes, so
    /// 250 in a day at most. Take it for each known client by itself (``KnownClients``), and once
    /// for all other clients together.
    public static let passwordTries = RateLimit(burst: 10, milliseconds: 360_000)
}
