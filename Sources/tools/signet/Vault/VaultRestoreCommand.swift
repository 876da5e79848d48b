// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault restore`
struct VaultRestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in place of a vault.",
        discussion: """
            Replaces the vault and its -wal file. Do not copy a backup over a vault by hand: the \
            old -wal file would damage it. The command refuses while any program has the vault \
            open, and refuses to replace a different vault. Changes made after the backup are \
            lost. 'signet vault verify --vault FILE' checks the backup beforehand.

            EXAMPLES
              signet vault restore --input backup.signet
              signet vault restore --input backup.signet --vault other.signet
            """)

    @Option(file: "The file of 'signet vault backup'.")
    var input: String

    @OptionGroup(title: "The store") var place: PlaceOptions
    @OptionGroup(title: "The store") var waitingOptions: WaitingOptions

    func run() throws {
        try waitingOptions.check()
        try place.check()
        let path = try place.path()
        let backup = try VaultPath(input, option: "--input ").path
        try path.makeFolder()
        try FileVault.restore(from: backup, to: path.path, options: waitingOptions.vaultOptions)
        try Output.line("restored \(path.path.onOneLine)")
    }
}
