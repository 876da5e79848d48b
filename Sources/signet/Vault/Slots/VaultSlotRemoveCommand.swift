// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault slot remove`
struct VaultSlotRemoveCommand: FileStoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a way into the vault away.",
        discussion: """
            The last one is refused. A copy of the file from before still has it: if its secret is known to \
            others, rotate root and data too.

            EXAMPLES
              signet vault slot remove 3f9a --passphrase
            """)

    @Argument(help: "The slot as 'slot list' shows it, or its beginning.")
    var slot: String

    @OptionGroup(title: "The store") var place: StorePlaceOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>
    @OptionGroup var reading: ReadingOptions

    func run() throws {
        try failing {
            try store.check()
            let wanted = slot.lowercased()
            guard wanted.utf8.count >= 4, wanted.utf8.allSatisfy({ Self.digits.contains($0) })
            else {
                throw CommandFailure.usage("A slot is at least four of its hexadecimal digits.")
            }
            let vault = try store.openLocked()
            let matching = try vault.slots().filter { $0.id.hexadecimal.hasPrefix(wanted) }
            guard let found = matching.first, matching.count == 1 else {
                throw CommandFailure.refused(
                    matching.isEmpty ? "absent" : "ambiguous",
                    matching.isEmpty ? "There is no such slot." : "Several slots begin like this.",
                    advice: "'signet vault slot list' shows them.")
            }
            try store.unlock(vault)
            try vault.removeSlot(id: found.id)
            try Output.line("removed slot \(found.id.hexadecimal)")
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
