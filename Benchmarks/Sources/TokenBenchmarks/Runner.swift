// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport

/// Measures one operation: the contenders take turns in one process, in an order that is drawn anew
/// for each round, so that a busy neighbour or a changing clock rate meets all of them.
///
/// What is taken is the processor time of the process, so that other processes' turns on the same
/// core do not count. Time that a library spends waiting does not count either; where two threads
/// share the work, it is the clock's time.
struct Runner {
    let rounds: Int
    /// How long each contender runs in each round.
    let turn: Duration

    func measure(_ operation: Operation) async throws -> Measurement {
        let clock = operation.isParallel ? Self.wallTime : processorTime
        // Long enough for the clock's own cost to vanish. Two threads are handed their parts, and
        // the later one is waited for, in each batch: tens of microseconds that have nothing to do
        // with how the work itself scales.
        let shortest = Duration.milliseconds(operation.isParallel ? 10 : 1)
        var sizes = [Int]()
        for contender in operation.contenders {
            var count = 2
            while try await time(contender, count, clock) < shortest { count *= 2 }
            sizes.append(count)
        }
        var turns = operation.contenders.map { _ in [Double]() }
        for _ in 0..<rounds {
            for index in turns.indices.shuffled() {
                var batches = [Double]()
                let end = clock() + turn
                repeat {
                    let taken = try await time(operation.contenders[index], sizes[index], clock)
                    batches.append(taken.nanoseconds / Double(sizes[index]))
                } while clock() < end
                turns[index].append(median(batches))
            }
        }
        return Measurement(
            operation: operation,
            times: zip(operation.contenders, turns).map {
                Measurement.Time(party: $0.party, nanoseconds: median($1), fastest: $1.min() ?? 0)
            })
    }

    private func time(_ contender: Contender, _ count: Int, _ clock: () -> Duration) async throws
        -> Duration
    {
        let start = clock()
        try await contender.run(count)
        return clock() - start
    }

    private static let origin = ContinuousClock.now
    private static func wallTime() -> Duration { ContinuousClock.now - origin }
}

/// What one operation took, in nanoseconds.
struct Measurement {
    struct Time {
        let party: Party
        /// The median over the turns of each turn's median batch.
        let nanoseconds: Double
        let fastest: Double
    }

    let operation: Operation
    let times: [Time]

    func time(_ party: Party) -> Time? { times.first { $0.party == party } }

    /// How many times as long as `other` `party` takes: a ratio of medians of the same run.
    func ratio(_ party: Party, to other: Party) -> Double? {
        guard let a = time(party), let b = time(other), b.nanoseconds > 0 else { return nil }
        return a.nanoseconds / b.nanoseconds
    }
}
