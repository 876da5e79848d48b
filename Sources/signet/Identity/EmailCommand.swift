// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// `signet email …`: whose company an address is of.
struct EmailCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "email", abstract: "Judge e-mail addresses (RFC 5321) by their domains.",
        subcommands: [EmailCheckCommand.self])
}
