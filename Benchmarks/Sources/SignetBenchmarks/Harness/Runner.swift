// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Glibc

/// Measures one operation: the contenders take turns in one process, in an order that is drawn anew for each round, so
/// that a busy neighbour or a changing clock rate meets all of them.
///
/// What is taken is the processor time of the process, so that other processes' turns on the same core do not count.
/// Time that a library spends waiting does not count either; where two threads share the work, it is the clock's time.
///
/// Of each contender as many turns count as there are to be rounds: those during which the processor was fastest, by ``Pace``.
struct Runner {
    let rounds: Int
    /// How long each contender runs in each round.
    let turn: Duration
    private let pace = Pace()

    init(rounds: Int, turn: Duration) {
        self.rounds = rounds
        self.turn = turn
    }

    /// Long enough for the clock's own cost to vanish, short enough for many batches in a turn.
    private static let shortestBatch = Duration.milliseconds(1)
    /// Two threads are handed their parts, and the later one is waited for, in each batch: tens of microseconds that have
    /// nothing to do with how the work itself scales.
    private static let shortestParallelBatch = Duration.milliseconds(10)

    /// So many rounds as are asked for, and up to as many again until so many of them are undisturbed.
    func extend(_ series: Series) async throws {
        let operation = series.operation
        let clock: @Sendable () -> Duration = operation.isParallel ? Self.wallTime : Self.processorTime
        let shortest = operation.isParallel ? Self.shortestParallelBatch : Self.shortestBatch
        if series.batchSizes.isEmpty {
            for contender in series.contenders {
                series.batchSizes.append(try await batchSize(contender, clock, shortest))
            }
        }
        let threads = operation.isParallel ? 2 : 1
        var before = await pace.current(threads: threads)
        for count in 1...rounds * 2 {
            for index in series.contenders.indices.shuffled() {
                let time = try await round(series.contenders[index], series.batchSizes[index], clock)
                let after = await pace.current(threads: threads)
                series.turns[index].append(Series.Turn(nanoseconds: time, pace: max(before, after)))
                before = after
            }
            if count >= rounds, isUndisturbed(series) { return }
        }
    }

    /// Whether there are as many turns without a disturbance as are to count.
    func isUndisturbed(_ series: Series) -> Bool {
        series.turns.allSatisfy { $0.count { pace.isUndisturbed($0.pace) } >= rounds }
    }

    /// The median over the turns that count of each turn's median batch, in nanoseconds for one operation.
    func measurement(_ series: Series) -> Measurement {
        let times = zip(series.contenders, series.turns).map { contender, turns in
            let chosen = turns.sorted { $0.pace < $1.pace }.prefix(rounds)
            return Measurement.Time(
                party: contender.party, nanoseconds: median(chosen.map(\.nanoseconds)),
                fastest: chosen.map(\.nanoseconds).min() ?? 0,
                pace: median(chosen.map(\.pace)) / pace.fastest, turnCount: turns.count)
        }
        let count = series.operation.contenders.count
        return Measurement(
            operation: series.operation, times: Array(times.prefix(count)),
            alone: Array(times.dropFirst(count)))
    }

    private func batchSize(_ contender: Contender, _ clock: () -> Duration, _ shortest: Duration) async throws
        -> Int
    {
        var count = 2
        while count < 1 << 24 {
            if try await time(contender, count, clock) >= shortest { return count }
            count *= 2
        }
        return count
    }

    private func round(_ contender: Contender, _ batchSize: Int, _ clock: () -> Duration) async throws
        -> Double
    {
        var batches = [Double]()
        let end = clock() + turn
        repeat {
            batches.append(try await time(contender, batchSize, clock).nanoseconds / Double(batchSize))
        } while clock() < end
        return median(batches)
    }

    private func time(_ contender: Contender, _ count: Int, _ clock: () -> Duration) async throws -> Duration
    {
        let start = clock()
        try await contender.run(count)
        return clock() - start
    }

    private static let origin = ContinuousClock.now

    @Sendable private static func wallTime() -> Duration { ContinuousClock.now - origin }

    /// In steps of a microsecond, a thousandth of the shortest batch.
    @Sendable private static func processorTime() -> Duration {
        .microseconds(Int64(clock()) * 1_000_000 / Int64(CLOCKS_PER_SEC))
    }
}

/// What one operation took.
struct Measurement {
    struct Time {
        let party: Party
        let nanoseconds: Double
        /// The fastest turn, which shows how much they differ.
        let fastest: Double
        /// How the processor was meanwhile: 1 is the fastest that it ever was in this run, 2 takes twice as long.
        let pace: Double
        /// How many turns there were to choose from.
        let turnCount: Int
    }

    let operation: Operation
    let times: [Time]
    /// Of the same work on one thread.
    let alone: [Time]

    /// How many times as fast two threads are as one.
    func scaling(_ party: Party, by time: (Time) -> Double = \.nanoseconds) -> Double? {
        guard let one = alone.first(where: { $0.party == party }),
            let two = times.first(where: { $0.party == party }), time(two) > 0
        else { return nil }
        return time(one) / time(two)
    }

    /// Of the contender whose turns were disturbed most.
    var pace: Double { (times + alone).map(\.pace).max() ?? 0 }

    func nanoseconds(_ party: Party) -> Double? { times.first { $0.party == party }?.nanoseconds }

    /// How many times as long as `other` `party` takes: a ratio of medians of the same run.
    func ratio(_ party: Party, to other: Party) -> Double? {
        guard let a = nanoseconds(party), let b = nanoseconds(other), b > 0 else { return nil }
        return a / b
    }
}
