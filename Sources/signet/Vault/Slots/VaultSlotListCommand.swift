// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault slot list`
struct VaultSlotListCommand: FileStoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the key slots.",
        discussion: """
            Without a passphrase or a key this is what the file says; with one (--passphrase, --key-file, …) the \
            vault is unlocked first, which proves it.

            EXAMPLES
              signet vault slot list
              signet vault slot list --passphrase --json
            """)

    @OptionGroup(title: "The store") var place: StorePlaceOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>
    @OptionGroup var reading: ReadingOptions

    @Flag(name: .long, help: "Print a JSON object: vault, proved, slots.")
    var json = false

    func run() throws {
        try failing {
            try store.check()
            let vault = try store.openLocked()
            let isProved = !store.current.isEmpty
            if isProved { try store.unlock(vault) }
            let slots = try vault.slots()
            if json {
                return try Output.line(
                    JSONOutput.line([
                        "vault": .string(vault.id.hexadecimal), "proved": .bool(isProved),
                        "slots": .array(
                            slots.map {
                                .object([
                                    "id": .string($0.id.hexadecimal), "kind": .string($0.kind.name),
                                ])
                            }),
                    ]))
            }
            var table = Table(["SLOT", "KEY SOURCE"])
            for slot in slots { table.add([slot.id.hexadecimal, slot.kind.name]) }
            try Output.line(table.text)
        }
    }
}

extension KeySlot.Kind {
    /// A name for people and for scripts.
    fileprivate var name: String {
        switch self {
        case .scrypt: "passphrase-scrypt"
        case .argon2id: "passphrase-argon2id"
        case .pbkdf2: "passphrase-pbkdf2"
        case .rawKey: "key"
        case .secretService: "secret-service"
        case .external: "external"
        default: "kind-\(rawValue)"
        }
    }
}
