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
            An absent item is status 1, so that a mistyped name does not look like a removed secret. \
            From a damaged vault the item is removed too, and standard error says if its absence \
            cannot be proved.

            EXAMPLES
              signet vault remove api.example/me
              signet vault remove --service ci --class token --if-present
            """,
        aliases: ["rm"])

    @OptionGroup(title: "The item") var item: ItemOptions
    @OptionGroup(title: "The item") var kind: ItemKindOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    @Flag(help: "Succeed if the item is absent.")
    var ifPresent = false

    @Flag(help: "Print a JSON object: removed, and absenceProved if it is not.")
    var json = false

    func run() throws {
        try store.check(or: keyring)
        let name = try item.named()
        let opened = try store.open(or: keyring)
        let (removed, unproved) = try remove(name.key(kind), from: opened)
        guard removed || ifPresent else { throw ItemOptions.absent }
        try Output.printResult(
            json: json,
            members: [
                "removed": .bool(removed), "absenceProved": unproved.map { _ in .bool(false) },
            ],
            text: "\(removed ? "removed" : "not there:") \(name.inWords)".onOneLine)
        if let unproved { Output.errorLine("signet: \(unproved.message)".onOneLine) }
    }

    /// - Returns: whether the item was there, and why its absence cannot be proved now.
    private func remove(
        _ key: ItemKey, from store: any SecureStore
    ) throws -> (Bool, unproved: StoreError?) {
        guard let vault = store as? FileVault else {
            return (try waiting { try await store.remove(key) }, nil)
        }
        return try vault.write { writer in (try writer.remove(key), writer.unprovedAbsence) }
    }
}
