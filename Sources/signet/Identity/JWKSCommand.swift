// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// `signet jwks …`: keys that others publish.
struct JWKSCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "jwks", abstract: "Fetch the keys that an issuer publishes.",
        subcommands: [JWKSFetchCommand.self])
}
