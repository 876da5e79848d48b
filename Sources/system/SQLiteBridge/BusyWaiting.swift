// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import SignetBase
internal import Synchronization

/// How a connection waits for another connection's lock.
///
/// File locks are not fair: whichever process polls at the right moment wins. SQLite's own waiting
/// soon sleeps 100 ms between attempts, so with ten writers some starve. This waiting sleeps a few
/// tenths of a millisecond at first, at most a few milliseconds, and always a random time.
///
/// Measured with ten processes that write as fast as they can for 4 s, on two cores. With SQLite's
/// own waiting each process committed between 1 and 17,919 transactions, and the longest took 4.0
/// s. With this waiting each committed between 2,002 and 5,055, the longest took 0.8 s, and the
/// total was as high.
final class BusyWaiting: Sendable {
    private let limit = Atomic<UInt64>(0)
    private let start = Atomic<UInt64>(0)
    private let random = Atomic<UInt64>(0)

    init(milliseconds: Int) {
        limit.store(Self.nanoseconds(milliseconds), ordering: .relaxed)
        random.store(UInt64.random(in: 1 ... .max), ordering: .relaxed)
    }

    /// Runs `body` with this limit; nil for the connection's own limit.
    func withLimit<R, E: Error>(
        milliseconds: Int?, _ body: () throws(E) -> R
    ) throws(E) -> R {
        guard let milliseconds else { return try body() }
        let own = limit.exchange(Self.nanoseconds(milliseconds), ordering: .relaxed)
        defer { limit.store(own, ordering: .relaxed) }
        return try body()
    }

    /// SQLite asks this before each new attempt.
    func shouldTryAgain(afterTries count: Int32) -> Bool {
        let now = SystemClock.elapsedNanoseconds()
        if count == 0 { start.store(now, ordering: .relaxed) }
        let waited = now &- start.load(ordering: .relaxed)
        let limit = limit.load(ordering: .relaxed)
        guard waited < limit else { return false }
        // A signal shortens the pause, which does not matter.
        SystemClock.pause(nanoseconds: min(pause(after: count), limit - waited))
        return true
    }

    /// The longest limit: ten minutes.
    private static let maximumMilliseconds = 600_000

    private static func nanoseconds(_ milliseconds: Int) -> UInt64 {
        UInt64(min(max(milliseconds, 0), maximumMilliseconds)) * 1_000_000
    }

    /// 0.1 to 0.3 ms at first, growing to 1 to 3 ms: as long as a transaction with its sync takes.
    private func pause(after count: Int32) -> UInt64 {
        let step = UInt64(min(max(count, 0), 9) &+ 1) * 100_000
        return step + nextRandom() % (step * 2)
    }

    /// xorshift: a different rhythm for each connection is enough.
    private func nextRandom() -> UInt64 {
        var x = random.load(ordering: .relaxed)
        x ^= x << 13
        x ^= x >> 7
        x ^= x << 17
        random.store(x, ordering: .relaxed)
        return x
    }
}
