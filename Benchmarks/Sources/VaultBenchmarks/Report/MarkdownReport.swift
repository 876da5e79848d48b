// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport

/// The tables of Documentation/PERFORMANCE.md.
struct MarkdownReport {
    let report: Report

    var text: String {
        let environment = report.environment
        let head = ["Operation"] + report.results.map { Figures.grouped($0.itemCount) } + ["Goal"]
        let rows = ScaleTable(results: report.results).rows.map { row([$0.title] + $0.cells + [$0.goal]) }
        return
            ([
                row(["Processor", "Cores", "System", "libcrypto", "SQLite", "Swift"]),
                "|---|---|---|---|---|---|",
                row([
                    environment.processor, String(environment.coreCount), environment.system,
                    environment.libcrypto,
                    report.sqlite, environment.swift,
                ]), "", row(head), "|---|" + String(repeating: "--:|", count: report.results.count) + "---|",
            ] + rows).joined(separator: "\n")
    }

    private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
