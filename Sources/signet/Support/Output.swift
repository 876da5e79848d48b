// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Writes to standard output and standard error. A closed pipe ends the writing, not the process with a signal.
enum Output {
    static func line(_ text: String) { write(Array((text + "\n").utf8), to: FileHandle.standardOutput) }

    static func bytes(_ bytes: [UInt8]) { write(bytes, to: FileHandle.standardOutput) }

    static func errorLine(_ text: String) { write(Array((text + "\n").utf8), to: FileHandle.standardError) }

    static func error(_ failure: CommandFailure) {
        errorLine("signet: \(failure.message) [\(failure.code)]")
        if let advice = failure.advice { errorLine("        \(advice)") }
    }

    private static func write(_ bytes: [UInt8], to handle: FileHandle) {
        try? handle.write(contentsOf: Data(bytes))
    }
}
