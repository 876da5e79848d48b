// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How often something may be done: a number of times at once, and from then on once in each
/// interval (the generic cell rate algorithm, GCRA).
///
/// In any span of time it happens at most `burst + span / interval` times. `perHour(5)` is five
/// times at once and again every 12 minutes: 5 an hour in the long run, and 10 in the worst hour.
public struct RateLimit: Sendable, Hashable {
    /// How many times at once, after a pause of `burst` intervals.
    public let burst: Int
    /// Milliseconds between two uses in the long run.
    let interval: Int64

    /// The longest time for a whole burst, in milliseconds: ten years.
    static let longestBurst: Int64 = 315_360_000_000

    /// A limit.
    ///
    /// - Parameters:
    ///   - burst: 1 to 1,000,000.
    ///   - interval: 1 ms to 366 days; `burst` times `interval` is at most ten years.
    /// - Throws: `invalidParameter` for values outside these ranges.
    public init(burst: Int, interval: Duration) throws(AccountError) {
        let milliseconds = interval / .milliseconds(1)
        if let fault = ParameterRange.fault(
            .init("burst", value: burst, in: 1...1_000_000),
            .init("interval", value: interval, in: .milliseconds(1) ... .seconds(31_622_400)))
        {
            throw AccountError(.invalidParameter, fault)
        }
        guard milliseconds * Double(burst) <= Double(Self.longestBurst) else {
            throw AccountError(
                .invalidParameter,
                "burst times interval is at most ten years: \(burst) times \(interval) is more.")
        }
        self.init(burst: burst, milliseconds: Int64(milliseconds.rounded(.up)))
    }

    /// How long a whole burst counts, in milliseconds. No overflow: some ten years at most.
    var burstTime: Int64 { interval * Int64(burst) }

    init(burst: Int, milliseconds: Int64) {
        self.burst = burst
        interval = milliseconds
    }

    /// `count` times at once, and `count` times an hour in the long run.
    ///
    /// - Throws: `invalidParameter` unless `count` is 1 to 1,000,000.
    public static func perHour(_ count: Int) throws(AccountError) -> RateLimit {
        try RateLimit(burst: count, interval: .seconds(3600) / max(count, 1))
    }

    /// `count` times at once, and `count` times a day in the long run.
    ///
    /// - Throws: `invalidParameter` unless `count` is 1 to 1,000,000.
    public static func perDay(_ count: Int) throws(AccountError) -> RateLimit {
        try RateLimit(burst: count, interval: .seconds(86_400) / max(count, 1))
    }

    /// The limit of `factor` clients together: `factor` times the burst, in the same time. The
    /// interval is rounded up to whole milliseconds.
    func times(_ factor: Int64) -> RateLimit {
        RateLimit(
            burst: burst * Int(factor), milliseconds: (interval + factor - 1) / factor)
    }

    /// Codes sent to a destination: 5 at once, then 1 every 12 minutes.
    public static let codesForDestination = RateLimit(burst: 5, milliseconds: 720_000)
    /// Codes asked for from an address: 30 at once, then 1 every 2 minutes.
    public static let codesFromAddress = RateLimit(burst: 30, milliseconds: 120_000)
    /// Codes that are tried from an address: 30 at once, then 1 every 10 s. There are more tries
    /// than requests for codes, because people mistype and an office shares an address.
    public static let codesTriedFromAddress = RateLimit(burst: 30, milliseconds: 10_000)
    /// Wrong codes for a destination: 20 at once, then 1 every 72 minutes. Within a limit of this
    /// size, guessing six digits succeeds with a probability of 0.7 % in a year.
    public static let wrongCodes = RateLimit(burst: 20, milliseconds: 4_320_000)
    /// Notices of changes to an account: 5 at once, then 1 every half hour.
    static let notices = RateLimit(burst: 5, milliseconds: 1_800_000)
    /// No limit: uses are recorded and never refused.
    static let probes = RateLimit(burst: 1_000_000, milliseconds: 1)
    /// Wrong passwords for an account or a destination: 10 at once, then 1 every 6 minutes, so at
    /// most 250 in a day. Take it for each known client by itself (``KnownClients``), and once for
    /// all other clients together.
    public static let passwordTries = RateLimit(burst: 10, milliseconds: 360_000)
}
