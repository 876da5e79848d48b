// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How figures and tables are written.
package enum Figures {
    package static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1e3: String(format: "%.0f ns", nanoseconds)
        case ..<1e6: String(format: "%.2f µs", nanoseconds / 1e3)
        case ..<1e9: String(format: "%.2f ms", nanoseconds / 1e6)
        default: String(format: "%.2f s", nanoseconds / 1e9)
        }
    }

    package static func ratio(_ value: Double) -> String { String(format: "%.2f ×", value) }

    /// In MB of 10^6 bytes, or KB.
    package static func size(_ byteCount: Int) -> String {
        byteCount < 1_000_000
            ? String(format: "%.0f KB", Double(byteCount) / 1e3)
            : String(format: "%.1f MB", Double(byteCount) / 1e6)
    }

    /// With a space between thousands.
    package static func grouped(_ number: Int) -> String {
        var text = String(number)
        var end = text.endIndex
        while let place = text.index(end, offsetBy: -3, limitedBy: text.startIndex),
            place > text.startIndex
        {
            text.insert(" ", at: place)
            end = place
        }
        return text
    }

    /// A table of Markdown, its first column to the left and the others to the right.
    package static func table(_ head: [String], _ rows: [[String]]) -> String {
        let lines = ([head] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
        let rule = "|---|" + String(repeating: "--:|", count: head.count - 1)
        return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
    }

    /// For people who wait: tables come at the end.
    package static func progress(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
