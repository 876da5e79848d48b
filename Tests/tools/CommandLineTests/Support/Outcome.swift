// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import Testing

/// How the program ended, as a process or in the process of the tests, and what it wrote.
struct Outcome: CustomTestStringConvertible {
    let status: Int32
    /// Whether a signal ended it: a crash, whatever the status.
    let wasKilled: Bool
    let output: [UInt8]
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// Standard output without the line end behind it.
    var line: String { text.hasSuffix("\n") ? String(text.dropLast()) : text }

    /// Standard output as JSON, strictly: one object on one line.
    var json: JSONValue {
        get throws {
            #expect(
                text.hasSuffix("}\n") && text.utf8.count { $0 == 0x0a } == 1, "one line: \(text)")
            return try JSONValue(JSONDocument(output).root)
        }
    }

    /// Succeeded, and printed nothing else.
    var isGood: Bool { status == 0 && !wasKilled && errors.isEmpty }

    /// Ended with this status and this code, with a hint of what to do and nothing on standard output.
    func failed(_ status: Int32, _ code: String) -> Bool {
        self.status == status && !wasKilled && output.isEmpty && errors.contains("[\(code)]")
            && errors.hasPrefix("signet: ")
    }

    var testDescription: String {
        "status \(status)\(wasKilled ? " (killed)" : ""), \(output.count) bytes: \(text.prefix(300)), errors: \(errors)"
    }
}

extension JSONValue {
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }

    var names: [String] {
        if case .object(let members) = self { members.keys.sorted() } else { [] }
    }
}
