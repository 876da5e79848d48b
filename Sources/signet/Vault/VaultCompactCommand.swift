// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault compact`
struct VaultCompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Give back the room of what was removed from a vault.",
        discussion: """
            A vault's file never shrinks by itself. Everything is verified first; killed at any \
            moment, the vault is as it was or compacted. Writers wait meanwhile. Takes room for a \
            second vault in the file's folder, and for a third one where temporary files are kept.

            EXAMPLES
              signet vault compact
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print a JSON object: freed.")
    var json = false

    func run() throws {
        try store.check()
        let freed = try store.open().compact()
        try Output.answer(
            json: json, ["freed": .integer(freed)], "compacted: \(freed) bytes smaller")
    }
}
