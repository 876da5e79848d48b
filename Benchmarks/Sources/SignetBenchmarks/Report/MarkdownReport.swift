// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation

/// The tables of Documentation/PERFORMANCE.md.
enum MarkdownReport {
    static func environment(_ environment: Environment) -> String {
        """
        | Processor | Cores | System | libcrypto | Swift |
        |---|---|---|---|---|
        | \(environment.processor) | \(environment.coreCount) | \(environment.system) | \(environment.libcrypto) | \(environment.swift) |
        """
    }

    static func table(_ measurements: [Measurement]) -> String {
        let parties = Party.allCases.filter { party in
            measurements.contains { $0.nanoseconds(party) != nil }
        }
        let peer = parties.first { $0 == .jwtKit || $0 == .swiftCrypto }
        var head = ["Operation"] + parties.map(\.title)
        if let peer { head.append("\(peer.title) ÷ Signet") }
        head += ["Signet ÷ raw libcrypto", "Goal", "Pace"]
        var lines = [row(head), "|---|" + String(repeating: "--:|", count: head.count - 3) + "---|--:|"]
        for measurement in measurements {
            var cells = [measurement.operation.title]
            cells += parties.map { measurement.nanoseconds($0).map(Figures.time) ?? "" }
            if let peer { cells.append(measurement.ratio(peer, to: .signet).map(Figures.ratio) ?? "") }
            cells.append(measurement.ratio(.signet, to: .libcrypto).map(Figures.ratio) ?? "")
            cells.append(
                measurement.operation.goals.compactMap { verdict($0, measurement) }.joined(separator: "; "))
            cells.append(String(format: "%.2f", measurement.pace))
            lines.append(row(cells))
        }
        return lines.joined(separator: "\n")
    }

    static func table(_ memory: [MemoryMeasurement]) -> String {
        let lines = memory.map { row([$0.token, $0.party, "\($0.kibibytes) KiB", $0.goal ?? ""]) }
        return ([row(["Token", "Verifier", "Peak memory grows by", "Goal"]), "|---|---|--:|---|"] + lines)
            .joined(separator: "\n")
    }

    /// The goal and whether this run reached it.
    static func verdict(_ goal: Goal, _ measurement: Measurement) -> String? {
        switch goal {
        case .faster(let times, let party):
            guard let ratio = measurement.ratio(party, to: .signet) else { return nil }
            return "≥ \(short(times)) × \(party.title): \(ratio >= times ? "reached" : "missed")"
        case .within(let times, let party):
            guard let ratio = measurement.ratio(.signet, to: party) else { return nil }
            return "≤ \(short(times)) × \(party.title): \(ratio <= times ? "reached" : "missed")"
        case .scaling(let part, let party):
            guard let own = measurement.scaling(.signet), let floor = measurement.scaling(party),
                let ownBest = measurement.scaling(.signet, by: \.fastest),
                let floorBest = measurement.scaling(party, by: \.fastest)
            else { return nil }
            return
                "two threads are \(Figures.ratio(own)) one, \(party.title) \(Figures.ratio(floor)) "
                + "(fastest turns: \(Figures.ratio(ownBest)), \(Figures.ratio(floorBest))); ≥ \(short(part)) of that: "
                + (own >= part * floor ? "reached" : "missed")
        }
    }

    private static func short(_ number: Double) -> String { String(format: "%g", number) }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
