// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault list`
struct VaultListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the items, without their values.",
        discussion: """
            ITEM is what 'signet vault get' takes, to paste into a shell.

            EXAMPLES
              signet vault list
              signet vault list --service api.example --json
            """,
        aliases: ["ls"])

    @OptionGroup(title: "Which items (default: all)") var filter: FilterOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    @Flag(help: "Print a JSON object: items.")
    var json = false

    func run() throws {
        try store.check(or: keyring)
        try filter.check()
        try ItemReport.print(
            filter.items(of: store.open(or: keyring)), json: json,
            nothing: filter.isEmpty
                ? "the store is empty"
                : "nothing found: names are compared byte for byte, and * stands for itself")
    }
}
