// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport

/// What was timed.
enum Series {
    case replace, bareReplace, add, bareAdd
    /// One item of a transaction of 1000.
    case batchAdd, bareBatchAdd, batchReplace, bareBatchReplace
    /// The same as the first write of an object, which has proved nothing yet.
    case firstBatch
    case lazy, strict, absent, bareRead
    case list, bareList
    case open, verify
}

/// What one size of vault costs: times of single calls by the clock, which is what a caller waits
/// for.
struct Stopwatch {
    let itemCount: Int
    var vaultByteCount = 0
    var bareByteCount = 0
    private var nanoseconds = [Series: [Double]]()

    init(itemCount: Int) { self.itemCount = itemCount }

    /// Takes one call's time; `count` is of the items that it writes.
    mutating func time<R>(_ series: Series, count: Int = 1, _ body: () throws -> R) rethrows {
        let start = ContinuousClock.now
        _ = try body()
        let elapsed = ContinuousClock.now - start
        nanoseconds[series, default: []].append(elapsed.nanoseconds / Double(count))
    }

    func median(_ series: Series) -> Double? { nanoseconds[series].map(BenchmarkSupport.median) }

    /// The 95th percentile, where there are enough calls for one.
    func percentile95(_ series: Series) -> Double? {
        guard let sorted = nanoseconds[series]?.sorted(), sorted.count >= 100 else { return nil }
        return sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
    }

    /// So that what comes now and then, the checkpointing of the log, counts.
    func mean(_ series: Series) -> Double? {
        guard let all = nanoseconds[series] else { return nil }
        return all.reduce(0, +) / Double(all.count)
    }
}
