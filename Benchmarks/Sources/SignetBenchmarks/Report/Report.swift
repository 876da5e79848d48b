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

    func add(_ measurement: Measurement) {
        json.operations.append(JSONReport.Operation(measurement))
        let line = Self.line(measurement)
        if case .lines = format { print(line) } else { progress(line) }
    }

    func add(_ title: String, _ measurements: [Measurement]) {
        guard case .markdown = format else { return }
        print("\n### \(title)\n\n\(MarkdownReport.table(measurements))")
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
