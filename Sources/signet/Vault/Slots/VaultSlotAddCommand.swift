// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault slot add`
struct VaultSlotAddCommand: FileStoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a way into the vault; print its slot.",
        discussion: """
            EXAMPLES
              signet vault slot add --passphrase --new-key-file backup.key
              signet vault slot add --key-file work.key --new-passphrase
            """)

    @OptionGroup(title: "The store") var place: StorePlaceOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>
    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "New key slot") var new: WayOptions<NewWay>

    @Flag(name: .long, help: "Print a JSON object: slot.")
    var json = false

    func run() throws {
        try failing {
            try store.check(reading: new.source)
            let way = try new.way()
            let vault = try store.open()
            let slot = try vault.addSlot(way.newMethod(new.wording, place.patience)).hexadecimal
            try Output.line(json ? JSONOutput.line(["slot": .string(slot)]) : slot)
        }
    }
}
