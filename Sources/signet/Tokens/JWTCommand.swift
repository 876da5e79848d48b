// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// `signet jwt …`: tokens with claims.
struct JWTCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "jwt", abstract: "Sign, verify and look at JSON Web Tokens (RFC 7519).",
        subcommands: [JWTSignCommand.self, JWTVerifyCommand.self, JWTInspectCommand.self])

    /// The longest token in bytes, for signing as well as for verifying.
    static let maximumTokenByteCount = 262_144
}
