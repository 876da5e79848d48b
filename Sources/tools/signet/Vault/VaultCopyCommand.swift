// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault copy`
struct VaultCopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy an item to another name in the same store.",
        discussion: """
            The value, its type, the label, the comment and the attributes are copied. To rename \
            an item, copy it and remove the old one.

            EXAMPLES
              signet vault copy api.example/me api.example/backup
              signet vault cp ci/bot ci/bot2 --class token --force
            """,
        aliases: ["cp"])

    @Argument(help: ArgumentHelp("The item; the last / divides.", valueName: "service/account"))
    var from: String

    @Argument(help: ArgumentHelp("The name of the copy.", valueName: "new-service/new-account"))
    var to: String

    @OptionGroup(title: "Both items") var kind: ItemKindOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    @Flag(help: "Replace the item that has the new name.")
    var force = false

    @Flag(help: "Print a JSON object about the copy, without its value.")
    var json = false

    func run() throws {
        try store.check(or: keyring)
        let name = try ItemName.checked(to, as: "The copy")
        let source = try ItemName.checked(from).key(kind)
        let copy = name.key(kind)
        try require(source != copy, otherwise: "The copy has the item's own name.")
        let opened = try store.open(or: keyring)
        guard let found = try waiting({ try await opened.entry(source) }) else {
            throw ItemOptions.absent
        }
        try write(found, for: copy, to: opened)
        guard json else { return try Output.line("kept \(name.inWords)".onOneLine) }
        guard let kept = try waiting({ try await opened.item(copy) }) else {
            throw ItemOptions.absent
        }
        try Output.json(ItemReport.json(kept))
    }

    private func write(_ entry: StoreEntry, for key: ItemKey, to store: any SecureStore) throws {
        let details = entry.item.details
        guard !force else {
            _ = try waiting { try await store.set(entry.value, for: key, details: details) }
            return
        }
        do {
            _ = try waiting {
                try await store.replace(entry.value, for: key, details: details, ifRevision: nil)
            }
        } catch let error as StoreError where error.code == .alreadyExists {
            var failure = CommandFailure(error)
            failure.advice = "To replace it: --force"
            throw failure
        }
    }
}
