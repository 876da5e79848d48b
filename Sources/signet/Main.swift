// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation

/// Runs a command and turns what it throws into the documented exit status.
@main
enum Main {
    static func main() {
        do {
            var command = try SignetCommand.parseAsRoot()
            try command.run()
        } catch let failure as CommandFailure {
            Output.error(failure)
            exit(failure.status.rawValue)
        } catch let status as ExitCode {
            exit(status.rawValue)
        } catch {
            // Help, the version and completion scripts arrive here as well, as what is not an error.
            let isHelp = SignetCommand.exitCode(for: error).isSuccess
            let message = SignetCommand.fullMessage(for: error)
            isHelp ? Output.line(message) : Output.errorLine(message)
            exit(isHelp ? 0 : CommandFailure.Status.usage.rawValue)
        }
    }
}
