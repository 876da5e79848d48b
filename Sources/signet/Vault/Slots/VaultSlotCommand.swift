// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// `signet vault slot …`: the ways into a vault.
struct VaultSlotCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "slot", abstract: "The ways into a vault: show, add, remove.",
        subcommands: [
            VaultSlotListCommand.self, VaultSlotAddCommand.self, VaultSlotRemoveCommand.self,
        ])
}
