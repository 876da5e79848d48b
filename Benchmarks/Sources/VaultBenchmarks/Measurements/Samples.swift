// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport

/// Times of single calls, in nanoseconds by the clock: what a caller waits for.
struct Samples: Codable {
    private(set) var count = 0
    private(set) var median = 0.0
    private(set) var percentile95 = 0.0
    private(set) var mean = 0.0

    init(_ nanoseconds: [Double]) {
        let sorted = nanoseconds.sorted()
        guard !sorted.isEmpty else { return }
        count = sorted.count
        median = BenchmarkSupport.median(sorted)
        percentile95 = sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
        mean = sorted.reduce(0, +) / Double(sorted.count)
    }
}

/// What was timed.
enum Series: String, Codable, CodingKeyRepresentable {
    case replace, bareReplace, add, bareAdd, remove
    /// Nanoseconds for one item of a transaction of 1000.
    case batchAdd, bareBatchAdd, batchReplace, bareBatchReplace
    case lazy, strict, absent, lazyAfterWrite, strictAfterWrite, bareRead
    case listLazy, listStrict, bareList
    case open, openAndRead
    case slotExchange
    case verify
}

/// What one size of vault costs.
struct ScaleResult: Codable {
    let itemCount: Int
    var times = [Series: Samples]()
    /// Processor time of writes, which for the most part wait.
    var processorTimes = [Series: Samples]()
    var vaultByteCount = 0
    var bareByteCount = 0
    /// Peak of the resident memory of a process of its own, in bytes.
    var memory = [MemoryProbe.Work: Int]()

    init(itemCount: Int) { self.itemCount = itemCount }
}

/// Collects times by series.
struct Stopwatch {
    private var times = [Series: [Double]]()
    private var processorTimes = [Series: [Double]]()

    /// Takes one call's time.
    mutating func time<R>(_ series: Series, _ body: () throws -> R) rethrows {
        let start = ContinuousClock.now
        _ = try body()
        let elapsed = ContinuousClock.now - start
        times[series, default: []].append(elapsed.nanoseconds)
    }

    /// Takes the time of one call that writes so many items, and how much of it is the processor's.
    mutating func timeWriting<R>(_ series: Series, count: Int = 1, _ body: () throws -> R) rethrows {
        let processorStart = ThreadClock.now
        let start = ContinuousClock.now
        _ = try body()
        let elapsed = ContinuousClock.now - start
        let processor = ThreadClock.now - processorStart
        times[series, default: []].append(elapsed.nanoseconds / Double(count))
        processorTimes[series, default: []].append(processor.nanoseconds / Double(count))
    }

    func record(in result: inout ScaleResult) {
        for (series, values) in times { result.times[series] = Samples(values) }
        for (series, values) in processorTimes { result.processorTimes[series] = Samples(values) }
    }
}
