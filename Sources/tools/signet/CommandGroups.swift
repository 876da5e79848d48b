// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

// The commands that only group others. To call such a command by itself is a usage error
// (``Invocation``).

/// `signet jwk …`: keys.
struct JWKCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwk", abstract: "Make, convert and identify keys (JWK and PEM).",
        subcommands: [
            JWKGenerateCommand.self, JWKPublicCommand.self, JWKThumbprintCommand.self,
            JWKConvertCommand.self,
        ])
}

/// `signet jws …`: signatures over any payload.
struct JWSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jws", abstract: "Sign and verify any payload (RFC 7515, compact form).",
        subcommands: [JWSSignCommand.self, JWSVerifyCommand.self])
}

/// `signet jwe …`: any payload, encrypted.
struct JWECommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwe", abstract: "Encrypt and decrypt any payload (RFC 7516, compact form).",
        subcommands: [JWEEncryptCommand.self, JWEDecryptCommand.self])
}

/// `signet jwt …`: tokens with claims.
struct JWTCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwt", abstract: "Sign, verify and look at JSON Web Tokens (RFC 7519).",
        subcommands: [JWTSignCommand.self, JWTVerifyCommand.self, JWTInspectCommand.self])
}

/// `signet idtoken …`: who has signed in.
struct IDTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idtoken",
        abstract: "Verify ID tokens of Google, Apple, Microsoft and others.",
        subcommands: [IDTokenVerifyCommand.self])
}

/// `signet accesstoken …`: may a request do what it asks for?
struct AccessTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accesstoken",
        abstract: "Verify access tokens of Entra, Okta, Keycloak and others.",
        subcommands: [AccessTokenVerifyCommand.self])
}

/// `signet jwks …`: keys that an issuer publishes.
struct JWKSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwks", abstract: "Fetch the keys that an issuer publishes.",
        subcommands: [JWKSFetchCommand.self])
}

/// `signet email …`: which company an address belongs to.
struct EmailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "email",
        abstract: "Check e-mail addresses (RFC 5321) against allowed domains.",
        subcommands: [EmailCheckCommand.self])
}

/// `signet vault …`: stored secrets.
struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Keep secrets in a sealed file or in the desktop's keyring.",
        discussion: """
            The vault is $SIGNET_VAULT, or else vault.signet in the folder signet of \
            $XDG_DATA_HOME or ~/.local/share. --vault names another; options follow the \
            subcommand. Several processes may use a vault at once. Copy it with 'signet vault \
            backup': while a program has it open, recent writes are in the -wal file beside it. \
            Documentation/VAULT-FORMAT.md describes the format.

            EXAMPLES
              signet vault init
              signet vault set api.example/me --prompt
              TOKEN=$(signet vault get api.example/me)
              signet vault list
              signet vault verify
              signet vault backup --output backup.signet
            """,
        subcommands: [
            VaultInitCommand.self, VaultSetCommand.self, VaultGetCommand.self,
            VaultListCommand.self,
            VaultSearchCommand.self, VaultCopyCommand.self, VaultRemoveCommand.self,
            VaultPasswdCommand.self,
            VaultSlotCommand.self,
            VaultRotateCommand.self, VaultVerifyCommand.self, VaultExportCommand.self,
            VaultImportCommand.self, VaultMigrateCommand.self, VaultBackupCommand.self,
            VaultRestoreCommand.self, VaultSalvageCommand.self, VaultCompactCommand.self,
        ])
}

/// `signet vault slot …`: the ways into a vault.
struct VaultSlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slot", abstract: "The ways into a vault: show, add, remove.",
        subcommands: [
            VaultSlotListCommand.self, VaultSlotAddCommand.self, VaultSlotRemoveCommand.self,
        ])
}

/// `signet vault rotate …`
struct VaultRotateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace the keys that everything is sealed with.",
        subcommands: [VaultRotateDataCommand.self, VaultRotateRootCommand.self])
}
