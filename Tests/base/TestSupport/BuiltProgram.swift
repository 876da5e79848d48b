// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms

/// A program of this package, which SwiftPM puts beside the tests.
package enum BuiltProgram {
    package static func path(_ name: String) -> String {
        var tests = Swift.CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        if let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            tests.append(own)
        }
        let places = tests.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().path + "/" + name
        }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? name
    }

    /// What it writes to standard output until its end, by lines.
    package static func lines(_ name: String, _ arguments: [String]) throws -> (
        status: Int32, lines: [String]
    ) {
        let program = try PipedProgram(path(name), arguments)
        var output = Data()
        program.read { output += $0 }
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        return (program.wait().status, lines.map(String.init))
    }
}
