// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// `signet jws …`: signatures over any payload.
struct JWSCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "jws", abstract: "Sign and verify any payload (RFC 7515, compact form).",
        subcommands: [JWSSignCommand.self, JWSVerifyCommand.self])
}
