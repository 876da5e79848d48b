// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Takes the processor time of the process, as all contenders do.
enum Stopwatch {
    /// The median over batches of at least 1 ms, in nanoseconds for one call.
    static func measure<Answer>(milliseconds: Double, _ call: () throws -> Answer) rethrows -> Double {
        func batch(_ count: Int) throws -> Double {
            let start = processorTime
            for _ in 0..<count { keep(try call()) }
            return processorTime - start
        }
        var count = 2
        while try batch(count) < 1e6 { count *= 2 }
        var figures = [Double]()
        let end = processorTime + milliseconds * 1e6
        while processorTime < end { figures.append(try batch(count) / Double(count)) }
        return figures.sorted()[figures.count / 2]
    }

    /// In nanoseconds and steps of a microsecond, a thousandth of the shortest batch.
    private static var processorTime: Double { Double(clock()) * 1e9 / Double(CLOCKS_PER_SEC) }

    /// Makes the optimiser believe that the value is needed.
    @inline(never)
    @_optimize(none)
    private static func keep<Value>(_ value: Value) {}
}
