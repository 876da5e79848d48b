// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CCounting

/// Measures the points of one plot in turns: in each round all of them, in an order drawn anew, so that a busy
/// moment of the machine falls on all lines alike. A point is the median of its rounds.
struct GrowthRun {
    let rounds: Int
    /// How long a point is measured in one round.
    let milliseconds: Double

    func measure(_ contenders: [Contender]) throws -> [Point] {
        var runners = try contenders.map { try Runner($0, milliseconds: milliseconds) }
        var order = Array(runners.indices)
        for _ in 0..<rounds {
            order.shuffle()
            for index in order { try runners[index].runRound() }
        }
        return runners.map { Point(contender: $0.contender, nanoseconds: median($0.results)) }
    }
}

/// One point and its rounds so far.
private struct Runner {
    let contender: Contender
    private let operation: () throws -> Bool
    private let count: Int
    private(set) var results = [Double]()

    init(_ contender: Contender, milliseconds: Double) throws {
        self.contender = contender
        operation = try contender.prepare()
        try Self.run(operation, 20)
        var (count, time) = (1, 0.0)
        repeat {
            count *= 2
            time = try Self.time(operation, count)
        } while time < milliseconds * 1e6 / 4
        self.count = max(Int(Double(count) * milliseconds * 1e6 / time), 1)
    }

    mutating func runRound() throws { results.append(try Self.time(operation, count) / Double(count)) }

    private static func time(_ operation: () throws -> Bool, _ count: Int) throws -> Double {
        let start = counting_thread_clock()
        try run(operation, count)
        return Double(counting_thread_clock() - start)
    }

    private static func run(_ operation: () throws -> Bool, _ count: Int) throws {
        for _ in 0..<count {
            guard try operation() else { throw CountsError.wrongAnswer("growth") }
        }
    }
}
