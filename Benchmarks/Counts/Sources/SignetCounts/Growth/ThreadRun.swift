// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CCounting

/// Measures operations on one thread and on two at once, in turns, by the clock: what two threads get done together
/// cannot be seen in processor time.
struct ThreadRun {
    let rounds: Int
    let milliseconds: Double

    func measure(_ contenders: [Contender]) async throws -> [Point] {
        var counts = [Int]()
        for contender in contenders {
            _ = try await time(contender, 1000)
            counts.append(max(Int(5000 * milliseconds * 1e6 / (try await time(contender, 5000))), 1))
        }
        var results = [[Double]](repeating: [], count: contenders.count)
        var order = Array(contenders.indices)
        for _ in 0..<rounds {
            order.shuffle()
            for index in order {
                let (contender, count) = (contenders[index], counts[index])
                let time = try await time(contender, count)
                results[index].append(time / Double(count * contender.threads))
            }
        }
        return zip(contenders, results).map { Point(contender: $0, nanoseconds: median($1)) }
    }

    /// Nanoseconds from the start of the first thread to the end of the last; `count` operations in each.
    private func time(_ contender: Contender, _ count: Int) async throws -> Double {
        try await withThrowingTaskGroup(of: (start: UInt64, end: UInt64).self) { group in
            for _ in 0..<contender.threads {
                group.addTask {
                    let operation = try contender.prepare()
                    let start = counting_clock()
                    for _ in 0..<count {
                        guard try operation() else { throw CountsError.wrongAnswer("threads") }
                    }
                    return (start, counting_clock())
                }
            }
            var (first, last) = (UInt64.max, UInt64(0))
            for try await (start, end) in group { (first, last) = (min(first, start), max(last, end)) }
            return Double(last - first)
        }
    }
}
