// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault list`
struct VaultListCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show which items there are, without their values.",
        discussion: """
            EXAMPLES
              signet vault list
              signet vault list --service api.example --json
            """)

    @OptionGroup(title: "Which items (default: all)") var filter: FilterOptions
    @OptionGroup(title: "The store") var place: StorePlaceOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>
    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    @Flag(name: .long, help: "Print a JSON object: items.")
    var json = false

    func run() throws {
        try failing {
            try store.check()
            try filter.check()
            try ItemReport.print(
                filter.items(of: store.open()), json: json,
                nothing: filter.isEmpty
                    ? "the store is empty"
                    : "nothing found: names are compared byte for byte, and * stands for itself")
        }
    }
}
