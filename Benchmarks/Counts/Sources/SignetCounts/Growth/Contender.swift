// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One point of a plot: the same operation over and over.
struct Contender {
    /// Which plot, which line in it, and where on the line.
    let chart: String
    let series: String
    let x: Int
    /// Threads that work at once; each makes its own operation.
    var threads = 1
    let prepare: @Sendable () throws -> () throws -> Bool
}

/// What was measured at one point: nanoseconds for one operation, processor time with one thread and by the clock
/// with several.
struct Point {
    let contender: Contender
    let nanoseconds: Double

    /// As a line of the table that bench-growth.sh writes.
    var line: String {
        "\(contender.chart),\(contender.series),\(contender.x),\(Int((nanoseconds * 10).rounded()))"
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
