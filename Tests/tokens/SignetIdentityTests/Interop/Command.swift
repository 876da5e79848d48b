// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms

/// Another program, run to its end.
struct Command {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Outcome {
        let status: Int32
        let output: Data
        let errors: String
    }

    let executable: String

    /// The program of that name in PATH.
    static func find(_ name: String) -> Command? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
            .map { Command(executable: $0) }
    }

    /// Runs it and fails unless it succeeds.
    @discardableResult
    func run(_ arguments: [String], input: Data = Data()) throws -> Data {
        let outcome = try outcome(of: arguments, input: input)
        guard outcome.status == 0 else {
            throw Failure(
                description:
                    "\(executable) \(arguments.joined(separator: " ")): \(outcome.status): \(outcome.errors)"
            )
        }
        return outcome.output
    }

    func outcome(of arguments: [String], input: Data = Data()) throws -> Outcome {
        let outcome = try ChildProgram.run(executable, arguments, input: Array(input))
        return Outcome(
            status: outcome.status, output: Data(outcome.output), errors: outcome.complaint)
    }
}
