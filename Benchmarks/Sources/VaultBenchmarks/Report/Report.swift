// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation

/// Prints what was measured.
struct Report: Codable {
    let environment: Environment
    let sqlite: String
    let results: [ScaleResult]

    init(results: [ScaleResult]) {
        environment = .current()
        sqlite = BareDatabase.libraryVersion
        self.results = results
    }

    func show(_ format: Options.Format) {
        switch format {
        case .markdown: print(MarkdownReport(report: self).text)
        case .lines:
            for row in ScaleTable(results: results).rows {
                print(row.title)
                for (result, cell) in zip(results, row.cells) where !cell.isEmpty {
                    print("  \(result.itemCount) items: \(cell)")
                }
                if !row.goal.isEmpty { print("  goal \(row.goal)") }
            }
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            guard let data = try? encoder.encode(self) else { return }
            print(String(decoding: data, as: UTF8.self))
        }
    }
}
