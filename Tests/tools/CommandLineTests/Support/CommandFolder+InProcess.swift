// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import signet

extension CommandFolder {
    /// Runs the command line in the process of the tests, without starting the program.
    ///
    /// For what the parser and the checks after it decide: usage mistakes, help, completion. It
    /// runs in the folder of the tests, so name files under ``nowhere``: a mistake in the program
    /// then writes none.
    static func inProcess(_ arguments: [String], input: [UInt8] = []) -> Outcome {
        let streams = CapturedStreams(input: input)
        let status = Invocation(arguments: arguments).run(with: streams)
        let outcome = Outcome(
            status: status, wasKilled: false, output: streams.output,
            errors: String(decoding: streams.errors, as: UTF8.self))
        outcome.checkAdvice(of: arguments)
        return outcome
    }

    /// Runs the words of a line.
    static func inProcess(_ line: String, input: String = "") -> Outcome {
        inProcess(line.split(separator: " ").map(String.init), input: Array(input.utf8))
    }

    /// A folder that does not exist.
    static let nowhere = "/nonexistent/signet"
}
