// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The rows of Documentation/FACTORS.md that say what a code of Twilio's means for a message.
struct ProviderTable {
    let code: Int
    let status: Int
    let isFinal: Bool

    static func read() throws -> [ProviderTable] {
        let path = FileManager.default.currentDirectoryPath + "/Documentation/FACTORS.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            // | 21610 | 400 | meaning | ends |
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 4, let code = Int(cells[0]), let status = Int(cells[1]),
                ["ends", "retried"].contains(cells[3])
            else { return nil }
            return ProviderTable(code: code, status: status, isFinal: cells[3] == "ends")
        }
    }
}
