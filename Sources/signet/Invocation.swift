// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// One call of the program: parses the arguments, runs the command, and tells how it ended.
package struct Invocation {
    let arguments: [String]

    package init(arguments: [String]) { self.arguments = arguments }

    /// The exit status.
    func run() -> Int32 {
        var command: (any ParsableCommand)?
        do {
            var parsed = try SignetCommand.parseAsRoot(arguments)
            command = parsed
            try parsed.run()
            return 0
        } catch let status as ExitCode {
            return status.rawValue
        } catch let failure as CommandFailure {
            return report(failure, command)
        } catch {
            return answer(error, command)
        }
    }

    /// Prints what arrives as an error of the parser's: what is wrong with the arguments, but also help, the version
    /// and completion scripts.
    private func answer(_ error: any Error, _ command: (any ParsableCommand)?) -> Int32 {
        let message = SignetCommand.fullMessage(for: error)
        switch SignetCommand.exitCode(for: error) {
        case .success where standsAlone:
            do {
                try Output.line(message)
                return 0
            } catch {
                return report((error as? CommandFailure) ?? CommandFailure(unexpected: error), nil)
            }
        case .success:
            let status = report(
                .usage(
                    "Nothing was done: help, the version and completion scripts stand alone for status 0.",
                    advice:
                        "Put -- before an argument that may begin with a dash: … --key FILE -- \"$TOKEN\""),
                command)
            // At the end of a half-written line it is what was wanted, and it is no verdict.
            Output.errorLines(message)
            return status
        case .validationFailure:
            return report(.usage(UsageMessage(arguments).redacted(message)), command)
        default:
            return report(CommandFailure(unexpected: error), command)
        }
    }

    /// Whether there is one option at most.
    ///
    /// Status 0 of `jwt verify --key FILE … "$TOKEN"` means that the token is good: a token `--help`, which is
    /// whoever's who sent it, must not give that status.
    private var standsAlone: Bool { arguments.count { $0.hasPrefix("-") } <= 1 }

    private func report(_ failure: CommandFailure, _ command: (any ParsableCommand)?) -> Int32 {
        Output.error(failure)
        if arguments.prefix(while: { $0 != "--" }).contains("--json") {
            // When standard output itself is what failed, the message above and the status have to do.
            try? Output.line(failure.json(isVerdict: command is any Verdict))
        }
        return failure.status.rawValue
    }
}

/// A command that answers yes or no: its JSON says `valid` however it ends.
protocol Verdict: ParsableCommand {}
