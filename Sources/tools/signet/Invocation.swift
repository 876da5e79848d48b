// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
package import SignetBase
internal import SignetJOSE

/// One call of the program: parses the arguments, runs the command, and reports how it ended.
package struct Invocation {
    let arguments: [String]

    package init(arguments: [String]) { self.arguments = arguments }

    /// Runs the invocation, and returns the exit status.
    func run() -> Int32 {
        // A stranger's token may be an argument, and the parser compares arguments as Swift
        // strings, which takes long for many combining characters.
        guard arguments.allSatisfy(\.isStreamSafe) else {
            return report(
                .usage(
                    "An argument has more than 30 combining characters in a row.",
                    advice: "Give such text in a file or on standard input."))
        }
        do {
            var command = try SignetCommand.parseAsRoot(arguments)
            try checkIsNoGroup(command)
            try OpenedVaults.closing { try command.run() }
            return 0
        } catch let status as ExitCode {
            return status.rawValue
        } catch {
            return CommandFailure(thrown: error).map(report) ?? status(error)
        }
    }

    /// Runs the invocation with these streams and this clock instead of the process's own.
    ///
    /// Do not call it for a command that opens a vault or fetches keys, because that blocks a
    /// thread of the caller's pool.
    package func run(with streams: CapturedStreams, clock: TimeSource = .system) -> Int32 {
        CapturedStreams.$current.withValue(streams) {
            CommandClock.$current.withValue(clock) { run() }
        }
    }

    /// Refuses a command that only groups subcommands. By itself it is a usage error and must not
    /// succeed: `signet jws $WHAT` with an empty variable must not look like a verified signature.
    ///
    /// `signet audit` groups subcommands and runs without one as well.
    private func checkIsNoGroup(_ command: any ParsableCommand) throws {
        let configuration = type(of: command).configuration
        guard !configuration.subcommands.isEmpty, !(command is AuditCommand) else { return }
        let name = UnknownCommand.named(by: arguments).words.joined(separator: " ")
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        throw CommandFailure.usage(
            "Say what to do: \(names.map { "\(shown: $0)" }, separator: ", ").",
            advice: "\(name) --help says more.")
    }

    /// Prints what the parser throws: errors in the arguments, but also help, the version and
    /// completion scripts.
    private func status(_ error: any Error) -> Int32 {
        let message = SignetCommand.fullMessage(for: error)
        switch SignetCommand.exitCode(for: error) {
        case .success where arguments.contains(where: Self.isBundle):
            let usage = UsageMessage(arguments)
            let sentence = usage.aboutSecret(message)
            let help = sentence == nil ? "signet --help says which options there are." : nil
            return report(
                .usage(
                    sentence.map { "\(reported: $0)" }
                        ?? "No option has one letter but -h, which stands alone.",
                    advice: usage.runAdvice ?? help))
        case .success where standsAlone:
            if let unknown = unknownInHelp { return report(unknown) }
            do {
                try Output.line(message)
                return 0
            } catch {
                return report(CommandFailure(thrown: error) ?? CommandFailure(unexpected: error))
            }
        case .success:
            // A person who adds --help to a line gets the help, but on standard error, where no
            // script takes it for the answer.
            let isHelp = message.hasPrefix("OVERVIEW: ")
            if isHelp { Output.errorLine(message) }
            let failure = CommandFailure.usage(
                isHelp
                    ? "That is the help; nothing else was done."
                    : "The version and completion scripts are given only when nothing else is asked for.",
                advice:
                    "Give a token on standard input: … < FILE. Put -- before any other argument that may "
                    + "begin with a dash."
            )
            return report(failure)
        case .validationFailure:
            let usage = UsageMessage(arguments)
            let unknown = UnknownCommand(arguments)?.failure
            if let unknown, usage.aboutSecret(message) == nil { return report(unknown) }
            let (text, advice) = usage.redacted(message)
            return report(.usage("\(reported: text)", advice: advice))
        default:
            return report(CommandFailure(unexpected: error))
        }
    }

    /// The failure of a `signet help …` that names no command: the parser shows the help of the
    /// group instead.
    private var unknownInHelp: CommandFailure? {
        guard let first = arguments.first, Self.is(first, "help") else { return nil }
        return UnknownCommand(Array(arguments.dropFirst()))?.failure
    }

    /// Whether the arguments have at most one option.
    ///
    /// Status 0 of `jwt verify --key FILE … "$TOKEN"` means that the token is good. The sender may
    /// choose `--help` as the token, which must not give that status. The same holds for the value
    /// of an option, in every command.
    private var standsAlone: Bool { arguments.count { $0.hasPrefix("-") } <= 1 }

    /// Whether the argument is `-pSECRET` or the like, in which the parser finds `-h` and gives
    /// help, with status 0.
    private static func isBundle(_ argument: String) -> Bool {
        let dash = UInt8(ascii: "-")
        let start = Array(argument.utf8.prefix(3))
        return start.count == 3 && start[0] == dash && start[1] != dash
    }

    /// Compares byte by byte: the failure may be that an argument must not be compared as a string.
    private static func `is`(_ argument: String, _ option: String) -> Bool {
        argument.utf8.elementsEqual(option.utf8)
    }

    private func report(_ failure: CommandFailure) -> Int32 {
        guard !failure.isQuiet else { return failure.status.rawValue }
        let failure = failure.advised(for: UnknownCommand.canonical(arguments))
        let command = UnknownCommand.named(by: arguments).type
        Output.error(failure)
        if arguments.prefix(while: { !Self.is($0, "--") }).contains(where: { Self.is($0, "--json") }
        ) {
            // If standard output itself failed, the message above and the status must be enough.
            var members = failure.members
            if SignetCommand.verdicts.contains(where: { $0 == command }) {
                members["valid"] = false
            }
            try? Output.json(members)
        }
        return failure.status.rawValue
    }
}
