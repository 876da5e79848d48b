// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import signet

extension CommandFolder {
    /// Runs the command line in the process of the tests, without starting the program.
    ///
    /// For what the parser and the checks after it decide: usage mistakes, help, completion. It
    /// runs in the folder of the tests, so name files under ``nowhere``: a mistake in the program
    /// then writes none.
    ///
    /// - Parameter clock: the command's clock; nil for the program's own.
    static func inProcess(
        _ arguments: [String], input: [UInt8] = [], clock: TimeSource? = nil
    ) -> Outcome {
        let streams = CapturedStreams(input: input)
        let invocation = Invocation(arguments: arguments)
        let status =
            clock.map { invocation.run(with: streams, clock: $0) } ?? invocation.run(with: streams)
        let outcome = Outcome(
            status: status, wasKilled: false, output: streams.output,
            errors: String(decoding: streams.errors, as: UTF8.self))
        outcome.checkAdvice(of: arguments)
        return outcome
    }

    /// Runs the words of a line.
    static func inProcess(
        _ line: String, input: String = "", clock: TimeSource? = nil
    ) -> Outcome {
        inProcess(
            line.split(separator: " ").map(String.init), input: Array(input.utf8), clock: clock)
    }

    /// A folder that does not exist.
    static let nowhere = "/nonexistent/signet"
}
