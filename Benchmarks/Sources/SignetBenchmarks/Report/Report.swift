// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation

/// Prints what was measured: line by line for a person, or in one piece for a document or a program.
final class Report {
    private let format: Options.Format
    private var json = JSONReport()

    init(format: Options.Format) { self.format = format }

    func begin(environment: Environment, coexistence: String) {
        json.environment = environment
        json.coexistence = coexistence
        switch format {
        case .lines: print(coexistence, terminator: "\n\n")
        case .markdown: print(MarkdownReport.environment(environment), coexistence, separator: "\n\n")
        case .json: progress(coexistence)
        }
    }

    /// What a row is so far: more turns may follow.
    func progress(_ measurement: Measurement) { progress(Self.line(measurement)) }

    func add(_ title: String, _ measurements: [Measurement]) {
        json.operations += measurements.map(JSONReport.Operation.init)
        switch format {
        case .lines: for measurement in measurements { print(Self.line(measurement)) }
        case .markdown: print("\n### \(title)\n\n\(MarkdownReport.table(measurements))")
        case .json: break
        }
    }

    func add(_ memory: [MemoryMeasurement]) {
        json.memory = memory
        switch format {
        case .lines: for one in memory { print("\(one.title): \(one.kibibytes) KiB") }
        case .markdown: print("\n### Refusing a hostile token\n\n\(MarkdownReport.table(memory))")
        case .json: break
        }
    }

    func end() {
        guard case .json = format else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(json) else { return }
        print(String(decoding: data, as: UTF8.self))
    }

    private func progress(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    private static func line(_ measurement: Measurement) -> String {
        var line = measurement.operation.identifier.padding(toLength: 30, withPad: " ", startingAt: 0)
        for time in measurement.times {
            line += "  \(time.party.rawValue) \(Figures.time(time.nanoseconds))"
            if time.party != .signet, let ratio = measurement.ratio(time.party, to: .signet) {
                line += " (\(Figures.ratio(ratio)))"
            }
        }
        let turns = measurement.times.map(\.turnCount).max() ?? 0
        line += "  at pace \(String(format: "%.2f", measurement.pace)), of \(turns) turns"
        for goal in measurement.operation.goals {
            if let text = MarkdownReport.verdict(goal, measurement) { line += "  [\(text)]" }
        }
        return line
    }
}
