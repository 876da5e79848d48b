// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault backup`
struct VaultBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a vault to a new file, even while others write to it.",
        discussion: """
            The copy opens with the vault's own passphrase or key; none is asked for here. It \
            holds everything that was acknowledged. A plain copy of the file does so only while \
            no program has the vault open, because recent writes are in the -wal file beside it. \
            An existing file is never replaced.

            EXAMPLES
              signet vault backup --output backup.signet
              signet vault verify --vault backup.signet
            """)

    @Option(file: "The file to write.")
    var output: String

    @OptionGroup(title: "The store") var place: PlaceOptions
    @OptionGroup(title: "The store") var waitingOptions: WaitingOptions

    func run() throws {
        try waitingOptions.check()
        try place.check()
        let path = try VaultPath(output, option: "--output ")
        try path.checkIsFree()
        try place.path().open(waitingOptions.vaultOptions).backup(to: path.path)
        try Output.line("made \(path.path.onOneLine)")
    }
}
