// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation

/// The command `auth-server`.
@main
struct AuthServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth-server",
        abstract: "Signs people in with Google's ID tokens and gives them session tokens.",
        discussion: """
            Settings come from the environment; options go before it.

              GOOGLE_CLIENT_ID         OAuth client identifiers, with commas between them (required)
              AUTH_ISSUER              this server's own address, https (required)
              AUTH_AUDIENCE            the audience of session tokens (AUTH_ISSUER/session)
              AUTH_ALLOWED_DOMAINS     whose addresses may sign in: company.example, *.partner.example (everybody)
              AUTH_DATABASE            the SQLite file with people and sessions (required)
              AUTH_VAULT               the vault with the signing keys (required), opened by one of:
              AUTH_VAULT_KEY_FILE        a key file; made at the first start
              AUTH_VAULT_CREDENTIAL      the name of a systemd credential
              AUTH_VAULT_PASSPHRASE      a passphrase
              AUTH_HOST, AUTH_PORT     where it listens (127.0.0.1, 8080); TLS is the business of a proxy in front
              AUTH_KEY_REREAD_SECONDS  how soon a rotation is noticed without SIGHUP (60)
              AUTH_MAX_CONNECTIONS     (1000)
              AUTH_IDLE_SECONDS        (30)
              AUTH_LOG_LEVEL           trace, debug, info, notice, warning, error, critical (info)
              AUTH_DEV_ISSUER          for development: an OpenID provider on loopback in Google's place
            """,
        subcommands: [Serve.self, RotateKeys.self], defaultSubcommand: Serve.self)
}

extension AuthServerCommand {
    /// What is wrong with the configuration goes to standard error, and the status is that of sysexits' EX_CONFIG.
    static func fail(_ sentence: String) -> ExitCode {
        try? FileHandle.standardError.write(contentsOf: Data("auth-server: \(sentence)\n".utf8))
        return ExitCode(78)
    }
}
