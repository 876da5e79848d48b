// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// A command that only holds others. By itself it is a mistake, and no success: `signet jws $WHAT` with an empty
/// variable must not look like a signature that verified.
protocol CommandGroup: ParsableCommand {}

extension CommandGroup {
    func run() throws {
        let name =
            Self.configuration.commandName.map { $0 == "signet" ? "signet" : "signet \($0)" }
            ?? "signet"
        let names = Self.configuration.subcommands.compactMap { $0.configuration.commandName }
        throw CommandFailure.usage(
            "Say what to do: \(names.joined(separator: ", ")).",
            advice: "\(name) --help tells more.")
    }
}
