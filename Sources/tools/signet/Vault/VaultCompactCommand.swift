// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault compact`
struct VaultCompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Release the space of removed items.",
        discussion: """
            A vault's file never shrinks by itself. Everything is verified first. If the command \
            is killed, the vault is either unchanged or compacted. Writers wait meanwhile. Needs \
            space for a second copy in the vault's folder, and for a third where temporary files \
            are kept ($SQLITE_TMPDIR, $TMPDIR or /var/tmp), or in memory if it has at most 16 \
            MiB.

            EXAMPLES
              signet vault compact
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print a JSON object: freed.")
    var json = false

    func run() throws {
        try store.check()
        let vault = try store.open()
        let line = ProgressLine("verifying", counting: .items)
        defer { line.finish() }
        // The rebuilding that follows is one call of SQLite's, for which nothing is shown.
        let freed = try vault.compact { line.show($0, of: $1) }
        line.finish()
        try Output.printResult(
            json: json, members: ["freed": .integer(freed)],
            text: "compacted: \(freed) bytes smaller")
    }
}
