// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation

/// What one rotation took.
struct Cost {
    /// By the clock.
    var nanoseconds: Double
    /// Of the processor, in this process, as nanoseconds.
    let processor: Double
    /// How often a thread of this process gave up the processor to wait.
    let waits: Double
}

/// The clocks and the count at one moment.
struct Reading {
    private let time = ContinuousClock.now
    private let processor = processorTime()
    private let waits = voluntarySwitches()

    static var now: Reading { Reading() }

    /// What was spent since then, for each of so many.
    func cost(of count: Int) -> Cost {
        let later = Reading.now
        let count = Double(count)
        return Cost(
            nanoseconds: (later.time - time).nanoseconds / count,
            processor: (later.processor - processor).nanoseconds / count,
            waits: Double(later.waits - waits) / count)
    }
}

/// The figures of one engine, with so many sessions at once.
struct Row {
    let taken: [String]
    let spent: [String]

    init(_ name: String, _ ours: [Cost], _ floors: [Cost]) {
        // What else the machine does makes times longer, never shorter.
        let one = ours.map(\.nanoseconds).min() ?? 0
        let other = floors.map(\.nanoseconds).min() ?? 1
        func medians(_ value: (Cost) -> Double) -> (ours: Double, floor: Double) {
            (median(ours.map(value)), median(floors.map(value)))
        }
        let times = medians(\.nanoseconds)
        let processor = medians(\.processor)
        let waits = medians(\.waits)
        taken = [
            name, Figures.time(one), Figures.time(other), Figures.ratio(one / other),
            Figures.ratio(times.ours / times.floor), String(format: "%.0f", 1e9 / one),
        ]
        spent = [
            name, Figures.time(processor.ours), Figures.time(processor.floor),
            Figures.ratio(processor.ours / processor.floor), String(format: "%.1f", waits.ours),
            String(format: "%.1f", waits.floor),
        ]
    }
}
