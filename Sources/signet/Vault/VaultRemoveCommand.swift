// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault remove`
struct VaultRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove one item.",
        discussion: """
            An absent item is status 1, so that a mistyped name does not look like a removed secret.

            EXAMPLES
              signet vault remove --service api.example --account me
              signet vault remove --service ci --class token --if-present
            """)

    @OptionGroup(title: "The item") var item: ItemOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    @Flag(help: "Succeed if the item is absent.")
    var ifPresent = false

    @Flag(help: "Print a JSON object: removed.")
    var json = false

    func run() throws {
        try store.check(or: keyring)
        let (opened, key) = (try store.open(or: keyring), item.key)
        let removed = try waiting { try await opened.remove(key) }
        guard removed || ifPresent else { throw item.absent }
        try Output.answer(
            json: json, ["removed": .bool(removed)],
            "\(removed ? "removed" : "not there:") \(item.inWords)".onOneLine)
    }
}
