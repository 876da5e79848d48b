// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// `signet jwk …`: keys.
struct JWKCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "jwk", abstract: "Make, convert and identify keys (JWK and PEM).",
        subcommands: [
            JWKGenerateCommand.self, JWKPublicCommand.self, JWKThumbprintCommand.self,
            JWKConvertCommand.self,
        ])
}
