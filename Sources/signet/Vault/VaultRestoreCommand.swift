// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault restore`
struct VaultRestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in place of a vault.",
        discussion: """
            The vault that is there is replaced, and its -wal file with it: a backup that is copied by \
            hand over a vault is damaged by the -wal file that stays. Refused while any program has the \
            vault open, and over another vault. What was kept after the backup is gone. 'signet vault \
            verify --vault FILE' says beforehand whether the backup is whole.

            EXAMPLES
              signet vault restore --input backup.signet
              signet vault restore --input backup.signet --vault other.signet
            """)

    @Option(file: "The file of 'signet vault backup'.")
    var input: String

    @OptionGroup(title: "The store") var place: PlaceOptions
    @OptionGroup(title: "The store") var patience: PatienceOptions

    func run() throws {
        try patience.check()
        try place.check()
        let path = try place.path()
        try path.makeFolder()
        try FileVault.restore(
            from: VaultPath(input).path, to: path.path, options: patience.vaultOptions)
        try Output.line("restored \(path.path.onOneLine)")
    }
}
