// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// `signet idtoken …`: who has signed in.
struct IDTokenCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "idtoken",
        abstract: "Verify ID tokens of Google, Apple, Microsoft and others.",
        subcommands: [IDTokenVerifyCommand.self])
}
