// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import CPace

/// How fast the processor is at the moment, by a loop that is always the same.
///
/// A core of a virtual machine is often half of a real one, and what the other half does is not ours to see: for seconds or
/// minutes at a time everything takes up to twice as long, and code that has much to do in a cycle suffers more than code that
/// waits for its own results, as hashing does. So ratios change too. Turns are therefore chosen by this loop, which knows
/// nothing of what is measured.
final class Pace {
    /// A turn counts as undisturbed up to so many times the shortest time that the loop has ever taken: between what it takes
    /// with a core to itself, and twice as much.
    static let limit = 1.35

    private(set) var fastest = Double.infinity

    /// The nanoseconds of a step now, of the slowest of so many threads that take it at once.
    func current(threads: Int) async -> Double {
        let now = threads == 1 ? Self.step() : await Self.slowest(threads)
        fastest = min(fastest, now)
        return now
    }

    func isUndisturbed(_ pace: Double) -> Bool { pace <= fastest * Self.limit }

    private static func slowest(_ threads: Int) async -> Double {
        await withTaskGroup(of: Double.self) { group in
            for _ in 0..<threads { group.addTask { step() } }
            return await group.reduce(0, max)
        }
    }

    /// A tenth of a millisecond or so, in the thread's own processor time.
    private static func step() -> Double {
        let count: UInt64 = 100_000
        let start = ThreadClock.now
        keep(pace_additions(count))
        return (ThreadClock.now - start).nanoseconds / Double(count)
    }
}
