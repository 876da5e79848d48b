// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault passwd`
struct VaultPasswdCommand: FileStoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwd", abstract: "Change the passphrase or key of one slot, in one step.",
        discussion: """
            The slot that the old passphrase opens gets the new one; however many items there are, it takes as \
            long. A copy of the file from before still opens with the old passphrase: if that is known to others, \
            rotate too.

            EXAMPLES
              signet vault passwd
              signet vault passwd --passphrase-fd 3 3< old --new-passphrase-fd 4 4< new
              signet vault passwd --passphrase --new-key-file work.key
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
            let vault = try store.openLocked()
            let old = try store.unlock(vault)
            let slot = try vault.replaceSlot(
                id: old, with: way.newMethod(new.wording, place.patience))
            guard !json else {
                return try Output.line(JSONOutput.line(["slot": .string(slot.hexadecimal)]))
            }
            try Output.line("changed: the slot is \(slot.hexadecimal) now")
        }
    }
}
