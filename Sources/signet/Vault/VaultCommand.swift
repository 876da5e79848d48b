// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// `signet vault …`: secrets that are kept.
struct VaultCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Keep secrets in a sealed file or in the desktop's keyring.",
        discussion: """
            The vault is $SIGNET_VAULT, else vault.signet in the folder signet of $XDG_DATA_HOME or ~/.local/share; \
            --vault names another, behind the subcommand as every option. Several processes may \
            use it at once. Copy it with 'signet vault backup': while a program has it open, what \
            was written last is in the -wal file beside it. The format: \
            Documentation/VAULT-FORMAT.md.

            EXAMPLES
              signet vault init
              signet vault set --service api.example --account me --prompt
              TOKEN=$(signet vault get --service api.example --account me)
              signet vault list
              signet vault verify
              signet vault backup --output backup.signet
            """,
        subcommands: [
            VaultInitCommand.self, VaultSetCommand.self, VaultGetCommand.self,
            VaultListCommand.self,
            VaultSearchCommand.self, VaultRemoveCommand.self, VaultPasswdCommand.self,
            VaultSlotCommand.self,
            VaultRotateCommand.self, VaultVerifyCommand.self, VaultExportCommand.self,
            VaultImportCommand.self, VaultMigrateCommand.self, VaultBackupCommand.self,
            VaultRestoreCommand.self, VaultSalvageCommand.self, VaultCompactCommand.self,
        ])
}
