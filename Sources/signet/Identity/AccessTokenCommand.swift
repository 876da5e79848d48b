// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// `signet accesstoken …`: may a request do what it asks for?
struct AccessTokenCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "accesstoken",
        abstract: "Verify access tokens of Entra, Okta, Keycloak and others.",
        subcommands: [AccessTokenVerifyCommand.self])
}
