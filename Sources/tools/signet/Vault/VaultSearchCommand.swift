// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetVault

/// `signet vault search`
struct VaultSearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find items by text, attribute or class.",
        discussion: """
            Searches service, account, label, comment and attributes, ignoring case; values are \
            not read. Status 0 even if nothing is found.

            EXAMPLES
              signet vault search github
              signet vault search --attribute env=prod --class token --json
            """)

    @Argument(help: "Text to find in the item.")
    var text: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "An attribute that the item has; may be repeated.", valueName: "name=value")
    )
    var attribute: [String] = []

    @OptionGroup(title: "Which items") var filter: FilterOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    @Flag(help: "Print a JSON object: items.")
    var json = false

    func run() throws {
        try store.check(or: keyring)
        try filter.check()
        let attributes = try DetailOptions.attributes(attribute)
        try require(
            text?.isEmpty == false || !attributes.isEmpty || !filter.isEmpty,
            otherwise: "Say what to search for.",
            advice: "A text, or --attribute, --class, --service, --account")
        let found = try filter.items(of: store.open(or: keyring)).filter { item in
            ItemQuery(attributes: attributes).matches(item) && matches(item)
        }
        try ItemReport.print(found, json: json, nothing: "nothing found")
    }

    private func matches(_ item: StoredItem) -> Bool {
        guard let text, !text.isEmpty else { return true }
        let texts =
            [item.key.service, item.key.account, item.details.label, item.details.comment]
            + item.details.attributes.flatMap { [$0.key, $0.value] }
        return texts.contains { $0.range(of: text, options: .caseInsensitive) != nil }
    }
}
