// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault remove`
struct VaultRemoveCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove one item.",
        discussion: """
            An item that is absent is status 1: a name that was mistyped must not look like a secret that is gone.

            EXAMPLES
              signet vault remove --service api.example --account me
              signet vault remove --service ci --class token --if-present
            """)

    @OptionGroup(title: "The item") var item: ItemOptions
    @OptionGroup(title: "The store") var place: StorePlaceOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>
    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    @Flag(name: .long, help: "An item that is absent is good too.")
    var ifPresent = false

    @Flag(name: .long, help: "Print a JSON object: removed.")
    var json = false

    func run() throws {
        try failing {
            try store.check()
            let (opened, key) = (try store.open(), item.key)
            let removed = try waiting { () throws(StoreError) in try await opened.remove(key) }
            guard removed || ifPresent else { throw item.absent }
            guard !json else {
                return try Output.line(JSONOutput.line(["removed": .bool(removed)]))
            }
            try Output.line("\(removed ? "removed" : "not there:") \(item.inWords)".onOneLine)
        }
    }
}
